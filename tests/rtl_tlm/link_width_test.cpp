// SPDX-License-Identifier: Apache-2.0
// Links that are narrower than a flit: latency at zero load as a closed form, one flit every k cycles,
// credits, faults.
#include <gtest/gtest.h>

#include <algorithm>

#include "protocols/recovery/registry.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_link_registers.h"
#include "rtl_tlm/registers/virtual_channel.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

/// What a link of a row has of its own: data of its edge, 0: not given.
struct Link {
  unsigned latency = 0, width = 0;
};

/// Nodes n0, n1, … in a row. The routers of n1, n2, … but the last have port 0 to the left and 1 to the
/// right.
NetworkSettings row_of(const std::vector<Link>& links) {
  NetworkSettings s;
  s.topology = "file";
  s.graph =
      "<graphml><key id=\"l\" for=\"edge\" attr.name=\"latency\"/><key id=\"w\" for=\"edge\" "
      "attr.name=\"width\"/><graph>";
  const auto data = [](const char* key, unsigned value) {
    return value == 0 ? std::string()
                      : "<data key=\"" + std::string(key) + "\">" + std::to_string(value) + "</data>";
  };
  for (std::size_t i = 0; i <= links.size(); ++i) s.graph += "<node id=\"n" + std::to_string(i) + "\"/>";
  for (std::size_t i = 0; i < links.size(); ++i)
    s.graph += "<edge source=\"n" + std::to_string(i) + "\" target=\"n" + std::to_string(i + 1) + "\">" +
               data("l", links[i].latency) + data("w", links[i].width) + "</edge>";
  s.graph += "</graph></graphml>";
  return s;
}

RoutingSettings tree() {
  RoutingSettings s;
  s.algorithm = "up-down";
  return s;
}

/// ceil(64 / width), written out: flits have 8 bytes.
unsigned cycles_of(const Link& link) {
  return link.width == 0 || link.width >= 64 ? 1 : (64 + link.width - 1) / link.width;
}

void expect_clean(const FabricBench& bench) {
  const ConservationReport report = bench.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_EQ(report.flits_in_network, 0u);
  EXPECT_EQ(report.credits_missing, 0u);
  EXPECT_EQ(report.busy_vcs, 0u);
}

Cycle latency_of(FabricBench& bench, NodeId from, NodeId to, std::uint32_t length) {
  const std::size_t before = bench.deliveries.size();
  bench.fabric.network_interface(from).send(to, length);
  EXPECT_TRUE(bench.drain(20000));
  if (bench.deliveries.size() != before + 1) return 0;
  return bench.deliveries.back().delivered - bench.deliveries.back().created;
}

struct Hardware {
  const char* name;
  HardwareSettings settings;
};
HardwareSettings changed(const char* name, std::int64_t vcs, std::int64_t output_buffer, const char* crossbar,
                         const char* switching = "wormhole") {
  HardwareSettings s = preset(name);
  s.router.virtual_channels = vcs;
  s.router.input_buffer = 256;  // credits slow nothing down
  s.router.output_buffer = output_buffer;
  s.router.crossbar = crossbar;
  s.router.switching = switching;
  return s;
}
const Hardware kHardware[] = {
    {"input_queued", changed("iq", 4, 0, "port")},
    {"many_words", changed("iq", 40, 0, "port")},
    {"output_buffers", changed("iq", 2, 4, "port")},
    {"crossbar_by_vc", changed("iq", 2, 3, "virtual-channel")},
    {"crossbar_input_per_vc", changed("iq", 4, 0, "virtual-channel-inputs")},
    {"crossbar_input_per_vc_and_output_buffers", changed("iq", 4, 4, "virtual-channel-inputs")},
    {"many_words_and_output_buffers", changed("iq", 40, 4, "port")},
    {"cut_through", changed("iq", 2, 0, "port", "virtual-cut-through")},
    {"unlimited_ejection", changed("kary-ncube", 2, 0, "port")},
};

void PrintTo(const Hardware& hardware, std::ostream* out) {
  *out << hardware.name;
}

/// Networks are made before the first cycle of any.
std::unique_ptr<FabricBench> bench_of(const std::vector<Link>& links, const HardwareSettings& hardware,
                                      const RecoveryProtocol* recovery = nullptr) {
  static unsigned number = 0;
  return std::make_unique<FabricBench>(row_of(links), hardware, tree(),
                                       ("fabric" + std::to_string(number++)).c_str(), 1, recovery);
}

