// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/pattern.h"

#include <algorithm>

namespace flitmend {

Participants::Participants(NodeId nodes, std::span<const NodeId> dead) : place_(nodes, 0) {
  for (NodeId node : dead) place_[node] = kDead;
  for (NodeId node = 0; node < nodes; ++node) {
    if (place_[node] == kDead) continue;
    place_[node] = count();
    live_.push_back(node);
  }
}

bool PatternEntry::has_option(std::string_view key) const {
  return std::ranges::any_of(options, [&](const OptionKey* option) { return option->name() == key; });
}

constexpr OptionKey kIncludeSelfOption{
    .key = {"include_self", "", "Random destinations include the node itself (uniform, hotspot).", kAlways},
    .values = OptionKey::Flag{}};

#define FLITMEND_PATTERN(x) PatternEntry x##_pattern();
#include "testbench/traffic/patterns.def"
#undef FLITMEND_PATTERN

const Registry<PatternEntry>& traffic_patterns() {
  static const Registry<PatternEntry> registry("traffic pattern", [] {
    std::vector<PatternEntry> all;
#define FLITMEND_PATTERN(x) all.push_back(x##_pattern());
#include "testbench/traffic/patterns.def"
#undef FLITMEND_PATTERN
    return all;
  }());
  return registry;
}

std::unique_ptr<DestinationPattern> make_pattern(const PatternContext& context) {
  return make_pattern(traffic_patterns().at(context.settings.pattern), context);
}

std::unique_ptr<DestinationPattern> make_pattern(const PatternEntry& entry, const PatternContext& context) {
  constexpr const char* kKey = "traffic.pattern";
  const std::string name(entry.name), network = context.topology.description();
  if (entry.applies_to && !entry.applies_to(context.topology))
    throw KeyError(kKey, name + " needs " + std::string(entry.needs) + ", which the " + network +
                             " does not have; choose another pattern or size");
  if (context.settings.options.flag(kIncludeSelfOption) && !entry.has_option("include_self"))
    throw KeyError("traffic.include_self", "not an option of pattern " + name + "; remove it");
  std::unique_ptr<DestinationPattern> made = entry.make(context);
  for (NodeId node = 0; node < context.topology.node_count(); ++node)
    if (made->sends(node)) return made;
  throw KeyError(kKey, name + " on the " + network +
                           " leaves no node that sends: each is mapped to itself or to a faulty node; choose "
                           "another pattern or a larger network");
}

}  // namespace flitmend
