// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/pattern_registry.h"

#include "testbench/traffic/hotspot.h"
#include "testbench/traffic/permutation.h"
#include "testbench/traffic/uniform.h"

namespace flitmend {
namespace {

using AnyPattern = std::unique_ptr<DestinationPattern>;

AnyPattern make_uniform(const PatternContext& c) {
  return std::make_unique<UniformPattern>(c.participants, c.settings.include_self);
}
AnyPattern make_hotspot(const PatternContext& c) {
  return std::make_unique<HotspotPattern>(c);
}
AnyPattern make_permutation(const PatternContext& c, std::vector<NodeId> partner) {
  if (c.settings.include_self)
    throw KeyError("traffic.include_self",
                   "applies only to the patterns uniform and hotspot; with " + c.settings.pattern +
                       ", a node that is mapped to itself sends nothing; remove the key");
  return std::make_unique<PermutationPattern>(std::move(partner), c.participants);
}
template <std::vector<NodeId> (*partners)(const Topology&)>
AnyPattern make_formula(const PatternContext& c) {
  return make_permutation(c, partners(c.topology));
}
AnyPattern make_from_file(const PatternContext& c) {
  return make_permutation(c, permutation_of_file(c.settings.permutation_file, c.topology));
}

constexpr std::string_view kPowerOfTwo = "2^b nodes";

}  // namespace

const Registry<PatternEntry>& traffic_patterns() {
  static const Registry<PatternEntry> registry(
      "traffic pattern",
      {{"uniform", "every other node with equal probability (include_self: every node)", "", make_uniform},
       {"transpose", "coordinates in reverse order; on a hypercube the halves of the address are swapped",
        "equal radices", make_formula<transpose>},
       {"bit-reversal", "bits of the node's number in reverse order", kPowerOfTwo,
        make_formula<bit_reversal>},
       {"shuffle", "perfect shuffle: bits of the node's number rotated left by one", kPowerOfTwo,
        make_formula<perfect_shuffle>},
       {"butterfly", "highest and lowest bit of the node's number swapped", kPowerOfTwo,
        make_formula<butterfly>},
       {"complement", "k - 1 - x in every dimension; if there are 2^b nodes, all bits inverted", "",
        make_formula<complement>},
       {"tornado", "x + ceil(k/2) - 1 mod k in every dimension", "a radix above 2", make_formula<tornado>},
       {"neighbour", "x + 1 mod k in every dimension", "", make_formula<neighbour>},
       {"hotspot", "a share of the messages goes to the hot nodes, the rest is uniform", "", make_hotspot},
       {"permutation", "pairs from a file", "permutation_file", make_from_file}});
  return registry;
}

std::unique_ptr<DestinationPattern> make_pattern(const PatternContext& context) {
  AnyPattern pattern = traffic_patterns().at(context.settings.pattern).make(context);
  for (NodeId node = 0; node < context.topology.node_count(); ++node)
    if (pattern->sends(node)) return pattern;
  throw KeyError("traffic.pattern",
                 context.settings.pattern + " on the " + context.topology.description() +
                     " leaves no node that sends: each is mapped to itself or to a faulty node");
}

}  // namespace flitmend
