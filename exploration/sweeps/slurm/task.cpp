// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/task.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/input_file.h"
#include "base/text.h"
#include "exploration/sweeps/runner.h"
#include "testbench/files/output_folder.h"

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

}  // namespace flitmend
