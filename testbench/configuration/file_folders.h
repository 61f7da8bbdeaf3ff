// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "base/errors.h"

namespace flitmend {

/// What the names of files in a configuration are relative to: the folder of the file that gives them or, on
/// the command line, the working directory.
class FileFolders {
 public:
  FileFolders() = default;
  /// Names in that file are relative to its folder.
  explicit FileFolders(const std::string& file) { set(file, std::filesystem::path(file).parent_path()); }

  /// Names in that source of places ("mesh.yaml") are relative to that folder.
  void set(const std::string& source, const std::filesystem::path& folder) { folders_[source] = folder; }
  /// The file of that name at that place: absolute. Of a relative name, without dots and symbolic links.
  std::string file(const std::string& name, const Place&) const;
  /// What these names are relative to: "FOLDER, the folder of mesh.yaml", "FOLDER, the working directory".
  std::string folder_text(const Place&) const;

 private:
  std::filesystem::path folder(const Place&) const;

  std::map<std::string, std::filesystem::path> folders_;  ///< by source
};

}  // namespace flitmend
