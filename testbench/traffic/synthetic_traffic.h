// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>

#include "testbench/traffic/injection.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/message_source.h"
#include "testbench/traffic/pattern.h"
#include "testbench/traffic/settings.h"

namespace flitmend {

/// Synthetic traffic as the settings describe it: a destination pattern, an injection process and a length
/// distribution.
///
/// The load is that of each sending node. Nodes that a permutation maps to themselves send nothing, so the
/// load of the whole network is offered_load() flits per node per cycle.
class SyntheticTraffic {
 public:
  /// limit: flits per cycle that a node can inject (1 over an injection channel). dead: nodes that neither
  /// send nor receive, because they are faulty from the start. The settings and the topology must outlive
  /// this. Throws ConfigurationError if settings and network do not fit, or if the load is above the limit.
  /// flit_bits: as for capacity_flits, on which load_unit capacity depends.
  SyntheticTraffic(const TrafficSettings&, const Topology&, double limit, std::span<const NodeId> dead = {},
                   unsigned flit_bits = 0);
  SyntheticTraffic(const SyntheticTraffic&) = delete;
  SyntheticTraffic& operator=(const SyntheticTraffic&) = delete;

  /// The messages of one node in a run with that seed; must not outlive this. It has its own random numbers
  /// for arrivals, destinations and lengths, so what it sends does not depend on other nodes or on when it is
  /// called.
  std::unique_ptr<MessageSource> source(NodeId node, std::uint64_t seed) const;

  const DestinationPattern& pattern() const { return *pattern_; }
  const LengthDistribution& lengths() const { return *lengths_; }
  /// Flits per cycle of each sending node.
  double load() const { return injection_.load; }
  /// Nodes that send.
  NodeId senders() const { return senders_; }
  /// Expected flits per cycle and non-faulty node.
  double offered_load() const {
    return participants_.count() ? load() * senders_ / participants_.count() : 0.0;
  }

 private:
  class Source;
  Participants participants_;
  std::unique_ptr<DestinationPattern> pattern_;
  std::unique_ptr<LengthDistribution> lengths_;
  InjectionContext injection_;
  const InjectionEntry& process_;
  NodeId senders_ = 0;
};

/// The highest traffic.load, in its unit, that the injection process can offer if nodes inject up to `limit`
/// flits per cycle. Throws ConfigurationError if settings and topology do not fit.
double largest_load(const TrafficSettings&, const Topology&, double limit, unsigned flit_bits = 0);

}  // namespace flitmend
