// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/overrides.h"

#include <algorithm>

#include "base/text.h"
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
