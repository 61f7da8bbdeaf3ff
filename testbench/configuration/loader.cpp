// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/loader.h"

#include <algorithm>

#include "testbench/configuration/settings_loader.h"
#include "testbench/configuration/source_text.h"
#include "testbench/files/input_files.h"

namespace flitmend {
namespace {

/// Reports relative names of which there is no file, and what they are relative to. Only of files that are
/// read: a key without effect may name any.
void check_files(const SettingsLoader& loader, const std::vector<InputFile>& read, const FileFolders& folders,
                 ErrorList& errors) {
  for (const SettingsLoader::NamedFile& named : loader.files()) {
    const bool is_read =
        std::any_of(read.begin(), read.end(), [&](const InputFile& file) { return file.key == named.path; });
    std::error_code none;
    if (!is_read || std::filesystem::exists(named.file, none)) continue;
    const bool here = std::filesystem::exists(named.name, none);
    errors.add(named.place,
               named.path + ": there is no file " + named.name + " in " + folders.folder_text(named.place) +
                   (here ? "; there is one in the working directory: give its name from that folder"
                         : "; create it, or correct its name"));
  }
}

/// `files`: whether the files that it names must be there.
Configuration read_document(const DocumentNode& root, const FileFolders& folders, bool files,
                            ErrorList& errors) {
  // The first pass finds mistakes and the preset; the second pass overrides the preset's values.
  Configuration read;
  SettingsLoader loader(root, errors, &folders);
  read.visit(loader);
  loader.finish();
  // No preset changes which files are read.
  if (files) check_files(loader, input_files(read), folders, errors);
  errors.throw_if_any();

  Configuration configuration;
  apply_preset(read.hardware.router.preset, configuration.hardware);
  SettingsLoader again(root, errors, &folders);
  configuration.visit(again);
  configuration.set_places(errors.file(), again.given());
  settle(configuration);
  return configuration;
}

Configuration parse(const std::string& text, const std::string& name, const std::vector<std::string>& sets,
                    bool files) {
  check_source_text(text, name);
  ErrorList errors(name);
  DocumentNode root = parse_document(text, errors).value_or(DocumentNode{});
  apply_overrides(root, option_overrides(sets), errors);
  return read_document(root, FileFolders(name), files, errors);
}

}  // namespace

Configuration read_configuration(DocumentNode root, const std::string& name,
                                 const std::vector<Override>& overrides, const FileFolders& folders) {
  ErrorList errors(name);
  apply_overrides(root, overrides, errors);
  return read_document(root, folders, true, errors);
}

Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets) {
  return parse(text, name, sets, false);
}

Configuration load_configuration(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  return parse(read_source_text(path), path.string(), sets, true);
}

}  // namespace flitmend
