// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "Vrouter.h"
#include "rtl/rtl_bench.h"

namespace flitmend {

/// The mesh with those routers as RTL, next to the same mesh of the model.
inline void compare(const Coordinates& rtl, std::uint64_t messages, double load) {
  RtlBench model("model");
  RtlBench mixed("mixed", routers_at(rtl, rtl_routers<Vrouter>()));
  ChannelComparer comparer(model.fabric, mixed.fabric);
  SteadyTraffic to_model(model.fabric, load, messages), to_mixed(mixed.fabric, load, messages);
  while (!to_model.done()) {
    model.run(1000);
    if (comparer.first()) break;
  }
  if (comparer.first()) comparer.write_waves("rtl_router_difference.vcd", 1'000'000);
  ASSERT_FALSE(comparer.first()) << comparer.first()->text();
  ASSERT_TRUE(model.drain(20000 + messages));
  ASSERT_TRUE(mixed.drain(20000 + messages));
  EXPECT_FALSE(comparer.first()) << comparer.first()->text();
  EXPECT_GT(comparer.flits_compared(), messages * 5);
  EXPECT_EQ(comparer.credits_compared(), comparer.flits_compared());
  EXPECT_EQ(mixed.deliveries.size(), messages);
  EXPECT_TRUE(mixed.deliveries == model.deliveries);
  for (RouterId r = 0; r < 64; ++r) {
    if (const RouterBoundary* const boundary = mixed.fabric.boundary(r)) {
      EXPECT_TRUE(boundary->violations().empty());
    }
  }
  const ConservationReport report = mixed.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_TRUE(report.idle()) << report.flits_in_network << " flits, " << report.credits_missing
                             << " credits, " << report.busy_vcs << " virtual channels";
  EXPECT_EQ(mixed.fabric.flit_hops(), model.fabric.flit_hops());
}

}  // namespace flitmend
