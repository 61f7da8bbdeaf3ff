// SPDX-License-Identifier: Apache-2.0
// A platform's network with routers in SystemVerilog: transactions carry their bytes through the pins.
#include <filesystem>

#include "Vrouter.h"
#include "rtl/rtl_bench.h"
#include "support/checked_bindings.h"
#include "support/files.h"
#include "support/network_on_chip_bench.h"
#include "testbench/network_on_chip.h"

namespace flitmend {
namespace {

TEST(RtlPlatform, TransactionsThroughPins) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "rtl_platform";
  std::filesystem::remove_all(out);
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc",
                    platform("network: {topology: mesh, size: [8, 8]}\n"
                             "router: {preset: rtl-example}\n"
                             "routing: {algorithm: dimension-order}\n"
                             "tlm: {classes: shared, target_queue: 0}\n"
                             "statistics: {channels: true}\n"
                             "waves: {enabled: true, scope: ['**.router_1_0.**']}\n"),
                    rtl_routers<Vrouter>());
  noc.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(2 + 8), 200);
  FormedTarget memory("memory");
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets("router_0_0").target_socket);
  bindings.bind(noc.sockets(2 + 8).initiator_socket, memory.socket);
  noc.write_to(out);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  for (int i = 0; i < 20 && !(a.element.responses == 200 && noc.quiet()); ++i)
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(a.element.responses, 200u);
  EXPECT_EQ(a.wrong, 0u);
  const Results r = noc.finish();
  EXPECT_EQ(r.status.outcome, RunOutcome::complete) << r.status.reason;
  EXPECT_TRUE(r.contract.holds);
  EXPECT_EQ(r.messages.delivered, 400u);
  EXPECT_DOUBLE_EQ(*r.hops.mean, 3.0);
  EXPECT_GT(r.simulation.flit_hops, 0u);
  // The registers of the place are in the waves, and change.
  std::string waves;
  for (const auto& file : std::filesystem::directory_iterator(out))
    if (file.path().extension() == ".vcd") waves = test::read_file(file.path());
  EXPECT_NE(waves.find("router_1_0"), waves.npos);
  EXPECT_GT(std::count(waves.begin(), waves.end(), '#'), 100);
}

}  // namespace
}  // namespace flitmend
