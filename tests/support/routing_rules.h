// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "protocols/routing/settings.h"
#include "rtl_tlm/fabric/fabric.h"
#include "topologies/topology.h"

namespace flitmend {

/// A hop of a message from one router to the next.
struct ObservedHop {
  RouterId from;
  PortId port;
  unsigned vc;
};

/// The hops that a message has made so far.
struct ObservedWay {
  NodeId source = 0;
  NodeId destination = 0;
  std::vector<ObservedHop> hops;
};

/// Which turns a message may make, and on which virtual channels, by the definition of a routing algorithm.
/// Written from the definitions, for messages that have crossed a network: no routing function is asked, and
/// no register of a head read.
class RoutingRule {
 public:
  virtual ~RoutingRule() = default;
  /// What is wrong with the last hop of a path all of whose earlier hops were right; empty if nothing is.
  virtual std::string violation(const ObservedWay&) const = 0;
};

/// The rule of an algorithm on a network with this many virtual channels; null if none is written for it. The
/// topology must outlive it.
std::unique_ptr<RoutingRule> routing_rule(const Topology&, const RoutingSettings&, unsigned virtual_channels);
/// The algorithms that have one.
std::vector<std::string> algorithms_with_rules();

/// Reads from the channels of a fabric where every head goes, and judges it by a rule.
class RuleWatch : private MessageObserver {
 public:
  RuleWatch(Fabric&, std::unique_ptr<RoutingRule>);

  /// After every cycle.
  void look();
  /// Hops that it has judged.
  std::uint64_t hops() const { return hops_; }
  /// Hops that broke the rule. The rest of the path of such a message is not judged.
  std::uint64_t violations() const { return violations_; }
  /// What was wrong, each thing once.
  const std::set<std::string>& what() const { return what_; }
  /// The first one, with its place.
  const std::string& first() const { return first_; }

 private:
  void message_created(MessageIndex index, const Message& m) override {
    ObservedWay& way = ways_[index];
    way.source = m.source;
    way.destination = m.destination;
    way.hops.clear();
  }
  void judge(MessageIndex, const ObservedHop&);

  struct Wire {
    const Channel* channel;
    RouterId router;
    PortId port;
  };

  Fabric& fabric_;
  std::unique_ptr<RoutingRule> rule_;
  std::vector<Wire> wires_;                             ///< every channel between routers
  std::unordered_map<MessageIndex, ObservedWay> ways_;  ///< of the messages that are judged
  std::uint64_t hops_ = 0;
  std::uint64_t violations_ = 0;
  std::set<std::string> what_;
  std::string first_;
};

}  // namespace flitmend
