// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {

struct SbrpFates : MessageObserver {
  unsigned hit = 0, delivered = 0, lost = 0, undeliverable = 0, voided = 0, injected = 0;
  Cycle delivered_at = 0;
  void message_injected(MessageIndex, const Message&, Cycle) override { ++injected; }
  void message_hit(MessageIndex, const Message&, Cycle) override { ++hit; }
  void message_delivered(MessageIndex, const Message&, NodeId, Cycle t) override {
    ++delivered, delivered_at = t;
  }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost; }
  void message_undeliverable(MessageIndex, const Message&, Cycle) override { ++undeliverable; }
  void message_void(MessageIndex, const Message&, Cycle) override { ++voided; }
};

/// A line of five routers with one of the three protocols; messages go from 0 to 4. Keeps a log of the flits
/// that its interfaces send and consume.
struct SbrpLine {
  struct Settings {
    std::string protocol = "sbrp-2";
    std::string preset = "iq";
    RecoverySettings recovery = {};
    std::int64_t head_wait = 200;
  };
  struct Sight {
    Cycle cycle;
    NodeId node;
    bool sent;  ///< or consumed
    FlitKind kind;
    std::uint64_t word;
    std::uint32_t id;
  };

  SbrpLine() : SbrpLine(Settings()) {}
  explicit SbrpLine(const Settings& s)
      : protocol(make(s)),
        bench(mesh_network({5}), preset(s.preset.c_str()), {}, "fabric", 1, protocol.get()),
        fabric(bench.fabric),
        counters(fabric.context().recovery_counters) {
    fabric.add_observer(fates);
    to(0);
  }
  static std::unique_ptr<RecoveryProtocol> make(const Settings& s) {
    RoutingSettings routing;
    routing.head_wait_cycles = s.head_wait;
    return recovery_protocols().at(s.protocol).make(s.recovery, routing);
  }
  void step() {
    bench.run(1);
    const Cycle t = fabric.cycles() - 1;
    for (NodeId node = 0; node < fabric.node_count(); ++node) {
      NetworkInterface& i = fabric.network_interface(node);
      if (const Flit* const flit = i.injector.sent_flit())
        log.push_back({t, node, true, flit->kind, i.injector.last_word(), 0});
      if (const Flit* const flit = i.receiver.consumed_flit())
        log.push_back({t, node, false, flit->kind, i.receiver.last_word(), i.receiver.last_id()});
    }
  }
  /// Up to and including cycle t.
  void to(Cycle t) {
    while (fabric.cycles() <= t) step();
  }
  /// The first such flit at or after cycle t; kNever if there is none.
  Cycle sent(NodeId node, FlitKind kind, Cycle t = 0) const { return find(node, true, kind, t); }
  Cycle consumed(NodeId node, FlitKind kind, Cycle t = 0) const { return find(node, false, kind, t); }
  Cycle find(NodeId node, bool sending, FlitKind kind, Cycle t) const {
    for (const Sight& s : log)
      if (s.node == node && s.sent == sending && s.kind == kind && s.cycle >= t) return s.cycle;
    return kNever;
  }
  void fail(RouterId router, Cycle at, Cycle duration = 10) {
    EXPECT_LE(fabric.cycles(), at + 1) << "too late for that fault";
    to(at);
    fabric.fail_router(router);
    to(at + duration);
    fabric.repair_router(router);
  }
  void expect_clean(Cycle limit = 100000) {
    while (!fabric.quiet() && fabric.cycles() < limit) step();
    EXPECT_TRUE(fabric.quiet());
    for (int i = 0; i < 40; ++i) step();
    EXPECT_TRUE(fabric.quiet());
    const ConservationReport report = fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved());
    EXPECT_TRUE(report.idle()) << report.flits_in_network << " " << report.credits_missing << " "
                               << report.busy_vcs;
    EXPECT_EQ(fabric.context().messages.in_use(), 0u);
  }

  SbrpFates fates;
  std::unique_ptr<RecoveryProtocol> protocol;
  FabricBench bench;
  Fabric& fabric;
  const RecoveryCounters& counters;
  std::vector<Sight> log;
};

}  // namespace flitmend
