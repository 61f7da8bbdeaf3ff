// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "protocols/recovery/lasting_connections.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/context.h"

namespace flitmend {

/// Judges from outside the model whether a sender had to abandon a message. It knows what has been done to
/// the network, and has a routing function of its own that knows the permanent faults only. It asks no
/// sender.
class AbandonmentJudge {
 public:
  /// `context`: of the fabric. It must outlive the judge.
  AbandonmentJudge(const NetworkContext& context, unsigned virtual_channels, const RoutingSettings&);

  bool source_dead(const Message&) const;
  /// Whether a request to send it again was lost permanently.
  bool request_lost(const Message&) const;
  /// Whether it cannot be expected to arrive, or its answer to return: one of the nodes is permanently
  /// dead, or with the permanent faults the routing algorithm has no route between them, or a choice that
  /// leads a head to a router without a candidate, as `flitmend check` counts such pairs.
  bool justified(const Message&);

 private:
  const NetworkContext& context_;
  std::unique_ptr<RoutingFunction> routing_;
  LastingConnections connections_;
  std::uint64_t fault_changes_ = 0;  ///< those that the routing function knows
};

}  // namespace flitmend
