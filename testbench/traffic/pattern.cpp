// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/pattern.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "testbench/traffic/node_names.h"

namespace flitmend {

void DestinationPattern::add_rates(NodeId source, double rate, std::vector<double>& to) const {
  constexpr unsigned kDraws = 1024;
  RandomStream random(0, RandomPurpose::destination, source);
  for (unsigned draw = 0; draw < kDraws; ++draw) to[destination(source, random)] += rate / kDraws;
}

void UniformPattern::add_rates(NodeId source, double rate, std::vector<double>& to) const {
  const double part = rate / (participants_.count() - !include_self_);
  for (NodeId node = 0; node < to.size(); ++node)
    if (participants_.contains(node) && (include_self_ || node != source)) to[node] += part;
}

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

PatternEntry uniform_pattern() {
  return {
      .name = "uniform",
      .description = "every other node with equal probability (include_self: every node)",
      .options = {&kIncludeSelfOption},
      .examples = {{.options = {{"include_self", true}}}},
      .make = [](const PatternContext& c) -> std::unique_ptr<DestinationPattern> {
        return std::make_unique<UniformPattern>(c.participants, c.settings.options.flag(kIncludeSelfOption));
      },
  };
}

namespace {
constexpr OptionKey kHotspotNodesOption{
    .key = {"hotspot_nodes", "", "Hot nodes (hotspot); empty: the node in the middle, coordinates k/2.",
            kAlways},
    .values = OptionKey::Nodes{}};
constexpr OptionKey kHotspotFractionOption{
    .key = {"hotspot_fraction", "", "Share of messages that go to a hot node (hotspot); the rest is uniform.",
            kAlways},
    .values = OptionKey::Real{.initial = 0.1, .range = {0, 1}}};
constexpr const char* kHotNodes = "traffic.hotspot_nodes";
}  // namespace

HotspotPattern::HotspotPattern(const PatternContext& context)
    : uniform_(context.participants, context.settings.options.flag(kIncludeSelfOption)),
      fraction_(context.settings.options.real(kHotspotFractionOption)),
      include_self_(context.settings.options.flag(kIncludeSelfOption)) {
  const Topology& topology = context.topology;
  std::vector<NodeId> named;
  for (const NodeName& name : context.settings.options.nodes(kHotspotNodesOption)) {
    const std::optional<NodeId> node = find_node(name, topology);
    if (!node) throw KeyError(kHotNodes, no_such_node(name, topology));
    named.push_back(*node);
  }
  if (named.empty()) named.push_back(middle_node(topology));
  std::vector<bool> seen(topology.node_count());
  for (NodeId node : named) {
    if (seen[node])
      throw KeyError(kHotNodes, formatted("node %1% is listed twice; list each hot node once", node));
    seen[node] = true;
    if (context.participants.contains(node)) hot_.push_back(node);
  }
  if (hot_.empty()) throw KeyError(kHotNodes, "every hot node is faulty from the start; list a healthy one");
  hot_place_.assign(topology.node_count(), static_cast<NodeId>(hot_.size()));
  for (NodeId i = 0; i < hot_.size(); ++i) hot_place_[hot_[i]] = i;
}

NodeId HotspotPattern::destination(NodeId source, RandomStream& random) const {
  const auto hot = static_cast<NodeId>(hot_.size());
  const NodeId own = include_self_ ? hot : hot_place_[source];
  const NodeId others = hot - (own < hot);
  if (others == 0 || random.uniform() >= fraction_) return uniform_.destination(source, random);
  const NodeId i = random.below(others);
  return hot_[i + (i >= own)];
}

PatternEntry hotspot_pattern() {
  return {
      .name = "hotspot",
      .description = "a share of the messages goes to the hot nodes, the rest is uniform",
      .options = {&kIncludeSelfOption, &kHotspotNodesOption, &kHotspotFractionOption},
      .examples = {{.options = {{"hotspot_nodes", std::vector<NodeName>{{{0}, true}, {{1}, true}}},
                                {"hotspot_fraction", 0.3}}},
                   {.options = {{"include_self", true}, {"hotspot_fraction", 1.0}}}},
      .make = [](const PatternContext& c) -> std::unique_ptr<DestinationPattern> {
        return std::make_unique<HotspotPattern>(c);
      },
  };
}

}  // namespace flitmend
