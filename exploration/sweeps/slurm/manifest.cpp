// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/manifest.h"

#include <algorithm>
#include <sstream>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/input_file.h"

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
  return slurm_folder(folder) / ("task_" + std::to_string(index));
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

}  // namespace flitmend
