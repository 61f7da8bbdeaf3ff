// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/random_stream.h"
#include "testbench/traffic/participants.h"
#include "testbench/traffic/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// Destinations of messages. Shared by all nodes and immutable; random destinations are drawn from the stream
/// of the sending node.
class DestinationPattern {
 public:
  virtual ~DestinationPattern() = default;
  /// Whether that node sends at all.
  virtual bool sends(NodeId source) const = 0;
  /// Destination of the next message of a node that sends.
  virtual NodeId destination(NodeId source, RandomStream&) const = 0;
};

/// Parameters of a pattern.
struct PatternContext {
  const Topology& topology;
  const TrafficSettings& settings;
  const Participants& participants;  ///< outlives the pattern
};

}  // namespace flitmend
