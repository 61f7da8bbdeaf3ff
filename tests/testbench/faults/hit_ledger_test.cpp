// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/hit_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"
#include "testbench/faults/fault_injector.h"

namespace flitmend {
namespace {

constexpr Cycle kWindow = 3000;  // between two messages: each has long ended when the next one is sent

FaultEvent node_fault(Cycle cycle, std::int64_t node, std::int64_t duration = 10) {
  FaultEvent event;
  event.cycle = static_cast<std::int64_t>(cycle);
  event.node = NodeName{{node}, true};
  event.duration = {duration};
  return event;
}

/// A line of five routers under end-to-end. In each window node 0 sends a message of 20 flits to node 4.
struct LedgerLine {
  explicit LedgerLine(std::vector<FaultEvent> events, std::int64_t retry_limit = 16)
      : protocol(end_to_end(retry_limit)),
        bench(mesh_network({5}), preset("iq"), {}, "fabric", 1, protocol.get()),
        scoreboard(5, {}),
        injector("faults", bench.fabric, plan(std::move(events), bench.topology())),
        ledger(bench.fabric) {
    bench.fabric.add_observer(static_cast<MessageObserver&>(scoreboard));
    scoreboard.add_observer(ledger);
    injector.add_observer(ledger);
    bench.run(1);
  }
  static std::unique_ptr<RecoveryProtocol> end_to_end(std::int64_t retry_limit) {
    RecoverySettings recovery;
    recovery.retry_limit = retry_limit;
    return recovery_protocols().at("end-to-end").make(recovery, {});
  }
  static FaultPlan plan(std::vector<FaultEvent> events, const Topology& topology) {
    FaultSettings settings;
    settings.events = std::move(events);
    return {settings, topology, 1};
  }
  /// What the faults of the next window hit: "node transient head one", a line each; a number in front where
  /// there are several.
  std::vector<std::string> next_window() {
    const std::vector<HitResults> before = ledger.results(true);
    bench.run(window * kWindow + 1 - bench.fabric.cycles());
    bench.fabric.network_interface(0).send(4, 20);
    bench.run(kWindow - 10);
    ++window;
    std::vector<std::string> news;
    for (const HitResults& now : ledger.results(true)) {
      std::uint64_t hits = now.hits;
      for (const HitResults& old : before)
        if (old.fault == now.fault && old.duration == now.duration && old.phase == now.phase &&
            old.overlap == now.overlap)
          hits -= old.hits;
      if (hits > 0)
        news.push_back((hits > 1 ? std::to_string(hits) + " " : "") + now.fault + " " + now.duration + " " +
                       now.phase + " " + now.overlap);
    }
    return news;
  }

