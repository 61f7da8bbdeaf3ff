// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/fabric_bench.h"

namespace flitmend {

/// What became of the messages.
struct Fates : MessageObserver {
  unsigned injected = 0, hit = 0, delivered = 0, lost = 0, undeliverable = 0, voided = 0;
  Cycle delivered_at = 0;                    ///< the last one
  std::vector<std::pair<char, Cycle>> seen;  ///< h(it), d(elivered), l(ost), u(ndeliverable), v(oid)

  void message_injected(MessageIndex, const Message&, Cycle) override { ++injected; }
  void message_hit(MessageIndex, const Message&, Cycle t) override { note('h', hit, t); }
  void message_delivered(MessageIndex, const Message&, NodeId, Cycle t) override {
    note('d', delivered, t);
    delivered_at = t;
  }
  void message_lost(MessageIndex, const Message&, Cycle t) override { note('l', lost, t); }
  void message_undeliverable(MessageIndex, const Message&, Cycle t) override { note('u', undeliverable, t); }
  void message_void(MessageIndex, const Message&, Cycle t) override { note('v', voided, t); }
  std::string kinds() const {
    std::string all;
    for (const auto& fate : seen) all += fate.first;
    return all;
  }

 private:
  void note(char kind, unsigned& count, Cycle t) {
    ++count;
    seen.emplace_back(kind, t);
  }
};

/// A line of five routers with a recovery protocol; messages go from 0 to 4 unless a test says otherwise.
struct LineBench {
  LineBench(std::unique_ptr<RecoveryProtocol> recovery, const HardwareSettings& hardware)
      : protocol(std::move(recovery)),
        bench(mesh_network({5}), hardware, {}, "fabric", 1, protocol.get()),
        fabric(bench.fabric),
        counters(fabric.context().recovery_counters) {
    fabric.add_observer(fates);
    bench.run(1);
  }
  virtual ~LineBench() = default;

  virtual void step() { bench.run(1); }
  /// Runs to the end of cycle t.
  void to(Cycle t) {
    while (fabric.cycles() <= t) step();
  }
  void send(std::uint32_t length, NodeId from = 0, NodeId destination = 4) {
    fabric.network_interface(from).send(destination, length);
  }
  /// A fault after cycle `at`.
  void fail(RouterId router, Cycle at, Cycle duration = 10) {
    EXPECT_LE(fabric.cycles(), at + 1) << "too late for that fault";
    to(at);
    fabric.fail_router(router);
    to(at + duration);
    fabric.repair_router(router);
  }

  PortId east(RouterId r) const {
    PortId p = 0;
    while (bench.topology().port_name(r, p) != "dim0_plus") ++p;
    return p;
  }
  PortId west(RouterId r) const { return static_cast<PortId>(1 - east(r)); }
  const RouterState& state(RouterId r) { return fabric.router(r).state(); }
  /// The state of the busy virtual channel of a port.
  RouteFsm fsm(RouterId r, unsigned port) {
    RouteFsm busy = RouteFsm::idle;
    for (unsigned vc = 0; vc < state(r).vcs(); ++vc)
      if (state(r).route_fsm(port * state(r).vcs() + vc) != RouteFsm::idle)
        busy = state(r).route_fsm(port * state(r).vcs() + vc);
    return busy;
  }
  VcMask held(RouterId r, unsigned port) { return state(r).extras(port).held_vcs; }

  /// Runs until nothing is left to do: no flit, credit, virtual channel or descriptor is missing.
  void expect_clean(Cycle limit = 100000) {
    while (!fabric.quiet() && fabric.cycles() < limit) step();
    EXPECT_TRUE(fabric.quiet());
    for (unsigned i = 0; i < 4 * fabric.context().hardware.ring; ++i) step();  // the last credits return
    EXPECT_TRUE(fabric.quiet());
    const ConservationReport report = fabric.check_conservation();
    EXPECT_TRUE(report.flits_conserved()) << report.flits_injected << " " << report.flits_consumed << " "
                                          << report.flits_discarded << " " << report.flits_in_network;
    EXPECT_EQ(report.flits_in_network, 0u);
    EXPECT_EQ(report.credits_missing, 0u);
    EXPECT_EQ(report.busy_vcs, 0u);
    EXPECT_EQ(fabric.context().messages.in_use(), fabric.context().copies_of_delivered);
  }

  Fates fates;
  std::unique_ptr<RecoveryProtocol> protocol;
  FabricBench bench;
  Fabric& fabric;
  const RecoveryCounters& counters;
};

}  // namespace flitmend
