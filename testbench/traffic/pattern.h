// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/random_stream.h"
#include "base/registry.h"
#include "testbench/traffic/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// The nodes that send and receive: all except those that are faulty from the start.
class Participants {
 public:
  explicit Participants(NodeId nodes, std::span<const NodeId> dead = {});

  NodeId count() const { return static_cast<NodeId>(live_.size()); }
  bool contains(NodeId node) const { return place_[node] != kDead; }
  /// One of them, with equal probability; count() ≥ 1.
  NodeId draw(RandomStream& random) const { return live_[random.below(count())]; }
  /// One of them except `self`, which must be one of them; count() ≥ 2.
  NodeId draw_other(NodeId self, RandomStream& random) const {
    const NodeId i = random.below(count() - 1);
    return live_[i + (i >= place_[self])];
  }

 private:
  static constexpr NodeId kDead = ~NodeId{0};
  std::vector<NodeId> live_;
  std::vector<NodeId> place_;  ///< index in live_
};

/// Destinations of messages. Shared by all nodes and immutable; random destinations are drawn from the stream
/// of the sending node.
class DestinationPattern {
 public:
  virtual ~DestinationPattern() = default;
  /// Whether that node sends at all.
  virtual bool sends(NodeId source) const = 0;
  /// Destination of the next message of a node that sends.
  virtual NodeId destination(NodeId source, RandomStream&) const = 0;
  /// Adds to each node the part of `rate` that a node that sends sends there. Drawn, unless a pattern knows
  /// better.
  virtual void add_rates(NodeId source, double rate, std::vector<double>& to) const;
};

/// Parameters of a pattern.
struct PatternContext {
  const Topology& topology;
  const TrafficSettings& settings;
  const Participants& participants;  ///< outlives the pattern
};

/// A traffic pattern that a configuration can name: defined in a file of this folder, listed in
/// testbench/traffic/patterns.def.
struct PatternEntry {
  std::string_view name;
  std::string_view description;
  /// What it needs ("equal radices"); empty: nothing. With applies_to, a requirement on the network.
  std::string_view needs = "";
  bool (*applies_to)(const Topology&) = nullptr;  ///< null: any network
  std::vector<const OptionKey*> options = {};     ///< of section traffic, that it reads
  std::vector<TrafficSettings> examples = {};     ///< values of its options that the generic tests go through
  bool permutation = false;  ///< every node has one destination, and no two nodes the same
  /// The network is one that it applies to. Throws ConfigurationError if an option does not fit.
  std::unique_ptr<DestinationPattern> (*make)(const PatternContext&);

  bool has_option(std::string_view key) const;
};

/// include_self, an option of patterns with random destinations.
extern const OptionKey kIncludeSelfOption;

const Registry<PatternEntry>& traffic_patterns();

/// The pattern that the settings name. Throws ConfigurationError, even if no node would send.
std::unique_ptr<DestinationPattern> make_pattern(const PatternContext&);
/// The same for a given pattern, registered or not; ignores settings.pattern.
std::unique_ptr<DestinationPattern> make_pattern(const PatternEntry&, const PatternContext&);

/// Every other node with equal probability, 1/(N − 1); with include_self every node, 1/N.
class UniformPattern : public DestinationPattern {
 public:
  UniformPattern(const Participants& participants, bool include_self)
      : participants_(participants), include_self_(include_self) {}

  bool sends(NodeId source) const override {
    return participants_.contains(source) && (include_self_ || participants_.count() > 1);
  }
  NodeId destination(NodeId source, RandomStream& random) const override {
    return include_self_ ? participants_.draw(random) : participants_.draw_other(source, random);
  }
  void add_rates(NodeId source, double rate, std::vector<double>& to) const override;

 private:
  const Participants& participants_;
  bool include_self_;
};

/// A share of all messages goes to the hot nodes with equal probability, the rest is uniform [Pfister85]. If
/// a node is the only hot node, it sends uniformly, unless it may send to itself.
class HotspotPattern : public DestinationPattern {
 public:
  /// Throws ConfigurationError if a hot node is not in the network or listed twice, or if all are faulty.
  explicit HotspotPattern(const PatternContext&);

  bool sends(NodeId source) const override { return uniform_.sends(source); }
  NodeId destination(NodeId source, RandomStream&) const override;
  const std::vector<NodeId>& hot_nodes() const { return hot_; }

 private:
  UniformPattern uniform_;
  double fraction_;
  bool include_self_;
  std::vector<NodeId> hot_;
  std::vector<NodeId> hot_place_;  ///< index of each node in hot_; hot_.size(): none
};

}  // namespace flitmend
