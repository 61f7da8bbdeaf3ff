// SPDX-License-Identifier: Apache-2.0
// One message on an empty 2x2 mesh: compares every signal in every cycle with the closed form of the
// pipeline.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include "support/fabric_bench.h"
#include "support/vcd_reader.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

using Value = std::optional<std::uint64_t>;  ///< nothing: absent (z)

struct Case {
  const char* name;
  unsigned routing, vc_allocation, link, flits;
  bool head_copy = false;
  unsigned credit = 1;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

constexpr std::uint64_t kBuffer = 8, kVcs = 4, kSource = 0, kDestination = 3;
constexpr Cycle kInjected = 3;

class OneMessage : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("flitmend_one_message_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Compares a signal with its expected value at the end of each cycle.
  void expect(const std::string& name, const std::function<Value(Cycle)>& value) {
    ASSERT_TRUE(dump_.signals.contains(name)) << name;
    checked_.insert(name);
    for (Cycle t = 0; t <= dump_.times.back(); ++t) {
      const VcdDump::Change is = dump_[name].at(t);
      const Value should = value(t);
      ASSERT_EQ(is.absent, !should) << name << " in cycle " << t;
      if (should) {
        ASSERT_EQ(is.value, *should) << name << " in cycle " << t;
      }
    }
  }
  // How many of the flits, one per cycle from `first` on, have passed at the end of cycle t.
  std::uint64_t passed(Cycle first, Cycle t) const {
    return t < first ? 0 : std::min<std::uint64_t>(GetParam().flits, t - first + 1);
  }
  FlitKind kind(std::uint64_t flit) const {
    return flit == 0 ? FlitKind::head : flit + 1 == GetParam().flits ? FlitKind::tail : FlitKind::data;
  }
  // A flit register, or the signals of an injector or receiver, that the flits pass from `first` on.
  void expect_flits(const std::string& place, Cycle first, const std::set<std::string>& fields) {
    const auto during = [&](Cycle t) { return t >= first && t < first + GetParam().flits; };
    const auto field = [&](const std::string& name, std::function<std::uint64_t(Cycle)> value) {
      if (fields.contains(name))
        expect(place + "." + name, [=](Cycle t) { return during(t) ? Value(value(t - first)) : Value(); });
    };
    expect(place + ".kind",
           [&](Cycle t) { return static_cast<std::uint64_t>(during(t) ? kind(t - first) : FlitKind::none); });
    field("vc", [](Cycle) { return 0; });
    field("word", [](Cycle i) { return i; });  // of the head: dimension order has no state, so 0
    field("source", [](Cycle) { return kSource; });
    field("destination", [](Cycle) { return kDestination; });
    field("id", [](Cycle) { return 0; });
  }

  std::filesystem::path folder_;
  VcdDump dump_;
  std::set<std::string> checked_;
};

}  // namespace

