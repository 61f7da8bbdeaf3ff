// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "rtl_tlm/context.h"

namespace flitmend {

/// Retries without success after which a sender asks the management of the network whether it can succeed.
inline constexpr std::uint32_t kRetriesBeforeQuestion = 16;
/// A wait after which it asks earlier: the question costs little next to it.
inline constexpr Cycle kLongWait = 100'000;
/// Heads without a route after which it asks, too.
inline constexpr std::uint32_t kHeadsBeforeQuestion = 2;

/// Whether every message from one node to another arrives with the permanent faults alone, once all others
/// are repaired: the destination is not permanently dead, and the routing algorithm leads every head to it,
/// whatever candidate it takes. The management of the network, which knows the permanent faults, answers.
/// The later routes are unknown while an algorithm that routes by the set of all faults has transient ones in
/// it, or waits for new tables or vectors. A path of healthy links is then enough. Takes as long as a search
/// from one node to the other.
bool connected(const NetworkContext&, NodeId from, NodeId to);

/// How often the wait before the next try is doubled after `heads` heads that found no route.
inline unsigned doublings_without_route(std::uint32_t heads, unsigned most) {
  return heads > kHeadsBeforeQuestion ? std::min(heads - kHeadsBeforeQuestion, std::uint32_t{most}) : 0;
}

/// A wait, doubled: at most 2^30 cycles.
inline std::uint32_t doubled(std::uint32_t wait, unsigned doublings) {
  return static_cast<std::uint32_t>(std::min(std::uint64_t{wait} << doublings, std::uint64_t{1} << 30));
}

/// When a sender stops trying.
struct RetryLimit {
  std::uint32_t most = 0;  ///< retries; 0: no limit while there is a connection

  /// After `retries` retries without success. With `answered` the answers need a connection too. `wait`: the
  /// last wait in cycles; from kLongWait on, the management is asked at once.
  bool reached(const NetworkContext&, NodeId from, NodeId to, std::uint32_t retries, bool answered,
               Cycle wait = 0) const;
  /// After `heads` heads that found no route.
  bool reached_without_route(const NetworkContext&, NodeId from, NodeId to, std::uint32_t heads) const;
};

}  // namespace flitmend
