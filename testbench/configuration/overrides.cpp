// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/overrides.h"

#include <algorithm>

#include "testbench/configuration/source_text.h"

namespace flitmend {
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

void apply_overrides(DocumentNode& root, const std::vector<std::string>& options, ErrorList& errors) {
  if (root.kind != DocumentNode::Kind::map && root.kind != DocumentNode::Kind::null) return;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Place place{0, 0, static_cast<unsigned>(i + 1)};
    const std::string& option = options[i];
    check_source_text(option, errors.text(place));
    const std::size_t equals = option.find('=');
    const std::vector<std::string> parts = split(option.substr(0, equals));
    if (equals == option.npos || std::find(parts.begin(), parts.end(), "") != parts.end()) {
      errors.add(place, "'" + option + "' is not KEY=VALUE; write it like router.virtual_channels=2");
      continue;
    }
    std::optional<DocumentNode> value = parse_document(option.substr(equals + 1), place.set, errors);
    if (!value) continue;
    value->place = place;
    DocumentNode* target = &root;
    for (const std::string& part : parts) target = &child(*target, part, place);
    overlay(*target, std::move(*value));
  }
}

}  // namespace flitmend
