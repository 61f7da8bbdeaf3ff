// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/slurm_sweep.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>
#include <thread>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/input_file.h"
#include "base/program_file.h"
#include "base/text.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/runner.h"
#include "exploration/sweeps/slurm/array_job.h"
#include "testbench/files/run_folder.h"

namespace flitmend {
namespace {

constexpr std::int64_t kManifestSchema = 3;

std::filesystem::path manifest_file(const std::filesystem::path& folder) {
  return slurm_folder(folder) / "manifest.json";
}

}  // namespace

SlurmManifest SlurmManifest::make(const SweepIdentity& identity, const SweepSlurm& settings,
                                  const std::vector<std::int64_t>& units) {
  constexpr std::size_t kUsualTasks = 100;
  const std::size_t usual = (units.size() + kUsualTasks - 1) / kUsualTasks;
  const std::size_t chunk = settings.points_per_task ? static_cast<std::size_t>(settings.points_per_task)
                                                     : std::max<std::size_t>(usual, 1);
  SlurmManifest manifest{.identity = identity, .tasks = {}};
  for (std::size_t i = 0; i < units.size(); i += chunk)
    manifest.tasks.emplace_back(
        units.begin() + static_cast<std::ptrdiff_t>(i),
        units.begin() + static_cast<std::ptrdiff_t>(std::min(i + chunk, units.size())));
  return manifest;
}

std::filesystem::path slurm_folder(const std::filesystem::path& folder) {
  return folder / "slurm";
}

std::filesystem::path task_folder(const std::filesystem::path& folder, std::size_t index) {
  return slurm_folder(folder) / formatted("task_%1%", index);
}

bool has_manifest(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::exists(manifest_file(folder), none);
}

void write_manifest(const std::filesystem::path& folder, const SlurmManifest& manifest) {
  const Json json = {{"schema", kManifestSchema},
                     {"flitmend", manifest.identity.version},
                     {"sweep_name", manifest.identity.sweep_name},
                     {"sweep", manifest.identity.sweep},
                     {"base_name", manifest.identity.base_name},
                     {"base", manifest.identity.base},
                     {"files", manifest.identity.files},
                     {"sweep_folder", manifest.sweep_folder.string()},
                     {"use_cache", manifest.use_cache},
                     {"tasks", manifest.tasks}};
  write_checked(manifest_file(folder), json.dump(1) + "\n");
}

SlurmManifest read_manifest(const std::filesystem::path& folder) try {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  const Json json = Json::parse(read_input_file(manifest_file(folder).string(), kMostBytes, "a manifest"));
  if (json.at("schema") != kManifestSchema)
    throw ConfigurationError(manifest_file(folder).string() + " was written by another version of flitmend");
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  return {
      {text("flitmend"), text("base"), text("base_name"), text("sweep"), text("sweep_name"), text("files")},
      json.at("tasks").get<std::vector<std::vector<std::int64_t>>>(),
      text("sweep_folder"),
      json.at("use_cache").get<bool>()};
} catch (const Json::exception&) {
  throw ConfigurationError("cannot read " + manifest_file(folder).string() +
                           ": it is not a manifest of a sweep");
}

bool run_slurm_task(const std::filesystem::path& folder, std::size_t index, const std::string& version,
                    const std::atomic<bool>& stop) {
  const SlurmManifest manifest = read_manifest(folder);
  if (index >= manifest.tasks.size())
    throw ConfigurationError(formatted("the sweep in %1% has no task %2%", folder.string(), index));
  if (manifest.identity.version != version)
    throw ConfigurationError("the sweep in " + folder.string() + " was started by flitmend " +
                             manifest.identity.version + ", but this node has " + version);
  Sweep sweep = parse_sweep(manifest.identity.sweep, manifest.identity.sweep_name,
                            [&](const std::string&) { return manifest.identity.base; });
  sweep.folder = manifest.sweep_folder;
  const SweepPlan plan(sweep);
  const std::vector<std::int64_t>& units = manifest.tasks[index];
  if (std::adjacent_find(units.begin(), units.end(), std::greater_equal<>()) != units.end() ||
      (!units.empty() && (units.front() < 0 || units.back() >= plan.units())))
    throw ConfigurationError(
        formatted("task %1% of the sweep in %2% has units that the sweep does not have; submit it again with "
                  "--slurm --resume after removing its folder slurm",
                  index, folder.string()));
  const std::filesystem::path own = task_folder(folder, index);
  prepare_output_folder(own);
  const FolderLock lock(own);
  SweepWriter writer = SweepWriter::resume(own, manifest.identity, {});
  return SweepRunner(plan, writer, own, static_cast<unsigned>(sweep.slurm.cpus_per_task),
                     manifest.use_cache ? VerdictCache::of_user() : VerdictCache())
      .run(units, nullptr, stop);
}

namespace {

using namespace std::chrono_literals;

std::filesystem::path job_file(const std::filesystem::path& folder) {
  return slurm_folder(folder) / "job";
}

/// The job of an earlier start; empty if there is none.
std::string stored_job(const std::filesystem::path& folder) {
  std::string job;
  std::error_code none;
  if (std::filesystem::is_regular_file(job_file(folder), none)) std::ifstream(job_file(folder)) >> job;
  return job;
}

/// Adds the points and curves of a task's results to those of the sweep.
void merge_task(const std::filesystem::path& task, SweepWriter& writer) {
  std::error_code none;
  if (!SweepReader::has_results(task) || std::filesystem::file_size(task / "results.sqlite", none) == 0)
    return;
  const SweepReader reader(task);
  const std::set<std::int64_t> known = writer.finished();
  constexpr std::size_t kBatch = 256;
  std::vector<SweepWriter::Finished> batch;
  for (const std::int64_t id : reader.identifiers()) {
    if (known.contains(id)) continue;
    batch.push_back({*reader.point(id), reader.host(id).value_or(HostRecord())});
    if (batch.size() < kBatch) continue;
    writer.add(batch);
    batch.clear();
  }
  if (!batch.empty()) writer.add(batch);
  for (const SaturationRecord& curve : reader.saturation()) writer.set_saturation(curve);
}

}  // namespace

SlurmSweep::SlurmSweep(const SweepPlan& plan, const SweepIdentity& identity, SweepWriter& writer,
                       std::filesystem::path folder, bool use_cache)
    : plan_(plan),
      identity_(identity),
      writer_(writer),
      folder_(std::filesystem::absolute(std::move(folder)).lexically_normal()),
      use_cache_(use_cache) {}

bool SlurmSweep::begun() const {
  return has_manifest(folder_);
}

std::string SlurmSweep::running_job() const {
  const std::string job = stored_job(folder_);
  if (job.empty()) return "";
  const auto state = job_state(job);
  return state && state->left == 0 ? "" : job;
}

void SlurmSweep::merge() {
  if (!begun()) return;
  const std::size_t tasks = read_manifest(folder_).tasks.size();
  for (std::size_t task = 0; task < tasks; ++task) merge_task(task_folder(folder_, task), writer_);
}

std::vector<std::int64_t> SlurmSweep::missing_units() const {
  std::set<std::int64_t> done;
  if (plan_.adaptive())
    for (const SaturationRecord& curve : SweepReader(folder_).saturation()) done.insert(curve.curve);
  else
    done = writer_.finished();
  std::vector<std::int64_t> missing;
  for (const std::int64_t unit : units_)
    if (!done.contains(unit)) missing.push_back(unit);
  return missing;
}

std::vector<std::size_t> SlurmSweep::missing_tasks() const {
  const std::vector<std::int64_t> missing = missing_units();
  const SlurmManifest manifest = read_manifest(folder_);
  std::vector<std::size_t> tasks;
  for (std::size_t task = 0; task < manifest.tasks.size(); ++task)
    if (std::any_of(manifest.tasks[task].begin(), manifest.tasks[task].end(), [&](std::int64_t unit) {
          return std::binary_search(missing.begin(), missing.end(), unit);
        }))
      tasks.push_back(task);
  return tasks;
}

void SlurmSweep::prepare() {
  prepare_output_folder(slurm_folder(folder_));
  SlurmManifest manifest = SlurmManifest::make(identity_, plan_.sweep().slurm, missing_units());
  manifest.sweep_folder = plan_.sweep().folder;
  manifest.use_cache = use_cache_;
  write_manifest(folder_, manifest);
  write_checked(slurm_folder(folder_) / "task.sh",
                "#!/bin/sh\n# One task of the job array: a chunk of the sweep.\nexec " +
                    shell_word(program_file().string()) + " sweep-task " + shell_word(folder_.string()) +
                    " \"$SLURM_ARRAY_TASK_ID\"\n");
}

void SlurmSweep::submit_missing() {
  ArrayJob job;
  job.script = slurm_folder(folder_) / "task.sh";
  job.log_folder = slurm_folder(folder_);
  job.indices = missing_tasks();
  job.cpus_per_task = plan_.sweep().slurm.cpus_per_task;
  job.options = plan_.sweep().slurm.options;
  write_checked(job_file(folder_), submit(job) + "\n");
}

bool SlurmSweep::wait(const std::string& job, SweepProgressSink* progress,
                      const std::atomic<bool>& stop) const {
  constexpr int kPatience = 60;  // polls without an answer
  constexpr auto kLongest = 10000ms, kStep = 100ms;
  auto pause = 500ms;
  std::size_t all = 0;
  for (int silent = 0; !stop;) {
    if (const auto state = job_state(job)) {
      silent = 0;
      all = std::max(all, state->left);
      if (state->left == 0) return true;
      if (progress)
        progress->update({0, all, all - state->left, 0, state->running, SweepProgress::Unit::task});
    } else if (++silent == kPatience) {
      throw WriteError("squeue does not answer; job " + job +
                       " continues, and --slurm --resume waits for it again");
    }
    for (auto slept = 0ms; slept < pause && !stop; slept += kStep) std::this_thread::sleep_for(kStep);
    pause = std::min<std::chrono::milliseconds>(pause * 5 / 4, kLongest);
  }
  return false;
}

bool SlurmSweep::run(std::vector<std::int64_t> units, SweepProgressSink* progress,
                     const std::atomic<bool>& stop) {
  units_ = std::move(units);
  std::string job = running_job();
  if (job.empty()) {
    merge();
    if (missing_units().empty()) return true;
    if (!begun()) prepare();
    submit_missing();
    job = stored_job(folder_);
  }
  if (!wait(job, progress, stop)) return false;
  merge();
  if (missing_units().empty()) return true;
  const std::vector<std::size_t> tasks = missing_tasks();
  const std::string log = (slurm_folder(folder_) / formatted("task_%1%.log", tasks.front())).string();
  throw WriteError(
      formatted("job %1% ended with points missing, in %2% (array %3%); see %4%; --slurm --resume submits "
                "what is missing",
                job, counted(tasks.size(), "task"), array_text(tasks), log));
}

void SlurmSweep::clean_up() {
  if (!begun()) return;
  // Only what is ours; the folder stays if there is anything else in it.
  const std::filesystem::path folder = slurm_folder(folder_);
  const std::size_t tasks = read_manifest(folder_).tasks.size();
  std::error_code ignored;
  for (std::size_t task = 0; task < tasks; ++task) {
    std::filesystem::remove_all(task_folder(folder_, task), ignored);
    std::filesystem::remove(task_folder(folder_, task) += ".log", ignored);
  }
  for (const char* name : {"task.sh", "job", "manifest.json"})
    std::filesystem::remove(folder / name, ignored);
  std::filesystem::remove(folder, ignored);
}

}  // namespace flitmend
