// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/loader.h"

#include <algorithm>

#include "base/text.h"
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

namespace {

/// The value with that name in a section; if it is not a section, it becomes one.
DocumentNode& child(DocumentNode& section, const std::string& name, const Place& place) {
  if (section.kind != DocumentNode::Kind::map) {
    section = {};
    section.kind = DocumentNode::Kind::map;
    section.place = place;
  }
  const auto found = std::find_if(section.entries.begin(), section.entries.end(),
                                  [&](const DocumentEntry& entry) { return entry.key == name; });
  if (found != section.entries.end()) return found->value;
  section.entries.push_back({name, place, {}});
  return section.entries.back().value;
}

void overlay(DocumentNode& target, DocumentNode value) {
  if (value.kind == DocumentNode::Kind::map)
    for (DocumentEntry& entry : value.entries)
      overlay(child(target, entry.key, entry.place), std::move(entry.value));
  else
    target = std::move(value);
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (char c : path)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace

std::vector<Override> option_overrides(const std::vector<std::string>& options) {
  std::vector<Override> overrides;
  for (const std::string& option : options)
    overrides.push_back({option, {formatted("--set #%1%", overrides.size() + 1)}});
  return overrides;
}

void apply_overrides(DocumentNode& root, const std::vector<Override>& overrides, ErrorList& errors) {
  if (root.kind != DocumentNode::Kind::map && root.kind != DocumentNode::Kind::null) return;
  for (const auto& [assignment, place] : overrides) {
    errors.add_source(place.source);
    check_source_text(assignment, place.text());
    const std::size_t equals = assignment.find('=');
    const std::vector<std::string> parts = split(assignment.substr(0, equals));
    if (equals == assignment.npos || std::find(parts.begin(), parts.end(), "") != parts.end()) {
      errors.add(place,
                 shown_value(assignment) + " is not KEY=VALUE; write it like router.virtual_channels=2");
      continue;
    }
    std::optional<DocumentNode> value = parse_value(assignment.substr(equals + 1), place, errors);
    if (!value) continue;
    value->place = place;  // also where it is empty
    DocumentNode* target = &root;
    for (const std::string& part : parts) target = &child(*target, part, place);
    overlay(*target, std::move(*value));
  }
}

}  // namespace flitmend
