// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vector_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "base/errors.h"
#include "base/text.h"
#include "topologies/grid.h"

namespace flitmend {

bool is_kary_cube(const Topology& t) {
  return is_torus(t) && t.dimensions() <= KaryCube::kMaxDimensions &&
         std::all_of(t.radices().begin(), t.radices().end(),
                     [&](std::uint32_t radix) { return radix == t.radices().front(); });
}

KaryCube kary_cube_of(const Topology& t) {
  return KaryCube(t.radices().front(), static_cast<std::uint32_t>(t.dimensions()));
}

KaryCubeFaults kary_cube_faults(const FaultSet& faults) {
  const Topology& t = faults.topology();
  KaryCubeFaults found;
  for (RouterId router = 0; router < t.router_count(); ++router) {
    if (faults.router_faulty(router)) found.nodes.push_back(router);
    for (PortId port = 0; port < t.port_count(router); port = static_cast<PortId>(port + 2)) {
      const RouterPort far = *t.neighbour(router, port);
      if (faults.channel_faulty(router, port) || faults.channel_faulty(far.router, far.port))
        found.links.push_back({router, port / 2u});
    }
  }
  return found;
}

ProbabilityVectorTable::ProbabilityVectorTable(const KaryCube& cube, PvArithmetic arithmetic,
                                               const KaryCubeFaults& faults)
    : cube_(cube), rule_(cube.k(), cube.n(), arithmetic) {
  const std::size_t elements = std::size_t{cube.node_count()} * rule_.elements();
  if (elements > kMaxElements)
    throw ConfigurationError(formatted(
        "probability vectors: those of the %1% have %2% elements, more than 1 GiB; use a smaller k or n",
        cube.description(), elements));
  vectors_.resize(elements);
  set_faults(faults);
}

void ProbabilityVectorTable::set_faults(const KaryCubeFaults& faults) {
  const Node nodes = cube_.node_count();
  faulty_.assign(nodes, 0);
  usable_.assign(nodes, cube_.all_ports());
  unreachable_.clear();
  for (Node node : faults.nodes) faulty_[node] = 1;
  for (Node node : faults.nodes) {
    for (unsigned port = 0; port < cube_.ports(); ++port)
      usable_[cube_.neighbour(node, port)] &= ~(PortMask{1} << (port ^ 1));
    usable_[node] = 0;
  }
  for (const KaryCubeFaults::Link& link : faults.links) {
    usable_[link.node] &= ~(PortMask{1} << 2 * link.dimension);
    usable_[cube_.neighbour(link.node, 2 * link.dimension)] &= ~(PortMask{1} << (2 * link.dimension + 1));
  }
  exchange();
}

void ProbabilityVectorTable::add_unreachable(Node detector, Node destination) {
  for (PortMask ports = usable_[detector]; ports; ports &= ports - 1)
    if (cube_.neighbour(detector, static_cast<unsigned>(std::countr_zero(ports))) == destination) return;
  const std::pair entry{detector, destination};
  const auto at = std::lower_bound(unreachable_.begin(), unreachable_.end(), entry);
  if (at != unreachable_.end() && *at == entry) return;
  unreachable_.insert(at, entry);
  exchange();
}

bool ProbabilityVectorTable::known_unreachable(Node node, Node destination) const {
  return std::binary_search(unreachable_.begin(), unreachable_.end(), std::pair{node, destination});
}

void ProbabilityVectorTable::exchange() {
  const Node nodes = cube_.node_count();
  const unsigned elements = rule_.elements();
  // The destination of a detected loop counts once in |F_A|; a neighbour across a faulty port is already
  // included.
  std::size_t learnt = 0;
  for (Node node = 0; node < nodes; ++node) {
    unsigned faulty_set = cube_.ports() - static_cast<unsigned>(std::popcount(usable_[node]));
    for (; learnt < unreachable_.size() && unreachable_[learnt].first == node; ++learnt)
      if (cube_.lee_distance(node, unreachable_[learnt].second) > 1) ++faulty_set;
    vectors_[std::size_t{node} * elements] = rule_.first_element(faulty_set);
  }
  // Exchange l − 1 gives element l of every node, from element l − 1 of the neighbours.
  std::array<const double*, 2 * KaryCube::kMaxDimensions> neighbours;
  for (unsigned l = 2; l <= elements; ++l)
    for (Node node = 0; node < nodes; ++node) {
      if (faulty_[node]) continue;
      for (unsigned port = 0; port < cube_.ports(); ++port)
        neighbours[port] = usable_[node] >> port & 1 ? vector(cube_.neighbour(node, port)) : nullptr;
      vectors_[std::size_t{node} * elements + l - 1] = rule_.element(l, neighbours.data());
    }
}

}  // namespace flitmend
