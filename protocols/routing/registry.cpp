// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/registry.h"

#include <algorithm>

#include "base/text.h"
#include "protocols/routing/dimension_order.h"
#include "protocols/routing/duato.h"
#include "protocols/routing/hybrid_dor.h"
#include "protocols/routing/tfar.h"
#include "protocols/routing/vc_classes.h"
#include "protocols/routing/west_first.h"

namespace flitmend {
namespace {

const Grid& grid(const Topology& t) {
  return dynamic_cast<const Grid&>(t);
}
bool is_torus(const Topology& t) {
  return t.name() == "torus";
}

RoutingNeeds dimension_order_needs(const Topology& t, const RoutingSettings& s) {
  if (is_torus(t) && s.dateline == "halves")
    return {2, "before and after the dateline", DeadlockProof::escape_channels, true};
  if (is_torus(t)) return {2, "before and after the dateline"};
  if (s.dateline != RoutingSettings{}.dateline)
    throw KeyError("routing.dateline", s.dateline + " applies only to a torus, not to a " +
                                           std::string(t.name()) + "; remove it");
  return {1, "any"};
}
std::unique_ptr<RoutingFunction> make_dimension_order(const Topology& t, unsigned vcs,
                                                      const RoutingSettings& s) {
  using Dateline = DimensionOrder::Dateline;
  if (!is_torus(t)) return std::make_unique<DimensionOrder>(grid(t), spread_evenly(vcs, 1), Dateline::none);
  std::vector<VcMask> masks = spread_evenly(vcs, 2);
  if (s.dateline == "balanced")
    return std::make_unique<DimensionOrder>(grid(t), std::move(masks), Dateline::balanced);
  if (s.dateline == "halves") {
    masks.push_back(masks[0] | masks[1]);
    return std::make_unique<DimensionOrder>(grid(t), std::move(masks), Dateline::halves);
  }
  return std::make_unique<DimensionOrder>(grid(t), std::move(masks), Dateline::strict);
}

RoutingNeeds duato_needs(const Topology& t, const RoutingSettings&) {
  if (is_torus(t)) return {3, "2 escape with a dateline, 1 adaptive", DeadlockProof::escape_channels, true};
  return {2, "1 escape, 1 adaptive", DeadlockProof::escape_channels, true};
}
std::unique_ptr<RoutingFunction> make_duato(const Topology& t, unsigned vcs, const RoutingSettings&) {
  return std::make_unique<Duato>(grid(t), singles_then_rest(vcs, is_torus(t) ? 2 : 1));
}

RoutingNeeds tfar_needs(const Topology&, const RoutingSettings&) {
  return {1, "any", DeadlockProof::none, false};
}
std::unique_ptr<RoutingFunction> make_tfar(const Topology& t, unsigned vcs, const RoutingSettings&) {
  return std::make_unique<Tfar>(grid(t), spread_evenly(vcs, 1));
}

RoutingNeeds any_one_in_two_dimensions(const Topology& t, const RoutingSettings& s) {
  if (grid(t).dimensions() != 2)
    throw KeyError("routing.algorithm",
                   s.algorithm + " is defined for 2 dimensions, not for a " + t.description());
  return {1, "any"};
}
std::unique_ptr<RoutingFunction> make_west_first(const Topology& t, unsigned vcs, const RoutingSettings&) {
  return std::make_unique<WestFirst>(grid(t), spread_evenly(vcs, 1));
}

RoutingNeeds any_one(const Topology&, const RoutingSettings&) {
  return {1, "any"};
}
std::unique_ptr<RoutingFunction> make_hybrid_dor(const Topology& t, unsigned vcs, const RoutingSettings&) {
  return std::make_unique<HybridDor>(dynamic_cast<const Kns&>(t), spread_evenly(vcs, 1));
}

/// The entry that the settings name; checks that topology and options fit.
const RoutingEntry& fitting_entry(const Topology& t, const RoutingSettings& s) {
  const RoutingEntry& entry = routing_algorithms().at(s.algorithm);
  if (!entry.applies_to(t)) {
    std::vector<std::string_view> others;
    for (const RoutingEntry& e : routing_algorithms().entries())
      if (e.applies_to(t)) others.push_back(e.name);
    throw KeyError("routing.algorithm", s.algorithm + " is defined for " + joined(entry.topologies) +
                                            ", not for a " + t.description() + "; for " +
                                            std::string(t.name()) + " choose one of: " + joined(others));
  }
  const RoutingSettings defaults;
  if (s.dateline != defaults.dateline && !entry.has_option("dateline"))
    throw KeyError("routing.dateline", "not an option of " + s.algorithm + "; remove it");
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

bool RoutingEntry::applies_to(const Topology& t) const {
  return std::find(topologies.begin(), topologies.end(), t.name()) != topologies.end();
}
bool RoutingEntry::has_option(std::string_view key) const {
  return std::find(options.begin(), options.end(), key) != options.end();
}

const Registry<RoutingEntry>& routing_algorithms() {
  static const Registry<RoutingEntry> registry(
      "routing algorithm",
      {{"dimension-order",
        "deterministic, lowest dimension first (XY; e-cube on a hypercube); on a torus with dateline classes",
        {"mesh", "torus", "hypercube"},
        {"dateline"},
        "first",
        DeadlockProof::dependency_graph,
        true,
        false,
        dimension_order_needs,
        make_dimension_order},
       {"west-first",
        "partially adaptive, 2-D mesh: hops to the west first, then any productive port",
        {"mesh"},
        {},
        "most-free-vcs",
        DeadlockProof::dependency_graph,
        true,
        false,
        any_one_in_two_dimensions,
        make_west_first},
       {"duato",
        "fully adaptive minimal, with dimension order on the escape channels",
        {"mesh", "torus", "hypercube"},
        {},
        "most-free-vcs",
        DeadlockProof::escape_channels,
        true,
        true,
        duato_needs,
        make_duato},
       {"tfar",
        "true fully adaptive minimal: any productive port, any virtual channel; it can deadlock",
        {"mesh", "torus", "hypercube"},
        {},
        "random",
        DeadlockProof::none,
        true,
        false,
        tfar_needs,
        make_tfar},
       {"hybrid-dor",
        "deterministic, lowest dimension first, each through its switch",
        {"kns"},
        {},
        "first",
        DeadlockProof::dependency_graph,
        true,
        false,
        any_one,
        make_hybrid_dor}});
  return registry;
}

RoutingNeeds routing_needs(const Topology& t, const RoutingSettings& s) {
  return fitting_entry(t, s).needs(t, s);
}

std::unique_ptr<RoutingFunction> make_routing(const Topology& t, unsigned vcs, const RoutingSettings& s) {
  const RoutingEntry& entry = fitting_entry(t, s);
  const RoutingNeeds needs = entry.needs(t, s);
  if (vcs < 1 || vcs > kMaxVirtualChannels)
    throw KeyError("router.virtual_channels", std::to_string(vcs) + "; a physical channel has 1 to " +
                                                  std::to_string(kMaxVirtualChannels));
  if (vcs < needs.virtual_channels) {
    const std::string need = std::to_string(needs.virtual_channels);
    throw KeyError("routing.algorithm",
                   s.algorithm + " on a " + t.description() + " needs " + need + " virtual channels (" +
                       needs.classes + "), router.virtual_channels is " + std::to_string(vcs) +
                       "; set it to " + need + " or more",
                   {"router.virtual_channels"});
  }
  return entry.make(t, vcs, s);
}

}  // namespace flitmend
