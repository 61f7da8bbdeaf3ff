// SPDX-License-Identifier: Apache-2.0
#include "testbench/run_folder.h"

#include <cerrno>
#include <system_error>

#include "base/errors.h"

namespace flitmend {
namespace {

namespace fs = std::filesystem;

/// The files that a run and a report on it write.
constexpr const char* kResults[] = {"stats.json", "config.yaml", "report.html",
                                    "waves.vcd",  "waves.fst",   "waves.gtkw"};
constexpr const char* kResultFolder = "waves.filters";

const fs::path& prepared(const fs::path& folder) {
  prepare_output_folder(folder);
  return folder;
}

void refuse_foreign_results(const fs::path& folder) {
  for (const auto& [file, owner] : {std::pair{"results.sqlite", "sweep"}, {"study.sqlite", "study"}})
    if (std::error_code error; fs::exists(folder / file, error))
      throw ConfigurationError("folder " + folder.string() + " holds the results of a " + owner + " (" +
                               file + "); choose another one with --out");
}

void refuse_own_configuration(const fs::path& folder, const fs::path& configuration_file) {
  std::error_code error;
  if (fs::equivalent(folder / "config.yaml", configuration_file, error))
    throw ConfigurationError("the run would write its effective configuration over its own, " +
                             configuration_file.string() + "; choose another folder with --out");
}

void refuse_in_the_way(const fs::path& path, bool folder) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_directory(status) == folder) return;
  throw ConfigurationError("cannot write " + path.string() + ": " +
                           std::generic_category().message(folder ? ENOTDIR : EISDIR) +
                           "; remove it, or choose another output folder");
}

/// Removes results, and the temporary files of a run that was killed ("stats.json.tmp4711"), but nothing that
/// is not a regular file (a pipe, a device).
void remove_results(const fs::path& folder) {
  std::error_code error;
  for (const char* name : kResults)
    if (fs::is_regular_file(folder / name, error)) fs::remove(folder / name, error);
  fs::remove_all(folder / kResultFolder, error);
  for (const auto& entry : fs::directory_iterator(folder, error))
    for (const char* name : kResults)
      if (entry.path().filename().string().starts_with(std::string(name) + ".tmp"))
        fs::remove(entry.path(), error);
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder, const fs::path& configuration_file)
    : folder_(prepared(folder)), lock_(folder) {
  refuse_foreign_results(folder);
  refuse_own_configuration(folder, configuration_file);
  for (const char* name : kResults) refuse_in_the_way(folder / name, false);
  refuse_in_the_way(folder / kResultFolder, true);
  remove_results(folder);
}

}  // namespace flitmend
