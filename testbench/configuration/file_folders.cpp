// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/file_folders.h"

#include <system_error>

namespace flitmend {
namespace {

/// Without dots and symbolic links, as far as it exists.
std::filesystem::path real(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::path found = std::filesystem::weakly_canonical(path, failed);
  return failed ? path : found;
}

}  // namespace

std::filesystem::path FileFolders::folder(const Place& place) const {
  const auto found = folders_.find(place.source);
  const std::filesystem::path here = std::filesystem::current_path();
  return found == folders_.end() || found->second.empty() ? here : real(here / found->second);
}

std::string FileFolders::file(const std::string& name, const Place& place) const {
  return name.starts_with('/') ? name : real(folder(place) / name).string();
}

std::string FileFolders::folder_text(const Place& place) const {
  return folder(place).string() +
         (folders_.contains(place.source) ? ", the folder of " + place.source : ", the working directory");
}

}  // namespace flitmend