  std::unique_ptr<RecoveryProtocol> protocol;
  FabricBench bench;
  Scoreboard scoreboard;
  FaultInjector injector;
  HitLedger ledger;
  Cycle window = 0;
};

TEST(HitLedger, SeesTheHeadThenTheBodyThenTheTailThenTheAcknowledgement) {
  constexpr Cycle kOffsets = 110;
  std::vector<FaultEvent> events;
  for (Cycle i = 0; i < kOffsets; ++i) events.push_back(node_fault(i * kWindow + i + 1, 2));
  LedgerLine line(events);
  std::vector<std::string> phases;  // without repetitions
  for (Cycle i = 0; i < kOffsets; ++i) {
    const std::vector<std::string> hits = line.next_window();
    ASSERT_LE(hits.size(), 1u) << "offset " << i << ": " << hits[0] << ", " << hits[1];
    const std::string now = hits.empty() ? "-" : hits[0];
    if (phases.empty() || phases.back() != now) phases.push_back(now);
  }
  EXPECT_EQ(phases,
            (std::vector<std::string>{"-", "node transient head one", "node transient body one",
                                      "node transient tail one", "-", "node transient control one", "-"}));
  for (const HitResults& row : line.ledger.results(true)) {
    EXPECT_EQ(row.failed, 0u);
    EXPECT_EQ(row.delivered, row.phase == "control" ? 0 : row.hits) << row.phase;
  }
  EXPECT_EQ(line.scoreboard.messages().recovered, line.scoreboard.messages().hit);
}

TEST(HitLedger, SeesASecondFaultDuringAbsorptionAndInTheRetransmission) {
  constexpr Cycle kFirst = 26;  // in the body
  constexpr Cycle kOffsets = 120;
  std::vector<FaultEvent> events;
  for (Cycle i = 0; i < kOffsets; ++i) {
    events.push_back(node_fault(i * kWindow + kFirst, 2));
    events.push_back(node_fault(i * kWindow + kFirst + 1 + i, 3));
  }
  LedgerLine line(events);
  std::uint64_t absorption = 0, retransmission = 0, control = 0, alone = 0;
  for (Cycle i = 0; i < kOffsets; ++i) {
    bool sequence = false;
    const std::vector<std::string> hits = line.next_window();
    for (const std::string& hit : hits) {
      absorption += hit == "node transient absorption in-sequence";
      retransmission += hit == "node transient retransmission in-sequence";
      control += hit == "node transient control one";
      sequence |= hit == "node transient body in-sequence";
      alone += hit == "node transient body one";
    }
    const bool twice = std::any_of(hits.begin(), hits.end(), [](const std::string& hit) {
      return hit.find("absorption") != hit.npos || hit.find("retransmission") != hit.npos;
    });
    EXPECT_EQ(sequence, twice) << "offset " << i << ": both hits are in sequence";
  }
  EXPECT_GT(absorption, 2u);
  EXPECT_GT(retransmission, 10u);
  EXPECT_GT(control, 2u) << "the refusal";
  EXPECT_GT(alone, 2u);
  EXPECT_LT(absorption, 30u);
}

TEST(HitLedger, CountsFaultsOfOneCycleAsOneHit) {
  FaultEvent link;
  link.cycle = kWindow + 26;
  link.link = LinkName{{{2}, true}, {{3}, true}};
  link.duration = {10};
  FaultEvent last = link;
  last.cycle = 2 * kWindow + 26;
  last.duration = {};
  LedgerLine line({node_fault(26, 2), node_fault(26, 3), link, last}, 2);
  EXPECT_EQ(line.next_window(), (std::vector<std::string>{"node transient body at-once"}));
  EXPECT_EQ(line.next_window(), (std::vector<std::string>{"link transient body one"})) << "both its channels";
  const std::vector<std::string> hits = line.next_window();
  EXPECT_NE(std::find(hits.begin(), hits.end(), "link permanent body one"), hits.end());
  for (const HitResults& row : line.ledger.results(true)) {
    EXPECT_EQ(row.undeliverable, row.duration == "permanent" && row.phase != "control" ? row.hits : 0u);
  }
}

// The only adaptive virtual channel of router 3 is taken, and the link of its escape channel is dead. The
// fault that strikes elsewhere meanwhile has nothing to do with it.
TEST(HitLedger, CountsAHeadThatHasWaitedTooLongUnderTheFaultNextToIt) {
  HardwareSettings hardware = preset("iq");
  hardware.router.virtual_channels = 2;
  hardware.router.vc_reallocation = "atomic";
  RoutingSettings routing;
  routing.algorithm = "duato";
  routing.head_wait_cycles = 50;
  const auto protocol = recovery_protocols().at("none").make({}, routing);
  FabricBench bench(mesh_network({3, 3}), hardware, routing, "fabric", 1, protocol.get());
  FaultEvent link;
  link.cycle = 1;
  link.link = LinkName{{{3}, true}, {{4}, true}};
  FaultSettings settings;
  settings.events = {link, node_fault(60, 2)};
  FaultInjector injector("faults", bench.fabric, {settings, bench.topology(), 1});
  HitLedger ledger(bench.fabric);
  injector.add_observer(ledger);
  bench.run(1);
  bench.fabric.network_interface(0).send(6, 600);
  bench.run(20);
  bench.fabric.network_interface(3).send(8, 5);
  bench.run(100);
  const std::vector<HitResults> rows = ledger.results(true);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].fault, "link");
  EXPECT_EQ(rows[0].duration, "permanent");
  EXPECT_EQ(rows[0].phase, "head");
  EXPECT_EQ(rows[0].overlap, "one");
  EXPECT_EQ(rows[0].hits, 1u);
}

TEST(HitLedger, CountsTheHitsOfAMessageThatBreaksTheContract) {
  struct LastHit : MessageObserver {
    Message message;
    void message_hit(MessageIndex, const Message& m, Cycle) override { message = m; }
  } last;
  LedgerLine line({node_fault(26, 2), node_fault(kWindow + 26, 2)});
  line.bench.fabric.add_observer(last);
  line.next_window();
  line.next_window();
  line.scoreboard.message_delivered(7, last.message, 4, line.bench.fabric.cycles());  // a second time
  ASSERT_EQ(line.scoreboard.violations(), 1u);
  const std::vector<HitResults> rows = line.ledger.results(true);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].hits, 2u);
  EXPECT_EQ(rows[0].failed, 1u);
}

}  // namespace
}  // namespace flitmend