class LinkWidthOf : public testing::TestWithParam<Hardware> {};

/// A flit arrives when its last part has, and the next one follows k cycles later. Behind the link the other
/// flits catch up with the head by the stages of route computation and VC allocation, which they do not have,
/// in each of the r routers that follow. So a message of P flits takes Σ(k_i − 1) + max(0, (P − 1)·(k_i − 1)
/// − r_i·stages) cycles more than over wide links, where k_i are the cycles of a flit on each link of its
/// way.
TEST_P(LinkWidthOf, LatencyAtZeroLoadHasItsClosedForm) {
  const std::vector<std::vector<Link>> rows = {
      {{0, 32}},          {{0, 63}},          {{0, 64}},         {{0, 1000}},       {{7, 8}, {}},
      {{}, {3, 16}},      {{0, 16}, {0, 32}}, {{2, 24}, {0, 1}}, {{}, {5, 10}, {}}, {{0, 32}, {}, {0, 21}},
      {{0, 64}, {9, 65}},
  };
  std::vector<std::pair<std::unique_ptr<FabricBench>, std::unique_ptr<FabricBench>>> benches;
  for (const std::vector<Link>& links : rows) {
    std::vector<Link> wide = links;
    for (Link& link : wide) link.width = 0;
    benches.push_back({bench_of(links, GetParam().settings), bench_of(wide, GetParam().settings)});
  }
  benches.front().first->run(2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PipelineSettings& pipeline = GetParam().settings.router.pipeline;
    const std::int64_t stages = pipeline.routing + pipeline.vc_allocation;
    const auto last = static_cast<NodeId>(rows[i].size());
    for (const std::uint32_t length : {1u, 2u, 3u, 17u})
      for (const bool back : {false, true}) {
        const NodeId from = back ? last : 0, to = back ? 0 : last;
        std::int64_t sum = 0, behind = 0;
        for (std::int64_t link = 0; link < last; ++link) {
          const std::int64_t more = cycles_of(rows[i][static_cast<std::size_t>(link)]) - 1;
          const std::int64_t routers = back ? link + 1 : last - link;
          sum += more;
          behind = std::max(behind, (length - 1) * more - routers * stages);
        }
        EXPECT_EQ(latency_of(*benches[i].first, from, to, length),
                  latency_of(*benches[i].second, from, to, length) + static_cast<Cycle>(sum + behind))
            << "row " << i << ": " << length << " flits from " << from << " to " << to;
      }
    expect_clean(*benches[i].first);
  }
}

/// Two inputs and several virtual channels want the link: it carries one flit every k cycles, in each
/// direction.
TEST_P(LinkWidthOf, ABusyLinkCarriesOneFlitEveryKCycles) {
  const std::vector<unsigned> widths = {64, 40, 22, 8};
  std::vector<std::unique_ptr<FabricBench>> benches;
  for (const unsigned width : widths) benches.push_back(bench_of({{}, {0, width}, {}}, GetParam().settings));
  benches.front()->run(2);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    FabricBench& bench = *benches[i];
    const unsigned k = cycles_of({0, widths[i]});
    const bool whole = GetParam().settings.router.switching != "wormhole";
    const std::uint32_t length = whole ? 50 : 500;
    for (unsigned n = 0; n < 6000 / length; ++n)
      for (const auto& [from, to] : {std::pair{0u, 3u}, {1u, 2u}, {3u, 0u}, {2u, 1u}})
        bench.fabric.network_interface(from).send(to, length);
    bench.run(300);
    const auto sent = [&](RouterId router, unsigned port) {
      return bench.fabric.router(router).output(port).flits_sent();
    };
    const std::uint64_t right = sent(1, 1), left = sent(2, 0);
    bench.run(200 * k);
    EXPECT_EQ(sent(1, 1) - right, 200u) << widths[i];
    EXPECT_EQ(sent(2, 0) - left, 200u) << widths[i];
    ASSERT_TRUE(bench.drain(200000)) << widths[i];
    expect_clean(bench);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, LinkWidthOf, testing::ValuesIn(kHardware),
                         [](const auto& hardware) { return std::string(hardware.param.name); });

