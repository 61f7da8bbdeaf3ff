// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/up_down_table.h"

namespace flitmend {

/// A virtual network around all faults, in which routing is up*/down* (UpDownTable), for algorithms that send
/// messages there when they have no other way. A message that is in it stays in it.
///
/// h: bit 63: in the fault network; bit 62: it has gone down there. The algorithm may use the others until
/// then.
class FaultNetwork {
 public:
  /// Without faults. Throws KeyError if the topology is too large for the table; `algorithm`: named then.
  FaultNetwork(const Topology&, const char* algorithm);

  /// Throws as the constructor does.
  static void check_size(const Topology&, const char* algorithm);

  void update(const FaultSet& faults) { table_.update(faults); }
  /// Whether a message with that routing state is in it.
  static bool contains(std::uint64_t h) { return h & kInside; }
  /// Whether a message that is not in it could reach its destination in it.
  bool leads_on(const RouteRequest& request) const {
    return table_.distance(request.here, false, request.destination) != UpDownTable::kNone;
  }
  /// All healthy hops on the shortest permitted ways, as escape candidates of that class and preference.
  void push(const RouteRequest&, std::uint8_t vc_class, std::uint8_t preference, CandidateList&) const;

 private:
  static constexpr std::uint64_t kInside = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kHasGoneDown = std::uint64_t{1} << 62;

  const Topology& topology_;
  UpDownTable table_;
};

}  // namespace flitmend
