// SPDX-License-Identifier: Apache-2.0
#include "topologies/kns.h"

#include "base/choices.h"
#include "base/errors.h"
#include "base/text.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr OptionKey kSubnetwork{.key = {"subnetwork", "", "What joins the k routers of a line.", kAlways},
                                .values = OptionKey::Word{.initial = "switch", .choices = kSubnetworkKinds}};
constexpr OptionKey kArity{
    .key = {"arity", "ports",
            "Of a fat tree: links down from each switch, and as many up. Of RUFT: inputs of each switch, and "
            "as many outputs. k is a power of it, with at least 2 stages. 0: none, for one switch.",
            kAlways},
    .values = OptionKey::Number{.initial = 0, .range = {0, kMaxSwitchPorts / 2}}};

std::vector<Subnetwork> equal_subnetworks(std::uint32_t k, std::uint32_t n, SubnetworkKind kind,
                                          std::uint32_t arity) {
  if (k < 2)
    throw KeyError("network.k", formatted("%1%; a KNS network needs at least 2 routers per switch", k));
  if (k > kMaxSwitchPorts)
    throw KeyError("network.k", formatted("%1%; a KNS switch has at most %2% ports", k, kMaxSwitchPorts));
  if (n < 1) throw KeyError("network.n", "0; a KNS network needs at least 1 dimension");
  std::uint64_t nodes = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    nodes *= k;
    if (nodes > kMaxNodes)
      throw KeyError(
          "network.k",
          formatted("KNS(%1%, %2%) has more than %3% nodes, the largest supported network; make it smaller",
                    k, n, kMaxNodes),
          {"network.n"});
  }
  const Subnetwork subnetwork(kind, k, arity);
  return std::vector<Subnetwork>(n, subnetwork);
}

}  // namespace

Kns::Kns(std::uint32_t k, std::uint32_t n, SubnetworkKind kind, std::uint32_t arity)
    : SwitchedGrid("kns", equal_subnetworks(k, n, kind, arity)) {}

std::string Kns::description() const {
  const std::string stages = subnetwork(0).description();
  return formatted("KNS(%1%, %2%)", k(), n()) + (stages.empty() ? "" : " ") + stages;
}

TopologyEntry kns_topology() {
  return {
      .name = "kns",
      .description =
          "KNS(k, n): k^n routers; in each dimension, groups of k routers share a k-port switch, a fat "
          "tree or a RUFT",
      .size_keys = {"k", "n", kSubnetwork.name(), kArity.name()},
      .options = {&kSubnetwork, &kArity},
      .default_size = {.k = 8, .n = 2},
      .examples = {{.k = 4, .n = 1},
                   {.k = 3, .n = 2},
                   {.k = 4, .n = 2},
                   {.k = 3, .n = 3},
                   {.k = 2, .n = 4},
                   {.k = 8, .n = 1, .options = {{"subnetwork", "fat-tree"}, {"arity", 2}}},
                   {.k = 4, .n = 2, .options = {{"subnetwork", "fat-tree"}, {"arity", 2}}},
                   {.k = 9, .n = 1, .options = {{"subnetwork", "ruft"}, {"arity", 3}}},
                   {.k = 4, .n = 2, .options = {{"subnetwork", "ruft"}, {"arity", 2}}}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        return std::make_unique<Kns>(
            static_cast<std::uint32_t>(s.k), static_cast<std::uint32_t>(s.n),
            static_cast<SubnetworkKind>(
                choice_index("network.subnetwork", kSubnetworkKinds, s.options.word(kSubnetwork))),
            static_cast<std::uint32_t>(s.options.number(kArity)));
      },
  };
}

}  // namespace flitmend
