// SPDX-License-Identifier: Apache-2.0
// Random faults on random fabrics with the routers of SBRP: every message that a fault has cut is asked for,
// with a flit counter from which the rest can be sent again without a gap; no shadow register stays in use; a
// second fabric, evaluated in another order, gives the same requests in the same cycles.
#include <gtest/gtest.h>

#include <boost/format.hpp>
#include <map>
#include <set>

#include "base/random_stream.h"
#include "support/fabric_bench.h"
#include "support/pick.h"
#include "support/recording_ends.h"

namespace flitmend {
namespace {

constexpr unsigned kRequestGroups = 8;  // one process each
constexpr unsigned kRequestCases = 8;   // in one elaboration
constexpr Cycle kRequestCycles = 4000;

struct RequestCase {
  NetworkSettings network;
  HardwareSettings hardware;
  RoutingSettings routing;
  std::uint32_t length = 8;  ///< longest
  double rate = 0;           ///< messages per node and cycle
  bool one_at_a_time = true;
  std::uint64_t seed = 1;
  std::string text;
};

RequestCase draw_request_case(std::uint32_t index) {
  RandomStream random(2041, RandomPurpose::test, index);
  RequestCase c;
  c.seed = random.bits64() >> 1;
  c.network = pick(random, std::vector<NetworkSettings>{mesh_network({4, 4}), mesh_network({5, 3}),
                                                        grid_network("torus", {4, 4}), hypercube_network(4)});
  const auto topology = make_topology(c.network);
  c.routing.algorithm = pick(random, std::vector<std::string>{"dimension-order", "duato"});
  RouterSettings& router = c.hardware.router;
  const std::string name = pick(random, std::vector<std::string>{"iq", "iq", "sbrp", "sbrp", "kary-ncube"});
  apply_preset(name, c.hardware);
  c.length = pick(random, std::vector<std::uint32_t>{1, 2, 4, 8, 12, 30});
  switch (random.below(4)) {
    case 0:
      router.input_buffer = 1 + random.below(8);
      break;
    case 1:
      if (name == "sbrp")
        router.input_buffer = router.output_buffer = pick(random, std::vector<int>{2, 4, 8});
      break;
    case 2:
      c.hardware.link.latency = 1 + random.below(4);
      c.hardware.link.credit_latency = random.below(3);
      break;
    default:
      break;
  }
  if (c.hardware.network_interface.ejection == "channel" && random.below(3) == 0)
    c.hardware.network_interface.ejection_latency = 1 + random.below(4);
  const RoutingProperties needs = routing_properties(*topology, c.routing);
  router.virtual_channels = needs.virtual_channels + random.below(3);
  if (name != "sbrp" && random.below(10) == 0) router.virtual_channels = 14;  // masks of several words
  if (needs.atomic_vc_reallocation || random.below(4) == 0) router.vc_reallocation = "atomic";
  c.rate = (0.1 + 0.4 * random.uniform()) * 2 / (c.length + 1);
  c.one_at_a_time = random.below(3) != 0;
  c.text =
      (boost::format(
           "case %1%: %2%, %3%, preset %4%, %5% VCs of %6% + %7% flits, %8%, link %9% / %10%, up to "
           "%11% flits, rate %12$.3f%13%") %
       index % topology->description() % c.routing.algorithm % name % router.virtual_channels %
       router.input_buffer % router.output_buffer % router.vc_reallocation % c.hardware.link.latency %
       c.hardware.link.credit_latency % c.length % c.rate % (c.one_at_a_time ? ", one fault at a time" : ""))
          .str();
  return c;
}

/// A fabric under traffic and faults, both drawn from the case's seed.
class RequestBench : private MessageObserver {
 public:
  RequestBench(const RequestCase& c, const std::string& name)
      : case_(c),
        protocol_(100, log),
        network(c.network, c.hardware, c.routing, name.c_str(), c.seed, &protocol_),
        random_(c.seed, RandomPurpose::test, 1) {
    network.fabric.add_observer(static_cast<MessageObserver&>(*this));
  }

  /// Called before each cycle.
  void step(Cycle t) {
    if (t == 0) return;
    Fabric& fabric = network.fabric;
    const NodeId nodes = fabric.node_count();
    if (t < kRequestCycles)
      for (NodeId node = 0; node < nodes; ++node) {
        if (random_.uniform() >= case_.rate) continue;
        const NodeId to = (node + 1 + random_.below(nodes - 1)) % nodes;
        fabric.network_interface(node).send(to, 1 + random_.below(case_.length));
      }
    while (!repairs_.empty() && repairs_.begin()->first <= t) {
      const Part part = repairs_.begin()->second;
      repairs_.erase(repairs_.begin());
      part.link ? fabric.repair_link(part.router, part.port) : fabric.repair_router(part.router);
      faulty_.erase(part.router);
    }
    if (t < kRequestCycles && t >= next_strike_) strike(t);
  }
  bool done(Cycle t) const { return t >= kRequestCycles && repairs_.empty() && network.fabric.quiet(); }

