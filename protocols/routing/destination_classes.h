// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// A routing function that tells fewer destinations apart than there are. At every router the destinations
/// fall into classes:
///
/// - Without faults, heads that differ only in their destination have the same initial states and the same
///   candidates if both destinations are of the same class there.
/// - If a candidate of a head for d leads from router r to router s, then one of those that represent the
/// class
///   of d at s is of d's class at r, too.
///
/// So the routes of all messages are found by following classes from router to router: with c classes at each
/// of N routers, N · c steps do instead of N². The routing function does not look at arrivals. A test holds
/// every function to this; the deadlock checker checks samples.
class DestinationClasses {
 public:
  /// Appends at least one destination of every class at a router or switch. The first of a class is best the
  /// nearest: a message to it can come from wherever one to any other can.
  virtual void add_representatives(RouterId here, std::vector<NodeId>& nodes) const = 0;
  /// Two destinations are of the same class at a router if these are equal.
  virtual std::uint64_t destination_class(RouterId here, NodeId destination) const = 0;

 protected:
  ~DestinationClasses() = default;
};

/// What a routing function declares; null: nothing.
inline const DestinationClasses* destination_classes(const RoutingFunction& routing) {
  return routing.looks_at_arrival() ? nullptr : dynamic_cast<const DestinationClasses*>(&routing);
}

}  // namespace flitmend
