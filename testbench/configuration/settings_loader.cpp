// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/settings_loader.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "testbench/configuration/value_reader.h"
#include "testbench/files/input_files.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostHints = 100;  // of errors 20 are shown; a hint looks at all keys

std::string join(const std::string& section, std::string_view name) {
  return section.empty() ? std::string(name) : section + "." + std::string(name);
}

}  // namespace

SettingsLoader::SettingsLoader(const DocumentNode& root, ErrorList& errors, const FileFolders* folders)
    : errors_(errors), root_(root), folders_(folders) {
  sections_[""];
  const bool usable = root.kind == DocumentNode::Kind::map;
  if (!usable && root.kind != DocumentNode::Kind::null)
    errors_.add(root.place,
                "expected sections of keys like 'network: {topology: mesh}', found " + root.called());
  stack_.push_back({"", usable ? &root : nullptr});
}

std::string SettingsLoader::path_of(std::string_view name) const {
  return join(stack_.back().path, name);
}

void SettingsLoader::begin_section(std::string_view name, std::string_view) {
  open_section(name, 0);
}

void SettingsLoader::begin_shared_section(std::string_view name, std::string_view, unsigned keys) {
  open_section(name, keys);
}

std::optional<DocumentNode> SettingsLoader::share_of(const DocumentNode& node, const std::string& path,
                                                     unsigned keys) {
  std::int64_t number = 0;
  const std::int64_t largest = std::int64_t{keys} << 30;
  if (const std::string wrong = read_value(node, number, {0, largest}, ""); !wrong.empty()) {
    report(node, path, wrong + "; or a section of keys");
    return std::nullopt;
  }
  if (number % keys != 0) {
    report(node, path,
           formatted("%1% cannot be shared out equally among %2% keys; give the section with its keys",
                     node.called(), keys));
    return std::nullopt;
  }
  DocumentNode share = node;
  share.text = std::to_string(number / keys);
  return share;
}

void SettingsLoader::open_section(std::string_view name, unsigned keys) {
  std::vector<std::string>& known = sections_[stack_.back().path];
  if (std::find(known.begin(), known.end(), name) == known.end()) known.emplace_back(name);
  Section section{path_of(name), nullptr};
  const bool first_visit = sections_.try_emplace(section.path).second;
  if (const DocumentNode* parent = stack_.back().node)
    if (const DocumentEntry* entry = parent->find(name)) {
      if (entry->value.kind == DocumentNode::Kind::map)
        section.node = &entry->value;
      else if (entry->value.kind == DocumentNode::Kind::scalar && keys > 0)
        section.share = share_of(entry->value, section.path, keys);
      else if (entry->value.kind != DocumentNode::Kind::null && first_visit)
        report(entry->value, section.path, "expected a section of keys, found " + entry->value.called());
    }
  stack_.push_back(std::move(section));
}

void SettingsLoader::end_section() {
  stack_.pop_back();
}

const DocumentNode* SettingsLoader::value_of(const Key& key) {
  sections_[stack_.back().path].emplace_back(key.name);
  if (stack_.back().share) {
    given_[path_of(key.name)] = stack_.back().share->place;
    return &*stack_.back().share;
  }
  const DocumentNode* section = stack_.back().node;
  const DocumentEntry* entry = section ? section->find(key.name) : nullptr;
  if (!entry) return nullptr;
  given_[path_of(key.name)] = entry->value.place;
  return &entry->value;
}

void SettingsLoader::report(const DocumentNode& node, const std::string& path, const std::string& wrong) {
  if (!wrong.empty()) errors_.add(node.place, path + ": " + wrong);
}

void SettingsLoader::visit_key(const Key& k, ValuePointer value, const AllowedValues& allowed) {
  const DocumentNode* node = value_of(k);
  if (!node) return;
  const std::string path = path_of(k.name);
  read_key(*node, value, allowed, path, k.unit, errors_);
  if (auto* const* const text = std::get_if<std::string*>(&value);
      text && std::holds_alternative<std::monostate>(allowed))
    resolve_file(**text, path, node->place);
  if (auto* const* const flows = std::get_if<FlowList*>(&value)) {
    resolve_file((*flows)->file, path, node->place);
    for (ListedFlow& flow : (*flows)->listed)
      for (ListedFields::Field& field : flow.fields)
        if (field.key == "matrix") resolve_file(field.text, path, field.place);
  }
}

void SettingsLoader::resolve_file(std::string& value, const std::string& path, const Place& place) {
  const std::string name = file_named(path, value);
  if (!folders_ || name.empty()) return;
  const std::string file = folders_->file(name, place);
  if (name[0] != '/') files_.push_back({path, name, file, place});
  value = file;
}

std::string SettingsLoader::hint(const std::string& path, const std::string& key) const {
  if (const auto colon = key.find(':'); colon != key.npos)
    return "; write a space after the colon of '" + key.substr(0, colon + 1) + "'";
  const std::vector<std::string>& here = sections_.find(path)->second;
  const std::vector<std::string_view> names(here.begin(), here.end());
  if (nearest(key, names).empty())
    for (const auto& [section, known] : sections_)
      if (const std::string elsewhere = join(section, key);
          elsewhere != key && elsewhere != join(path, key) &&
          std::find(known.begin(), known.end(), key) != known.end())
        return " (did you mean '" + elsewhere + "'?)";
  return did_you_mean(key, names);
}

void SettingsLoader::report_unknown(const DocumentNode& node, const std::string& path) {
  const std::vector<std::string>& known = sections_.find(path)->second;
  for (const DocumentEntry& entry : node.entries) {
    const std::string below = join(path, entry.key);
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      errors_.add(entry.place,
                  below + ": unknown key" + (++unknown_ <= kMostHints ? hint(path, entry.key) : ""));
    else if (sections_.contains(below))
      report_unknown(entry.value, below);
  }
}

void SettingsLoader::finish() {
  report_unknown(root_, "");
}

}  // namespace flitmend
