// SPDX-License-Identifier: Apache-2.0
// How much FCR pads a message: as much as its path can hold, so that its data have arrived before its tail
// leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "protocols/recovery/fcr/fcr_line.h"
#include "protocols/recovery/fcr/parameters.h"

namespace flitmend {
namespace {

fcr::Padding padding(const char* name, unsigned capacity = 0, unsigned extra_hops = 0) {
  static std::map<std::string, HardwareParameters> all;
  const HardwareParameters& hardware =
      all.try_emplace(name, HardwareParameters::from(preset(name))).first->second;
  return {capacity, extra_hops, &hardware};
}

TEST(FcrPadding, IsWhatTheWayHolds) {
  // One-flit buffers at inputs and outputs; a flit is consumed in the cycle after it has crossed.
  EXPECT_EQ(padding("sbrp").flits(0), 1u + 1);
  EXPECT_EQ(padding("sbrp").flits(5), 1u + 5 * 2 + 1);
  // Input buffers of 8 flits; four flits are between the last crossbar and the processing element.
  EXPECT_EQ(padding("iq").flits(5), 8u + 5 * 8 + 4);
  // The same, but flits are consumed as they cross.
  EXPECT_EQ(padding("kary-ncube").flits(5), 8u + 5 * 8 + 1);
  EXPECT_EQ(padding("sbrp", 0, 2).flits(5), padding("sbrp").flits(7)) << "a misroute takes two hops";
}

TEST(FcrPadding, OfThePaperMakes19FlitsOutOf12) {
  EXPECT_EQ(padding("sbrp", 1, 2).padded(12, 5), 19u);
  EXPECT_EQ(padding("sbrp", 2, 0).padded(12, 6), 24u) << "half of the throughput, as the paper says";
}

TEST(FcrPadding, OfThePaperIsOnTheWires) {
  RecoverySettings recovery;
  recovery.options.set("fcr_capacity", 1);
  RoutingSettings routing;
  routing.algorithm = "duato";
  routing.options.set("misroutes", 1);
  routing.options.set("escape", "terminal");
  const auto protocol = recovery_protocols().at("fcr").make(recovery, routing);
  FabricBench bench(hypercube_network(5), atomic("sbrp"), routing, "fabric", 1, protocol.get());
  bench.run(1);
  bench.fabric.network_interface(0).send(31, 12);
  ASSERT_TRUE(bench.drain(1000));
  EXPECT_EQ(bench.fabric.context().flits_injected, 19u);
  EXPECT_EQ(bench.fabric.context().flits_consumed, 19u);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].length, 12u);
  EXPECT_EQ(bench.deliveries[0].delivered - bench.deliveries[0].created, 2u * 5 + 1 + 2 * (12 - 1))
      << "the closed form of preset sbrp for 12 flits: it arrives when its first pad does";
}

/// By preset.
class FcrPaddingIn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Preset, FcrPaddingIn, fcr_presets(), fcr_preset_name);

TEST_P(FcrPaddingIn, AWayIsFullWhenItsHeadIsBlocked) {
  FcrLine line(GetParam(), {}, 60000);
  line.fabric.fail_router(4);
  line.send(1000);
  line.to(300);
  ASSERT_TRUE(line.sending());
  const HardwareParameters& hardware = line.fabric.context().hardware;
  EXPECT_EQ(line.injector().next_flit(line.sending_vc()),
            hardware.router.input_buffer + 3 * (hardware.router.input_buffer + hardware.router.output_buffer))
      << "three hops, and the buffer of the local port";
}

// Padded for one flit per hop, the tail leaves before the data have arrived, and the sender forgets the
// message.
TEST_P(FcrPaddingIn, WithTooLittleOfItAndNoGuardAMessageIsLostNotAbandoned) {
  RecoverySettings recovery;
  recovery.options.set("fcr_capacity", 1);
  recovery.guard_acknowledgement = "off";
  FcrLine line(GetParam(), recovery);
  line.fabric.fail_router(4);
  line.send(2);
  while (!line.sending()) line.step();
  while (line.sending()) line.step();
  for (const RouterId r : {0u, 1u, 2u, 3u}) line.fabric.fail_router(r);
  line.to(line.fabric.cycles() + 1);
  for (const RouterId r : {0u, 1u, 2u, 3u, 4u}) line.fabric.repair_router(r);
  line.expect_clean();
  EXPECT_EQ(line.fates.lost, 1u);
  EXPECT_EQ(line.fates.undeliverable, 0u);
}

// Other messages to the same node keep the first one from moving freely.
TEST_P(FcrPaddingIn, TheFirstPadHasArrivedWhenTheTailLeaves) {
  FcrLine line(GetParam());
  for (const std::uint32_t length : {1u, 2u, 3u, 12u, 40u}) {
    line.send(60, 1);
    line.send(60, 2);
    line.send(length);
    while (!line.sending()) line.step();
    while (line.sending()) line.step();
    const auto& deliveries = line.bench.deliveries;
    EXPECT_EQ(
        std::count_if(deliveries.begin(), deliveries.end(),
                      [&](const FabricBench::Delivery& d) { return d.source == 0 && d.length == length; }),
        1)
        << length << " flits";
    line.expect_clean();
  }
}

TEST_P(FcrPaddingIn, ChangesNoLatencyAtZeroLoad) {
  const auto protocol = recovery_protocols().at("fcr").make({}, {});
  FabricBench with(mesh_network({5}), atomic(GetParam()), {}, "with", 1, protocol.get());
  FabricBench without(mesh_network({5}), atomic(GetParam()), {}, "without");
  with.run(1);
  for (const std::uint32_t length : {1u, 2u, 3u, 9u, 30u})
    for (NodeId to = 0; to < 5; ++to) {
      with.fabric.network_interface(0).send(to, length);
      without.fabric.network_interface(0).send(to, length);
      ASSERT_TRUE(with.drain(1000));
      ASSERT_TRUE(without.drain(1000));
      // A message of one flit waits for its first pad.
      FabricBench::Delivery expected = without.deliveries.back();
      if (length == 1) {
        EXPECT_GT(with.deliveries.back().delivered, expected.delivered);
        EXPECT_LE(with.deliveries.back().delivered, expected.delivered + 2);
        expected.delivered = with.deliveries.back().delivered;
      }
      EXPECT_EQ(with.deliveries.back(), expected) << length << " flits to node " << to;
    }
}

}  // namespace
}  // namespace flitmend
