// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/route.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

std::string_view to_string(PvStatus status) {
  switch (status) {
    case PvStatus::delivered:
      return "delivered";
    case PvStatus::looping:
      return "looping";
    default:
      return "failed";
  }
}

/// The rest of the route to the destination, updated hop by hop: differences, preferred ports, Lee distance.
class PvRouter::Offsets {
 public:
  Offsets(const KaryCube& cube, Node from, Node to) : cube_(cube) {
    for (unsigned i = 0; i < cube.n(); ++i) {
      left_[i] = cube.difference(from, to, i);
      distance_ += cube.ring_distance(left_[i]);
      preferred_ |= cube.preferred_in_ring(left_[i]) << 2 * i;
    }
  }
  void move(unsigned port) {
    const unsigned i = port / 2;
    std::uint32_t& left = left_[i];
    distance_ -= cube_.ring_distance(left);
    if (port % 2 == 0)
      left = left == 0 ? cube_.k() - 1 : left - 1;
    else
      left = left + 1 == cube_.k() ? 0 : left + 1;
    distance_ += cube_.ring_distance(left);
    preferred_ = (preferred_ & ~(3u << 2 * i)) | cube_.preferred_in_ring(left) << 2 * i;
  }
  std::uint32_t distance() const { return distance_; }
  std::uint32_t preferred() const { return preferred_; }

 private:
  const KaryCube& cube_;
  std::array<std::uint32_t, KaryCube::kMaxDimensions> left_{};
  std::uint32_t distance_ = 0;
  std::uint32_t preferred_ = 0;
};

PvRouter::PvRouter(const ProbabilityVectorTable& table, const PvRouting& routing, std::size_t fault_count)
    : table_(table),
      routing_(routing),
      detour_limit_(detour_limit(routing, table.cube(), fault_count)),
      visited_in_(routing.memory == PvMemory::visited ? table.cube().node_count() : 0, 0) {}

std::uint64_t PvRouter::detour_limit(const PvRouting& routing, const KaryCube& cube,
                                     std::size_t fault_count) {
  if (!routing.detour_limit)
    return std::min(kMaxDetour, pv_detour_limit(routing.loop_limit, cube.k(), fault_count));
  if (*routing.detour_limit > kMaxDetour)
    throw ConfigurationError(
        formatted("probability routing: a detour limit of %1% hops; at most %2% are supported",
                  *routing.detour_limit, kMaxDetour));
  return *routing.detour_limit;
}

PvRoute PvRouter::route(Node source, Node destination, RandomStream* random, bool record_path) {
  const KaryCube& cube = table_.cube();
  Offsets left(cube, source, destination);
  const std::uint64_t limit = hop_limit(left.distance());
  const bool may_stop_early = routing_.ties == PvTies::lowest && !record_path && !routing_.learn_from_loops;
  PvRoute route;
  route.last = source;
  if (record_path) route.path.push_back(source);
  std::uint32_t back_ports = 0;
  // Brent's cycle search [Brent80]: a state stored some hops ago is met again.
  Node kept_node = source;
  std::uint32_t kept_ports = 0;
  std::uint64_t keep_next = 1;
  ++message_;

  while (route.last != destination) {
    const Node here = route.last;
    if (route.hops >= limit) {
      route.status = PvStatus::looping;
      return route;
    }
    if (routing_.learn_from_loops && table_.known_unreachable(here, destination)) return route;
    std::uint32_t forbidden = 0;
    if (routing_.memory == PvMemory::no_return) {
      forbidden = back_ports;
    } else if (routing_.memory == PvMemory::visited) {
      visited_in_[here] = message_;
      for (unsigned port = 0; port < cube.ports(); ++port)
        if (visited_in_[cube.neighbour(here, port)] == message_) forbidden |= 1u << port;
    }
    const int port =
        table_.next_hop(here, {left.distance(), left.preferred(), table_.usable_ports(here), forbidden},
                        routing_.ties, random);
    if (port < 0) return route;
    left.move(static_cast<unsigned>(port));
    route.last = cube.neighbour(here, static_cast<unsigned>(port));
    ++route.hops;
    if (record_path && route.path.size() < kMaxRecorded) route.path.push_back(route.last);
    back_ports = cube.ports_to_same_neighbour(static_cast<unsigned>(port) ^ 1u);

    if (!may_stop_early || routing_.memory == PvMemory::visited) continue;
    const std::uint32_t remembered = routing_.memory == PvMemory::no_return ? back_ports : 0;
    if (route.last == kept_node && remembered == kept_ports) {
      route.status = PvStatus::looping;
      route.hops = limit;
      return route;
    }
    if (route.hops == keep_next) {
      kept_node = route.last;
      kept_ports = remembered;
      keep_next *= 2;
    }
  }
  route.status = PvStatus::delivered;
  return route;
}

PvRoute route_one(const ProbabilityVectorTable& table, const PvRouting& routing, std::size_t fault_count,
                  KaryCube::Node source, KaryCube::Node destination, std::uint64_t seed) {
  const auto check = [&](const char* end, KaryCube::Node node) {
    if (table.faulty(node))
      throw ConfigurationError("probability routing: the " + std::string(end) + " " +
                               table.cube().label(node) + " is faulty; both ends of a route must be healthy");
  };
  check("source", source);
  check("destination", destination);
  RandomStream random(seed, RandomPurpose::selection);
  return PvRouter(table, routing, fault_count).route(source, destination, &random, true);
}

PvAllPairs route_all_pairs(const ProbabilityVectorTable& table, std::size_t fault_count) {
  const KaryCube& cube = table.cube();
  PvRouter router(table, {}, fault_count);
  PvAllPairs found{.delivered = Detours(cube.diameter())};
  for (KaryCube::Node source = 0; source < cube.node_count(); ++source) {
    if (table.faulty(source)) continue;
    for (KaryCube::Node destination = 0; destination < cube.node_count(); ++destination) {
      if (source == destination || table.faulty(destination)) continue;
      const PvRoute route = router.route(source, destination, nullptr);
      if (route.status == PvStatus::delivered)
        found.delivered.add(cube.lee_distance(source, destination), route.hops);
      else
        ++(route.status == PvStatus::failed ? found.failed : found.looping);
    }
  }
  return found;
}

}  // namespace flitmend
