// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/registry.h"

#include <algorithm>

#include "base/text.h"
#include "protocols/routing/reconfiguration.h"

namespace flitmend {
namespace {

/// The entry that the settings name; checks that topology and options fit.
const RoutingEntry& fitting_entry(const Topology& t, const RoutingSettings& s) {
  const RoutingEntry& entry = routing_algorithms().at(s.algorithm);
  if (!entry.applies_to(t)) {
    std::vector<std::string_view> others;
    for (const RoutingEntry& e : routing_algorithms().entries())
      if (e.applies_to(t)) others.push_back(e.name);
    const std::string dimensions = entry.dimensions_text();
    throw KeyError("routing.algorithm", s.algorithm + " is defined for " + joined(entry.topologies()) +
                                            (dimensions.empty() ? "" : " " + dimensions) + ", not for " +
                                            with_article(t.description()) +
                                            "; choose one of: " + joined(others));
  }
  entry.check_options(t, s);
  return entry;
}

}  // namespace

const char* to_string(DeadlockProof proof) {
  switch (proof) {
    case DeadlockProof::dependency_graph:
      return "channel dependency graph";
    case DeadlockProof::escape_channels:
      return "escape channels";
    case DeadlockProof::none:
      return "none";
  }
  return "";
}

const char* to_string(Adaptivity adaptivity) {
  switch (adaptivity) {
    case Adaptivity::deterministic:
      return "deterministic";
    case Adaptivity::partial:
      return "partially adaptive";
    case Adaptivity::full:
      return "fully adaptive";
  }
  return "";
}

std::string RoutingProperties::virtual_channels_text() const {
  constexpr std::size_t kMostNames = 8;
  return counted(virtual_channels, "virtual channel") +
         (virtual_channels > 1 && vc_classes.size() <= kMostNames ? " (" + joined(vc_classes) + ")" : "");
}

bool RoutingEntry::applies_to(const Topology& t) const {
  return structure(t) && dimensions.min <= t.dimensions() && t.dimensions() <= dimensions.max;
}

bool RoutingEntry::has(const OptionKey& key) const {
  return std::any_of(options.begin(), options.end(), [&](const RoutingOption& o) { return o.key == &key; });
}

void RoutingEntry::check_options(const Topology& t, const RoutingSettings& s) const {
  const auto has_default = [](const OptionValues::Given::value_type& given) {
    for (const OptionKey* known : routing_options())
      if (known->name() == given.first) return given.second == known->initial();
    return false;
  };
  for (const auto& given : s.options.given()) {
    const std::string key = "routing." + given.first;
    const auto option = std::find_if(options.begin(), options.end(),
                                     [&](const RoutingOption& o) { return o.key->name() == given.first; });
    if (option == options.end()) {
      if (has_default(given)) continue;
      throw KeyError(key, "not an option of " + std::string(name) + "; remove it");
    }
    if (given.second == option->key->initial()) continue;
    if (option->applies_to && !option->applies_to(t))
      throw KeyError(key, "not an option of " + std::string(name) + " on " + with_article(t.description()) +
                              "; remove it");
    if (const char* const why = option->conflict ? option->conflict(s) : nullptr) throw KeyError(key, why);
  }
  if (check) check(t, s);
}

std::vector<std::string_view> RoutingEntry::topologies() const {
  std::vector<std::string_view> names;
  for (const TopologyEntry& entry : flitmend::topologies().entries())
    if (structure(*entry.make(entry.default_size))) names.push_back(entry.name);
  return names;
}

std::string RoutingEntry::dimensions_text() const {
  const auto [least, most] = dimensions;
  if (least == most) return "of " + counted(least, "dimension");
  if (most < kMaxDimensions) return formatted("of %1% to %2% dimensions", least, most);
  return least == 1 ? "" : formatted("of at least %1% dimensions", least);
}

#define FLITMEND_ROUTING(x) RoutingEntry x##_routing();
#include "protocols/routing/algorithms.def"
#undef FLITMEND_ROUTING

const Registry<RoutingEntry>& routing_algorithms() {
  static const Registry<RoutingEntry> registry("routing algorithm", [] {
    std::vector<RoutingEntry> all;
#define FLITMEND_ROUTING(x) all.push_back(x##_routing());
#include "protocols/routing/algorithms.def"
#undef FLITMEND_ROUTING
    return all;
  }());
  return registry;
}

const std::vector<const OptionKey*>& routing_options() {
  static const std::vector<const OptionKey*> all = [] {
    std::vector<const OptionKey*> keys;
    for (const RoutingEntry& entry : routing_algorithms().entries())
      for (const RoutingOption& option : entry.options) add_option(keys, option.key, "routing");
    return keys;
  }();
  return all;
}

std::unique_ptr<Topology> example_network(const TopologyEntry& topology, const RoutingEntry& routing) {
  std::unique_ptr<Topology> network = topology.make(topology.default_size);
  for (const NetworkSettings& size : topology.examples) {
    if (routing.applies_to(*network)) break;
    network = topology.make(size);
  }
  return network;
}

RoutingProperties routing_properties(const Topology& t, const RoutingSettings& s) {
  return fitting_entry(t, s).properties(t, s);
}

std::unique_ptr<RoutingFunction> make_routing(const Topology& t, unsigned vcs, const RoutingSettings& s) {
  const RoutingEntry& entry = fitting_entry(t, s);
  const RoutingProperties properties = entry.properties(t, s);
  if (vcs < 1 || vcs > kMaxVirtualChannels)
    throw KeyError("router.virtual_channels",
                   formatted("%1%; a physical channel has 1 to %2%", vcs, kMaxVirtualChannels));
  if (vcs < properties.virtual_channels)
    throw KeyError("routing.algorithm",
                   formatted("%1% on %2% needs %3%, router.virtual_channels is %4%; set it to %5% or more",
                             s.algorithm, with_article(t.description()), properties.virtual_channels_text(),
                             vcs, properties.virtual_channels),
                   {"router.virtual_channels"});
  std::unique_ptr<RoutingFunction> routing = entry.make(t, vcs, s);
  if (entry.has(kReconfigurationOption) && drains_first(s.options)) routing->require_management();
  return routing;
}

}  // namespace flitmend