/// Every router waits for the tail: the links' cycles per flit add up for each flit.
TEST(LinkWidth, StoreAndForwardPaysForEveryFlitOnEveryLink) {
  const HardwareSettings hardware = changed("iq", 2, 0, "port", "store-and-forward");
  const auto narrow = bench_of({{0, 32}, {}, {4, 16}}, hardware), wide = bench_of({{}, {}, {4, 0}}, hardware);
  narrow->run(2);
  for (const std::uint32_t length : {1u, 2u, 9u})
    EXPECT_EQ(latency_of(*narrow, 0, 3, length), latency_of(*wide, 0, 3, length) + (1 + 3) * length)
        << length;
}

/// Credits have wires of their own. With b flits of buffer one message sends b flits in each credit loop,
/// which is C cycles as over a wide link and the k − 1 for which the rest of a flit is under way, or in b·k
/// cycles.
TEST(LinkWidth, CreditsTakeNoLonger) {
  struct Loop {
    unsigned width, buffer;
    std::unique_ptr<FabricBench> bench;
  };
  std::vector<Loop> loops;
  for (const unsigned width : {64u, 32u, 13u})
    for (const unsigned buffer : {2u, 3u, 8u, 20u}) {
      HardwareSettings hardware = preset("iq");
      hardware.router.virtual_channels = 1;
      hardware.router.input_buffer = buffer;
      loops.push_back({width, buffer, bench_of({{10, width}}, hardware)});
    }
  loops.front().bench->run(2);
  for (const Loop& loop : loops) {
    FabricBench& bench = *loop.bench;
    const unsigned k = cycles_of({0, loop.width});
    bench.fabric.network_interface(0).send(1, 6000);
    bench.run(400);
    const HardwareParameters& p = bench.fabric.context().hardware;
    const unsigned credit_loop = p.router.pipeline.switch_to_output() + 10 + 10 + p.router.pipeline.credit;
    const unsigned period = std::max(loop.buffer * k, credit_loop + k - 1);
    const std::uint64_t before = bench.fabric.router(0).output(0).flits_sent();
    bench.run(20 * period);
    EXPECT_EQ(bench.fabric.router(0).output(0).flits_sent() - before, 20u * loop.buffer)
        << loop.width << " bits, " << loop.buffer << " flits";
    ASSERT_TRUE(bench.drain(200000));
    expect_clean(bench);
  }
}

TEST(LinkWidth, ItsCounterRunsDown) {
  const auto bench = bench_of({{0, 16}}, preset("iq"));
  bench->run(2);
  bench->fabric.network_interface(0).send(1, 3);
  const PortView link(bench->fabric.router(0).state(), 0);
  EXPECT_EQ(NarrowLinks::link(link.state(), 0).flit_cycles, 4u);
  std::string seen;
  for (unsigned i = 0; i < 40; ++i) {
    bench->run(1);
    seen += std::to_string(*hardware::kNarrowOutputRegisters[0].read(link));
  }
  EXPECT_NE(seen.find("0321032103210000"), std::string::npos) << seen;
}

/// A fault takes what is on the link, the flit that is crossing it included; after the repair it is as
/// before.
TEST(LinkWidth, AFaultCutsAMessageOnANarrowLink) {
  struct Fault {
    Cycle at, duration;
    std::unique_ptr<FabricBench> bench;
  };
  const auto none = recovery_protocols().at("none").make({}, tree());
  std::vector<Fault> faults;
  for (const Cycle at : {20u, 21u, 22u, 23u, 24u, 40u})
    for (const Cycle duration : {1u, 2u, 30u})
      faults.push_back({at, duration, bench_of({{}, {3, 16}, {}}, preset("iq"), none.get())});
  faults.front().bench->run(2);
  for (const Fault& fault : faults) {
    SCOPED_TRACE(std::to_string(fault.at) + " for " + std::to_string(fault.duration));
    FabricBench& bench = *fault.bench;
    const Cycle undisturbed = latency_of(bench, 0, 3, 12);
    bench.fabric.network_interface(0).send(3, 12);
    bench.run(fault.at);
    bench.fabric.fail_link(1, 1);
    bench.run(fault.duration);
    bench.fabric.repair_link(1, 1);
    ASSERT_TRUE(bench.drain(5000));
    EXPECT_EQ(bench.deliveries.size(), 1u) << "the second message is cut";
    expect_clean(bench);
    EXPECT_EQ(latency_of(bench, 0, 3, 12), undisturbed);
    expect_clean(bench);
  }
}

}  // namespace
}  // namespace flitmend
