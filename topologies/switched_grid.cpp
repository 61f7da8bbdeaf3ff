// SPDX-License-Identifier: Apache-2.0
#include "topologies/switched_grid.h"

#include <algorithm>

#include "base/text.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

std::vector<std::uint32_t> ends(const std::vector<Subnetwork>& subnetworks) {
  std::vector<std::uint32_t> k;
  for (const Subnetwork& s : subnetworks) k.push_back(s.k());
  return k;
}

}  // namespace

SwitchedGrid::SwitchedGrid(std::string_view name, std::vector<Subnetwork> subnetworks)
    : Topology(name),
      subnetworks_(std::move(subnetworks)),
      one_switch_each_(std::all_of(subnetworks_.begin(), subnetworks_.end(),
                                   [](const Subnetwork& s) { return s.one_switch(); })) {
  const bool one_way =
      std::any_of(subnetworks_.begin(), subnetworks_.end(), [](const Subnetwork& s) { return s.one_way(); });
  NodeId nodes = 1;
  for (const Subnetwork& s : subnetworks_) {
    stride_.push_back(nodes);
    nodes *= s.k();
  }
  const auto n = static_cast<unsigned>(subnetworks_.size());
  std::vector<PortId> ports(nodes, static_cast<PortId>(one_way ? 2 * n : n));
  for (const Subnetwork& s : subnetworks_) {
    first_switch_.push_back(static_cast<RouterId>(ports.size()));
    for (std::uint32_t line = 0; line < nodes / s.k(); ++line)
      for (std::uint32_t at = 0; at < s.switches(); ++at) ports.push_back(s.port_count(at));
  }
  first_switch_.push_back(static_cast<RouterId>(ports.size()));
  set_size(ends(subnetworks_), ports);
  for (NodeId node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < n; ++i) {
      const RouterPort in{node, static_cast<PortId>(i)};
      const RouterPort entry{switch_of(node, i), subnetworks_[i].entry(coordinate(node, i)).port};
      if (!subnetworks_[i].one_way()) {
        connect(in, entry);
        continue;
      }
      connect_one_way(in, entry);
      connect_one_way(exit_to(node, i), {node, static_cast<PortId>(n + i)});
    }
  for (unsigned i = 0; i < n; ++i)
    for (RouterId first = first_switch_[i]; first < first_switch_[i + 1]; first += subnetworks_[i].switches())
      connect_inside(first, subnetworks_[i]);
}

void SwitchedGrid::connect_inside(RouterId first, const Subnetwork& s) {
  for (std::uint32_t at = 0; at < s.switches(); ++at)
    for (std::uint32_t j = 0; !s.is_last(at) && j < s.arity(); ++j) {
      const Subnetwork::Port far = s.above(at, j);
      const RouterPort from{first + at, static_cast<PortId>(s.arity() + j)}, to{first + far.at, far.port};
      s.one_way() ? connect_one_way(from, to) : connect(from, to);
    }
}

std::vector<std::uint32_t> SwitchedGrid::coordinates(RouterId router) const {
  if (!is_switch(router)) return Topology::coordinates(router);
  const unsigned dimension = switch_dimension(router);
  std::vector<std::uint32_t> shared;
  std::uint32_t rest = (router - first_switch_[dimension]) / subnetworks_[dimension].switches();
  for (unsigned i = 0; i < dimensions(); ++i) {
    if (i == dimension) continue;
    shared.push_back(rest % radix(i));
    rest /= radix(i);
  }
  return shared;
}

std::optional<LinkDirection> SwitchedGrid::direction(RouterId router, PortId port) const {
  return LinkDirection{is_switch(router) ? switch_dimension(router) : port % dimensions(), 0};
}

std::string SwitchedGrid::router_name(RouterId router) const {
  if (!is_switch(router)) return Topology::router_name(router);
  const unsigned dimension = switch_dimension(router);
  std::string text = "switch_d" + std::to_string(dimension);
  for (std::uint32_t x : coordinates(router)) text += "_" + std::to_string(x);
  const Subnetwork& s = subnetworks_[dimension];
  if (s.one_switch()) return text;
  const std::uint32_t number = switch_number(router, dimension);
  return formatted("%1%_stage%2%_%3%", text, s.stage(number), s.position(number));
}

std::string SwitchedGrid::port_name(RouterId router, PortId port) const {
  if (port >= port_count(router)) return "local";
  if (is_switch(router)) {
    const unsigned dimension = switch_dimension(router);
    return subnetworks_[dimension].port_name(switch_number(router, dimension), port);
  }
  const unsigned dimension = port % dimensions();
  return "dim" + std::to_string(dimension) +
         (!subnetworks_[dimension].one_way() ? ""
          : port < dimensions()              ? "_out"
                                             : "_in");
}

std::uint32_t SwitchedGrid::distance(NodeId from, NodeId to) const {
  std::uint32_t channels = 0;
  for (unsigned i = 0; i < dimensions(); ++i)
    if (const std::uint32_t a = coordinate(from, i), b = coordinate(to, i); a != b)
      channels += subnetworks_[i].distance(a, b);
  return channels;
}

// The links of half the ends of every line. No cut between the stages has fewer channels: a fat tree carries
// every permutation, and of RUFT the tests try all cuts of small ones.
std::uint64_t SwitchedGrid::bisection_channels() const {
  std::uint64_t fewest = ~std::uint64_t{0};
  for (std::uint32_t k : radices())
    fewest = std::min(fewest, std::uint64_t{2} * (node_count() / k) * (k / 2));
  return fewest;
}

std::uint32_t SwitchedGrid::diameter() const {
  std::uint32_t channels = 0;
  for (const Subnetwork& s : subnetworks_) channels += s.distance(0, s.k() - 1);
  return channels;
}

bool is_switched_grid(const Topology& t) {
  return structure_of<SwitchedGrid>(t) != nullptr;
}

}  // namespace flitmend
