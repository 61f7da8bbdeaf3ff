// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/sweep_part.h"

#include <algorithm>

#include "base/errors.h"
#include "protocols/recovery/registry.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

constexpr const char* kSweepKeys[] = {"base", "axes", "slurm", "timeout_seconds", "allow_deadlock"};

/// Its nodes have no place but the file.
DocumentNode node_of(const Json& json, const std::string& name) {
  ErrorList errors(name);
  DocumentNode node = parse_value(json.dump(), Place{name}, errors).value_or(DocumentNode{});
  errors.throw_if_any();
  return node;
}

}  // namespace

SweepPart::SweepPart(const DocumentNode& root, const std::string& name) : part_(root), name_(name) {
  std::erase_if(part_.entries, [](const DocumentEntry& entry) {
    return std::find(std::begin(kSweepKeys), std::end(kSweepKeys), entry.key) == std::end(kSweepKeys);
  });
}

Sweep SweepPart::read(const BaseReader& read_file) const {
  return read_sweep(part_, "", name_, "", read_file);
}

Sweep SweepPart::read(const BaseReader& read_file, const Json& keys, const AddedAxes& added) const {
  Json text = json_of(part_);
  Json axes = added.first;
  for (const Json& axis : text["axes"]) axes.push_back(axis);
  axes.insert(axes.end(), added.last.begin(), added.last.end());
  text["axes"] = std::move(axes);
  text.update(keys);

  DocumentNode whole = part_;
  const auto given = std::find_if(whole.entries.begin(), whole.entries.end(),
                                  [](const DocumentEntry& entry) { return entry.key == "axes"; });
  std::vector<DocumentNode>& items = given->value.items;
  auto place = items.begin();
  for (const Json& axis : added.first) place = items.insert(place, node_of(axis, name_)) + 1;
  for (const Json& axis : added.last) items.push_back(node_of(axis, name_));
  for (const auto& [key, value] : keys.items()) {
    DocumentEntry entry;
    entry.key = key;
    entry.place.source = name_;
    entry.value = node_of(value, name_);
    whole.entries.push_back(std::move(entry));
  }
  constexpr int kIndent = 2;
  return read_sweep(whole, "", name_, text.dump(kIndent) + "\n", read_file);
}

std::vector<std::string> read_protocols(MapReader& map) {
  std::vector<std::string> protocols;
  const DocumentNode* const node = map.get("protocols");
  if (!node) {
    for (const RecoveryEntry& entry : recovery_protocols().entries()) protocols.emplace_back(entry.name);
    return protocols;
  }
  if (node->kind != DocumentNode::Kind::list || node->items.empty()) {
    map.report(*node, "protocols", "expected a list of recovery protocols, found " + node->called());
    return protocols;
  }
  for (const DocumentNode& item : node->items) {
    std::string name;
    map.report(item, "protocols", read_value(item, name));
    try {
      recovery_protocols().at(name);
    } catch (const ConfigurationError& unknown) {
      map.report(item, "protocols", unknown.what());
    }
    protocols.push_back(std::move(name));
  }
  return protocols;
}

}  // namespace flitmend
