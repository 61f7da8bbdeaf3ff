// SPDX-License-Identifier: Apache-2.0
// Routers whose masks take several words: all ports of a word of arrivals are told apart, and the mask of
// ports with buffered flits agrees with the buffers in every cycle, while routers and links fail.
#include <gtest/gtest.h>

#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

class ManyChannels : public testing::TestWithParam<unsigned> {};

void expect_masks_agree(const Fabric& fabric, RouterId routers) {
  for (RouterId r = 0; r < routers; ++r) {
    RouterState state = fabric.router(r).state();
    for (unsigned p = 0; p < state.ports(); ++p) {
      VcMask buffered = 0;
      for (unsigned vc = 0; vc < state.vcs(); ++vc)
        buffered |= VcMask{state.output_flits(p * state.vcs() + vc) > 0} << vc;
      ASSERT_EQ(state.link_arbiter(p).buffered_vcs, buffered) << "router " << r << ", port " << p;
      ASSERT_EQ(test_bit(state.buffered_ports(), p), buffered != 0) << "router " << r << ", port " << p;
    }
  }
}

TEST_P(ManyChannels, NothingIsMixedUpWhileRoutersAndLinksFail) {
  HardwareSettings settings = preset("sbrp");
  settings.router.virtual_channels = GetParam();
  settings.router.output_buffer = 4;
  const auto protocol = recovery_protocols().at("none").make({}, {});
  FabricBench bench(mesh_network({3, 3}), settings, {}, "fabric", 1, protocol.get());
  ASSERT_GT(bench.fabric.router(4).state().layout().vc_words, 1u);
  RandomStream random(1, RandomPurpose::injection, 0);
  std::size_t sent = 0;
  for (unsigned t = 0; t < 600; ++t) {
    for (NodeId node = 0; node < 9; ++node) {
      const NodeId to = random.below(9);
      if (to == node || random.below(6)) continue;
      bench.fabric.network_interface(node).send(to, 1 + random.below(12));
      ++sent;
    }
    if (t == 200) bench.fabric.fail_router(4);
    if (t == 230) bench.fabric.repair_router(4);
    if (t == 300) bench.fabric.fail_link(0, 0, true);
    if (t == 340) bench.fabric.repair_link(0, 0, true);
    bench.run(1);
    expect_masks_agree(bench.fabric, 9);
    if (HasFatalFailure()) return;
  }
  ASSERT_TRUE(bench.drain(50000));
  EXPECT_GT(sent, 500u);
  EXPECT_LT(bench.deliveries.size(), sent) << "no fault has hit a message";
  EXPECT_GT(bench.deliveries.size(), sent * 8 / 10);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(PerPort, ManyChannels, testing::Values(13u, 16u, 24u, 33u, 64u),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace flitmend
