// SPDX-License-Identifier: Apache-2.0
// A packet that waits at its source when its destination dies permanently.
#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {
namespace {

// A router asks for the message from its first flit on. The new packet never leaves, but its descriptor stays
// until no copy of it can be left. A second request in the meantime, for a part of the message, does not
// change how many flits the packet had.
class DeadDestination : public testing::TestWithParam<Cycle> {};

TEST_P(DeadDestination, LeavesNothingBehindWhenRequestsForItsMessageStillArrive) {
  LineBench line(recovery_protocols().at("utp").make({}, {}), preset("iq"));
  line.send(12);
  line.to(20);
  line.fabric.fail_router(4, true);
  const auto ask = [&](std::uint32_t first, std::uint16_t sub_message) {
    line.fabric.network_interface(0).recovery()->message_cut(line.fabric.cycles(),
                                                             {.source = 0,
                                                              .destination = 4,
                                                              .id = 0,
                                                              .length = 12,
                                                              .first = first,
                                                              .count = 1,
                                                              .sub_message = sub_message});
  };
  ask(0, 0);
  line.to(20 + GetParam());
  ask(3, 1);
  line.expect_clean(20000);
  EXPECT_EQ(line.fates.undeliverable, 1u);
}

INSTANTIATE_TEST_SUITE_P(CyclesBetweenTheRequests, DeadDestination, testing::Values(1, 2, 3, 5, 8));

}  // namespace
}  // namespace flitmend
