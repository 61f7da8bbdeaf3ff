// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study_folder.h"

#include <algorithm>
#include <cstdlib>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/program_file.h"
#include "base/shown_value.h"

namespace flitmend {

std::filesystem::path studies_folder() {
  std::error_code error;
  if (const char* named = std::getenv("FLITMEND_STUDIES"); named && *named) {
    if (std::filesystem::is_directory(named, error)) return named;
    throw ConfigurationError(std::string("FLITMEND_STUDIES names ") + named + ", which is not a folder");
  }
  const std::filesystem::path program = program_file().parent_path();
  // Relative to the program, so that an installation can be moved.
  for (const char* place : {FLITMEND_STUDIES_FROM_PROGRAM, "studies"})
    if (const auto folder = (program / place).lexically_normal();
        std::filesystem::is_directory(folder, error))
      return folder;
  throw ConfigurationError("the studies that come with flitmend are missing: no " +
                           (program / FLITMEND_STUDIES_FROM_PROGRAM).lexically_normal().string() +
                           "; give a study's file, or set FLITMEND_STUDIES to their folder");
}

std::vector<std::filesystem::path> all_studies(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path find_study(const std::string& name_or_file) {
  if (name_or_file.find('/') != name_or_file.npos || name_or_file.ends_with(".yaml")) return name_or_file;
  std::vector<std::string> names;
  for (const std::filesystem::path& file : all_studies(studies_folder())) {
    names.push_back(file.stem().string());
    if (names.back() == name_or_file) return file;
  }
  throw ConfigurationError("unknown study " + shown_value(name_or_file) +
                           did_you_mean(name_or_file, {names.begin(), names.end()}));
}

}  // namespace flitmend
