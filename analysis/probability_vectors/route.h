// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/detours.h"
#include "protocols/routing/probability_vector_table.h"

namespace flitmend {

/// How a message is routed.
struct PvRouting {
  PvMemory memory = PvMemory::no_return;
  PvTies ties = PvTies::lowest;
  PvLoopLimit loop_limit = PvLoopLimit::printed;
  /// A number of hops instead, at most 10^8; the other limits too are cut to that.
  std::optional<std::uint64_t> detour_limit;
  /// After a loop, the node that detected it adds the destination to its faulty set, unless it is a neighbour
  /// that it can reach, and the exchange runs again for the messages that follow [AlSadi03 section 3].
  bool learn_from_loops = false;
};

enum class PvStatus { delivered, failed, looping };
std::string_view to_string(PvStatus);

struct PvRoute {
  PvStatus status = PvStatus::failed;
  std::uint64_t hops = 0;            ///< links crossed; the limit for a looping message
  KaryCube::Node last = 0;           ///< where it ended
  std::vector<KaryCube::Node> path;  ///< source … last, at most 10^6 nodes; empty if not requested
};

/// Routes messages one after another over a table of vectors, and holds what a message remembers. Not
/// thread-safe.
class PvRouter {
 public:
  using Node = KaryCube::Node;

  static constexpr std::uint64_t kMaxDetour = 100'000'000;
  static constexpr std::size_t kMaxRecorded = 1'000'000;

  /// Hops beyond its distance after which a message counts as looping; `fault_count`: f. Throws
  /// ConfigurationError if a requested limit is above kMaxDetour.
  static std::uint64_t detour_limit(const PvRouting&, const KaryCube&, std::size_t fault_count);

  /// Throws as detour_limit() does.
  PvRouter(const ProbabilityVectorTable& table, const PvRouting& routing, std::size_t fault_count);

  /// Both ends are healthy. `random`: for random ties, else null. O(n) per hop. With fixed ties, a message
  /// that returns to the same state (node, port of arrival) would loop forever, so it counts as looping at
  /// once, unless its path or its last node is requested.
  PvRoute route(Node source, Node destination, RandomStream* random, bool record_path = false);
  /// Hops after which a message to that distance counts as looping.
  std::uint64_t hop_limit(std::uint32_t lee_distance) const { return lee_distance + detour_limit_; }

 private:
  class Offsets;

  const ProbabilityVectorTable& table_;
  PvRouting routing_;
  std::uint64_t detour_limit_;
  std::vector<std::uint32_t> visited_in_;  ///< number of the last message that visited a node
  std::uint32_t message_ = 0;
};

/// One message over named faults. Throws ConfigurationError if an end is faulty.
PvRoute route_one(const ProbabilityVectorTable&, const PvRouting&, std::size_t fault_count,
                  KaryCube::Node source, KaryCube::Node destination, std::uint64_t seed);

/// What becomes of a message of every ordered pair of different healthy nodes, if the vectors alone route it.
struct PvAllPairs {
  std::uint64_t failed = 0;
  std::uint64_t looping = 0;
  Detours delivered;
  std::uint64_t pairs() const { return failed + looping + delivered.count(); }
};

/// Routes them as probability_routing_statistics() does with its defaults. O(N² · hops).
PvAllPairs route_all_pairs(const ProbabilityVectorTable&, std::size_t fault_count);

}  // namespace flitmend