TEST_P(OneMessage, IsSeenAsThePipelineMovesIt) {
  const Case& c = GetParam();
  HardwareSettings hardware;
  ASSERT_TRUE(apply_preset("iq", hardware));
  hardware.router.pipeline.routing = c.routing;
  hardware.router.pipeline.vc_allocation = c.vc_allocation;
  hardware.router.pipeline.credit = c.credit;
  hardware.link.latency = c.link;
  hardware.router.head_copy = c.head_copy;
  FabricBench bench(mesh_network({2, 2}), hardware);
  WaveSettings settings;
  settings.enabled = true;
  {
    FabricWaves waves(bench.fabric);
    const WaveFiles files = waves.start(settings, folder_.string(), sc_core::sc_time(1, sc_core::SC_NS));
    bench.run(kInjected);
    bench.fabric.network_interface(kSource).send(kDestination, c.flits);
    ASSERT_TRUE(bench.drain(500));
    waves.finish();
    dump_ = read_vcd(read_whole_file(files.dump));
  }
  const Cycle flits = c.flits, stages = c.routing + c.vc_allocation + 2, hop = stages + c.link;
  const FabricBench::Delivery& delivery = bench.deliveries.at(0);
  EXPECT_EQ(delivery.delivered - delivery.created, 3 * stages + 2 * c.link + 3 + flits - 1);

  const std::string interface = "fabric.router_0_0.interface.injector";
  expect(interface + ".source_queue",
         [](Cycle) { return 0; });  // the head leaves in the cycle in which the message is created
  expect(interface + ".vc_pointer", [](Cycle t) { return t >= kInjected; });
  expect_flits(interface + ".flit", kInjected, {"vc", "word", "destination", "id"});
  const auto sending = [&](Cycle t) { return t >= kInjected && t + 1 < kInjected + flits; };
  const auto of_lane = [&](std::uint64_t value) {
    return [&sending, value](Cycle t) { return sending(t) ? Value(value) : Value(); };
  };
  expect(interface + ".vc0.destination", of_lane(kDestination));
  expect(interface + ".vc0.id", of_lane(0));
  expect(interface + ".vc0.next_flit",
         [&](Cycle t) { return sending(t) ? Value(t - kInjected + 1) : Value(); });
  expect_flits("fabric.router_0_0.local.input_flit", kInjected,
               {"vc", "word", "source", "destination", "id"});

  // Dimension order: x first. Ports: east, west, north, south as the topology numbers them, then local.
  const Topology& topology = bench.topology();
  const auto number = [&](const char* router, const std::string& port) {
    const RouterId r = router == std::string("router_0_0") ? 0 : router == std::string("router_1_0") ? 1 : 3;
    for (PortId p = 0; p < topology.port_count(r); ++p)
      if (topology.port_name(r, p) == port) return std::uint64_t{p} * kVcs;
    return std::uint64_t{topology.port_count(r)} * kVcs;
  };
  const struct {
    const char *router, *in, *out;
  } path[] = {
      {"router_0_0", "local", "east"}, {"router_1_0", "west", "north"}, {"router_1_1", "south", "local"}};
  Cycle arrival = kInjected + 1;  // of the head, in the input buffer
  for (unsigned h = 0; h < 3; ++h, arrival += hop) {
    const std::string router = std::string("fabric.") + path[h].router + ".";
    const std::string vc = router + path[h].in + ".vc0.", out = router + path[h].out + ".output.";
    const Cycle routed = arrival + c.routing + c.vc_allocation - 1;
    const Cycle cross = routed + 1;        // the head crosses; then one flit per cycle
    const Cycle idle = cross + flits - 1;  // the tail has crossed
    const bool last = h == 2;
    // In the last router credits come from the receiver, over the ejection channel; the receiver's cycle
    // passes while the router processes the credit.
    const Cycle credit = last ? cross + 4 + std::max(1u, c.credit) : cross + hop + c.link + c.credit;
    const auto while_there = [&](std::uint64_t value) {
      return [=](Cycle t) { return t >= arrival && t < idle ? Value(value) : Value(); };
    };
    const auto credits = [&](Cycle t) { return kBuffer - passed(cross, t) + passed(credit, t); };
    expect(vc + "route_fsm", [&](Cycle t) {
      return static_cast<std::uint64_t>(t < arrival || t >= idle ? RouteFsm::idle
                                        : t < routed             ? RouteFsm::needs_route
                                                                 : RouteFsm::routed);
    });
    expect(vc + "stage", [&](Cycle t) {
      return static_cast<std::uint64_t>(t < arrival || t >= idle  ? PipelineStage::none
                                        : t < arrival + c.routing ? PipelineStage::routing
                                        : t < cross               ? PipelineStage::vc_allocation
                                                                  : PipelineStage::switch_allocation);
    });
    expect(vc + "input_buffer", [&](Cycle t) { return passed(arrival, t) - passed(cross, t); });
    expect(vc + "credits", [&](Cycle t) { return t >= routed && t < idle ? Value(credits(t)) : Value(); });
    expect(vc + "flit_counter", [&](Cycle t) { return passed(cross, t); });
    expect(vc + "input_buffer_first", [&](Cycle t) { return passed(cross, t); });
    const Cycle computed = arrival + c.routing;
    expect(vc + "stage_timer", [&](Cycle t) {
      return t < arrival || t > routed ? 0 : t < computed ? computed - t : t < routed ? routed - t : 1;
    });
    expect(vc + "candidates", [&](Cycle t) { return t >= computed; });
    // Ids of virtual channel 0, and the ports that they belong to. A pointer names the last one served.
    const std::uint64_t in_id = number(path[h].router, path[h].in), in_port = in_id / kVcs;
    const std::uint64_t out_id = number(path[h].router, path[h].out), out_port = out_id / kVcs;
    const auto pointer = [](std::uint64_t at_first, Cycle served, std::uint64_t who) {
      return [=](Cycle t) { return t < served ? at_first : who; };
    };
    constexpr std::uint64_t kLastPort = 4;  // routers at an edge have five ports too, some without a channel
    expect(vc + "output_vc", [&](Cycle t) { return t >= routed && t < idle ? Value(out_id) : Value(); });
    expect(vc + "output_port",
           [&](Cycle t) { return t >= computed && t < idle ? Value(out_port) : Value(); });
    expect(vc + "vc_accept_pointer", pointer(kLastPort * kVcs + kVcs - 1, routed, out_id));
    expect(out + "vc0.vc_grant_pointer", pointer(kLastPort * kVcs + kVcs - 1, routed, in_id));
    expect(out + "vc0.free", [&](Cycle t) { return t < routed || t >= idle; });
    expect(router + path[h].in + ".switch_accept_pointer", pointer(kLastPort, cross, out_port));
    expect(router + path[h].in + ".switch_vc_pointer", pointer(in_id + kVcs - 1, cross, in_id));
    expect(out + "switch_grant_pointer", pointer(kLastPort, cross, in_port));
    expect(vc + "head.source", while_there(kSource));
    expect(vc + "head.destination", while_there(kDestination));
    expect(vc + "head.id", while_there(0));
    if (c.head_copy) {
      expect(vc + "head_copy.source", while_there(kSource));
      expect(vc + "head_copy.destination", while_there(kDestination));
      expect(vc + "head_copy.id", while_there(0));
      expect(vc + "head_copy.word", while_there(0));
    }
    expect(out + "vc0.credits", credits);
    expect(out + "vc0.owner", [&](Cycle t) { return t >= routed && t < idle ? Value(in_id) : Value(); });
    expect(out + "granted_input", [&](Cycle t) { return t >= cross && t <= idle ? Value(in_id) : Value(); });
    // The register of the channel shows a flit in the cycle before its reader takes it.
    const Cycle read = last ? cross + 4 : arrival + hop;
    expect_flits(router + path[h].out + ".output_flit", read - 1,
                 {"vc", "word", "source", "destination", "id"});
    if (!last)
      expect_flits(std::string("fabric.") + path[h + 1].router + "." + path[h + 1].in + ".input_flit",
                   read - 1, {"vc", "word", "source", "destination", "id"});
    else
      expect_flits(router + "interface.receiver.flit", read, {"vc", "word", "source", "id"});
  }
  // The injector's credits for the first buffer: one comes back over the injection channel after its flit has
  // crossed.
  const Cycle first_cross = kInjected + 1 + c.routing + c.vc_allocation;
  expect(interface + ".vc0.credits",
         [&](Cycle t) { return kBuffer - passed(kInjected, t) + passed(first_cross + 1 + c.credit, t); });

  // Nothing else changes.
  EXPECT_EQ(dump_.times.back(), bench.fabric.cycles());
  for (const auto& [name, signal] : dump_.signals)
    if (!checked_.contains(name)) {
      EXPECT_EQ(signal.changes.size(), 1u) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, OneMessage,
                         testing::Values(Case{"four_stages", 1, 1, 1, 3}, Case{"one_long_worm", 1, 1, 1, 7},
                                         Case{"deep", 2, 3, 3, 4, true}, Case{"two_flits", 1, 2, 2, 2},
                                         Case{"credits_at_once", 1, 1, 1, 4, false, 0}),
                         [](const auto& c) { return c.param.name; });

}  // namespace flitmend