  void check() {
    SCOPED_TRACE(case_.text);
    Fabric& fabric = network.fabric;
    EXPECT_TRUE(fabric.quiet());
    const ConservationReport report = fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_EQ(report.flits_in_network, 0u);
    EXPECT_EQ(report.credits_missing, 0u);
    EXPECT_EQ(report.busy_vcs, 0u);
    EXPECT_EQ(fabric.context().messages.in_use(), 0u);
    if (!case_.one_at_a_time) return;
    std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> consumed;
    for (const RecoveryLog::Spent& s : log.spent) consumed[{s.source, s.id}] += s.flits;
    for (const RecoveryLog::Piece& p : log.pieces)
      if (p.broken) --consumed[{p.source, p.id}];
    const std::uint32_t most = fabric.context().hardware.flits_between();
    std::map<std::pair<NodeId, std::uint32_t>, std::uint32_t> asked;  // lowest flit counter
    for (const RecoveryLog::Cut& cut : log.cuts) {
      const auto key = std::pair(cut.message.source, cut.message.id);
      const auto found = asked.emplace(key, cut.message.count).first;
      found->second = std::min(found->second, cut.message.count);
    }
    for (const auto& key : lost) {
      const auto found = asked.find(key);
      if (found == asked.end()) {
        ADD_FAILURE() << "nobody asked for message " << key.second << " of " << key.first;
        continue;
      }
      const std::uint32_t arrived = consumed[key];
      EXPECT_LE(found->second, arrived + most)
          << "message " << key.second << " of " << key.first << ": " << arrived << " flits arrived";
      if (found->second > arrived) gap = std::max(gap, found->second - arrived);
    }
  }

  RecoveryLog log;
  std::set<std::pair<NodeId, std::uint32_t>> lost;
  std::uint32_t gap = 0;  ///< most flits between the counter and what arrived
  unsigned strikes = 0;

 private:
  struct Part {
    bool link;
    RouterId router;
    PortId port;
  };

  void strike(Cycle t) {
    Fabric& fabric = network.fabric;
    const RouterId router = random_.below(fabric.node_count());
    const PortId port = static_cast<PortId>(random_.below(fabric.topology().port_count(router)));
    const bool link = random_.below(3) == 0 && fabric.topology().neighbour(router, port);
    const Cycle duration = 1 + random_.below(random_.below(2) ? 60 : 8);
    // One at a time: the routers have dealt with a fault before the next one strikes.
    next_strike_ = t + (case_.one_at_a_time ? duration + 40 : 0) + random_.below(40);
    if (!faulty_.insert(router).second) return;
    link ? fabric.fail_link(router, port) : fabric.fail_router(router);
    repairs_.emplace(t + duration, Part{link, router, port});
    ++strikes;
  }
  void message_lost(MessageIndex, const Message& message, Cycle) override {
    lost.emplace(message.source, message.id);
  }

  RequestCase case_;
  RecordingProtocol protocol_;
  std::multimap<Cycle, Part> repairs_;
  std::set<RouterId> faulty_;
  Cycle next_strike_ = 100;

 public:
  FabricBench network;

 private:
  RandomStream random_;
};

class RandomRequests : public testing::TestWithParam<unsigned> {};

TEST_P(RandomRequests, NoMessageIsCutWithoutARequest) {
  std::vector<std::unique_ptr<RequestBench>> benches;
  for (unsigned i = 0; i < kRequestCases; ++i) {
    const RequestCase c = draw_request_case(GetParam() * kRequestCases + i);
    for (const char* twin : {"a", "b"})
      benches.push_back(std::make_unique<RequestBench>(c, "fabric" + std::to_string(i) + twin));
    benches.back()->network.fabric.alternate_order(true);
  }
  const auto busy = [&](Cycle t) {
    for (const auto& bench : benches)
      if (!bench->done(t)) return true;
    return false;
  };
  for (Cycle t = 0; t < 8 * kRequestCycles && (t % 64 != 0 || busy(t)); ++t) {
    for (auto& bench : benches) bench->step(t);
    benches[0]->network.run(1);  // one clock edge for all
  }
  benches[0]->network.run(100);
  std::size_t lost = 0;
  std::uint32_t gap = 0;
  for (unsigned i = 0; i < kRequestCases; ++i) {
    RequestBench &a = *benches[2 * i], &b = *benches[2 * i + 1];
    a.check();
    b.check();
    ASSERT_EQ(a.log.cuts.size(), b.log.cuts.size());
    for (std::size_t k = 0; k < a.log.cuts.size(); ++k) {
      EXPECT_EQ(a.log.cuts[k].t, b.log.cuts[k].t);
      // Routers of one cycle are evaluated in another order.
    }
    EXPECT_EQ(a.lost, b.lost);
    lost += a.lost.size();
    gap = std::max(gap, a.gap);
  }
  EXPECT_GT(lost, 20u);
  EXPECT_GT(gap, 0u);
}

INSTANTIATE_TEST_SUITE_P(Group, RandomRequests, testing::Range(0u, kRequestGroups));

}  // namespace
}  // namespace flitmend
