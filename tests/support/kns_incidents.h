// SPDX-License-Identifier: Apache-2.0
// Faults in KNS networks that are discovered during the run.
#pragma once
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/random_stream.h"
#include "support/incidents.h"

namespace flitmend::test::kns {

inline constexpr NodeId kSource = 0;       // (0, 0)
inline constexpr NodeId kDestination = 5;  // (1, 1)
inline constexpr NodeId kCorner = 4;  // (0, 1): the intermediate node if the source cannot cross dimension 0
inline constexpr Cycle kRecomputation = 50;

inline Action link_fails(Cycle cycle, NodeId node, unsigned dimension) {
  return {cycle, [=](Fabric& f) { f.fail_link(node, static_cast<PortId>(dimension)); }};
}
inline Action node_dies(Cycle cycle, NodeId node) {
  return {cycle, [=](Fabric& f) { f.fail_router(node, true); }};
}

inline RoutingSettings intermediate_nodes() {
  RoutingSettings routing;
  routing.algorithm = "intermediate-nodes";
  routing.options = {{"recomputation_cycles", std::int64_t{kRecomputation}}};
  return routing;
}

/// Messages in both directions between two nodes and among others. `Where` has a network(), a KNS(4, 2), and
/// if these are others a hardware() and a routing().
template <class Where>
class KnsIncident : public Incident {
 public:
  KnsIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(Where::network(), hardware(), routing(),
                 recovery_protocols().at(protocol).make(impatient(), routing()), std::move(actions), number) {
  }

  bool quiet() const override { return Incident::quiet() && !context().sources_stopped; }

 private:
  static HardwareSettings hardware() {
    if constexpr (requires { Where::hardware(); })
      return Where::hardware();
    else
      return preset("kns");
  }
  static RoutingSettings routing() {
    if constexpr (requires { Where::routing(); })
      return Where::routing();
    else
      return intermediate_nodes();
  }
  void send_messages(Cycle t) override {
    if (t % 10 != 0 || t >= 200) return;
    for (const auto& [from, to] : {std::pair{kSource, kDestination}, {kDestination, kSource}, {10u, 15u}})
      send(from, to, 16);
  }
};

/// A part fails, for that many cycles or permanently.
struct RandomFault {
  RouterId router;
  std::optional<PortId> port;  ///< none: the router itself
  Cycle cycle;
  std::optional<Cycle> duration;
};

inline void add_fault(std::vector<Action>& actions, const RandomFault& f) {
  const bool permanent = !f.duration;
  actions.push_back({f.cycle, [=](Fabric& fabric) {
                       f.port ? fabric.fail_link(f.router, *f.port) : fabric.fail_router(f.router, permanent);
                     }});
  if (permanent) return;
  actions.push_back({f.cycle + *f.duration, [=](Fabric& fabric) {
                       f.port ? fabric.repair_link(f.router, *f.port) : fabric.repair_router(f.router);
                     }});
}

/// Faults of different parts of a network: nodes, switches and links, some permanent. At least one of them
/// strikes the intermediate node or one of its links. `permanent`: whether any may be.
inline std::vector<RandomFault> random_faults(const NetworkSettings& network, std::uint64_t seed,
                                              bool permanent) {
  RandomStream random(seed, RandomPurpose::test, 0);
  const auto topology = make_topology(network);
  std::vector<RandomFault> faults;
  std::set<std::pair<RouterId, std::optional<PortId>>> parts;
  const std::uint64_t count = 1 + random.below(4);
  while (faults.size() < count) {
    RandomFault f{};
    f.router = faults.empty() ? kCorner : static_cast<RouterId>(random.below(topology->router_count()));
    if (random.below(2) == 0) f.port = static_cast<PortId>(random.below(topology->port_count(f.router)));
    f.cycle = 20 + random.below(300);
    if (!permanent || random.below(3) > 0) f.duration = 2 + random.below(60);
    auto part = std::pair(f.router, f.port);
    if (f.port) {  // a link is named by its end with the lower number: by its node, if it has one
      const RouterPort far = *topology->neighbour(f.router, *f.port);
      if (far.router < f.router) part = {far.router, far.port};
    }
    if (part == std::pair(kSource, std::optional<PortId>(0)) || !parts.insert(part).second) continue;
    faults.push_back(f);
  }
  return faults;
}

template <class Where>
class Management : public Incidents<KnsIncident<Where>> {
 protected:
  /// Of all incidents together.
  ManagementCounters management() {
    ManagementCounters sum{};
    for (const auto& incident : this->incidents()) {
      const ManagementCounters& one = incident->context().management_counters;
      sum.steps += one.steps;
      sum.restarts += one.restarts;
      sum.drain_cycles += one.drain_cycles;
      sum.recomputation_cycles += one.recomputation_cycles;
    }
    return sum;
  }
  /// Messages that no protocol noticed, and that the guard had to send again.
  std::uint64_t repaired_by_the_guard() {
    std::uint64_t sum = 0;
    for (const auto& incident : this->incidents())
      sum += incident->context().recovery_counters.guard_repaired;
    return sum;
  }
  /// Runs in which up to four parts fail at random, in every third of them some permanently. A protocol that
  /// repairs loses nothing, and abandons less than one message in `given_up_of`.
  void random_parts_fail(std::uint64_t runs, std::uint64_t given_up_of) {
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      std::vector<Action> actions{link_fails(0, kSource, 0)};
      for (const RandomFault& fault : random_faults(Where::network(), seed, seed % 3 == 0))
        add_fault(actions, fault);
      this->add(std::move(actions));
    }
    const Ends sum = this->run();
    EXPECT_GE(management().steps, this->incidents().size());
    if (this->repairs()) {
      EXPECT_EQ(sum.lost, 0u);
      EXPECT_LT(sum.undeliverable, sum.sent / given_up_of);
    } else {
      EXPECT_GT(sum.lost, 0u);
    }
  }
  /// Routers before the fault ask.
  bool routers_ask() const {
    return std::string(this->GetParam()) == "sbrp-0" || std::string(this->GetParam()) == "sbrp-1";
  }
};

/// The recovery protocols that `check` accepts here: preset kns switches by virtual cut-through.
inline std::vector<const char*> protocols(const NetworkSettings& network) {
  const auto topology = make_topology(network);
  std::vector<const char*> names;
  for (const RecoveryEntry& e : recovery_protocols().entries()) {
    if (e.wormhole_only) continue;
    try {
      if (e.check) e.check(*topology);
    } catch (const KeyError&) {
      continue;
    }
    names.push_back(e.name.data());
  }
  return names;
}

}  // namespace flitmend::test::kns
