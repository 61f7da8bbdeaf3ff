// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/fabric_waves.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "base/random_stream.h"
#include "support/fabric_bench.h"
#include "support/recording_ends.h"
#include "support/vcd_reader.h"
#include "traces/waves/router_probes.h"

namespace flitmend {
namespace {

class FabricWaveTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("flitmend_fabric_waves_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    settings_.enabled = true;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Runs `drive` and returns what was recorded.
  VcdDump record(FabricBench& bench, const std::function<void(FabricBench&)>& drive) {
    FabricWaves waves(bench.fabric);
    const WaveFiles files = waves.start(settings_, folder_.string(), sc_core::sc_time(1, sc_core::SC_NS));
    drive(bench);
    waves.finish();
    EXPECT_EQ(waves.recorder().failure(), "");
    return read_vcd(read_whole_file(files.dump));
  }
  std::filesystem::path folder_;
  WaveSettings settings_;
};

// Uniform traffic, the same for every fabric of this size.
void send_random(FabricBench& bench, unsigned cycles, double rate, std::uint32_t length) {
  RandomStream random(11, RandomPurpose::test);
  const NodeId nodes = bench.fabric.node_count();
  for (unsigned t = 0; t < cycles; ++t) {
    for (NodeId node = 0; node < nodes; ++node)
      if (random.uniform() < rate) {
        const NodeId to = (node + 1 + random.below(nodes - 1)) % nodes;
        bench.fabric.network_interface(node).send(to, length);
      }
    bench.run(1);
  }
  EXPECT_TRUE(bench.drain(100'000));
}

std::string word(const WaveEnum& words, const VcdDump::Signal& signal, std::uint64_t t) {
  const VcdDump::Change c = signal.at(t);
  return c.absent ? "z" : std::string(words.values.at(c.value).text);
}

}  // namespace

// Everything that flits do is in the waves: the counts taken from the waves are those of the fabric.
TEST_F(FabricWaveTest, CountsOfTheWavesAreThoseOfTheFabric) {
  HardwareSettings hardware = preset("iq");
  FabricBench bench(mesh_network({4, 4}), hardware);
  const VcdDump dump = record(bench, [](FabricBench& b) { send_random(b, 400, 0.05, 4); });
  std::uint64_t on_links = 0, sent = 0, received = 0, tails = 0;
  for (const auto& [name, signal] : dump.signals) {
    const bool link = name.ends_with("input_flit.kind") && name.find(".local.") == std::string::npos;
    const bool injector = name.ends_with("injector.flit.kind"),
               receiver = name.ends_with("receiver.flit.kind");
    if (!link && !injector && !receiver) continue;
    for (const std::uint64_t t : dump.times) {
      const std::string kind = word(flit_kind_words(), signal, t);
      if (kind == "-") continue;
      on_links += link;
      sent += injector;
      received += receiver;
      tails += receiver && kind == "T";
    }
  }
  EXPECT_EQ(on_links, bench.fabric.flit_hops());
  EXPECT_EQ(sent, bench.fabric.context().flits_injected);
  EXPECT_EQ(received, bench.fabric.context().flits_consumed);
  EXPECT_EQ(tails, bench.deliveries.size());
  EXPECT_GT(bench.deliveries.size(), 200u);
}

// In every cycle, on every channel: credits + flits in the next buffer + flits and credits on the wires =
// buffer depth. Credits on the wires are not in the waves, so the sum must never be above the depth, and must
// equal it when nothing moves.
TEST_F(FabricWaveTest, CreditsAndFillNeverExceedTheBuffer) {
  FabricBench bench(mesh_network({3, 3}), preset("iq"));
  const VcdDump dump = record(bench, [](FabricBench& b) { send_random(b, 300, 0.1, 5); });
  const Topology& topology = bench.topology();
  unsigned checked = 0;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId p = 0; p < topology.port_count(r); ++p) {
      const auto far = topology.neighbour(r, p);
      if (!far) continue;
      for (unsigned vc = 0; vc < 4; ++vc) {
        const auto name = [&](RouterId router, PortId port) {
          return "fabric." + topology.router_name(router) + "." + topology.port_name(router, port) + ".";
        };
        const std::string v = "vc" + std::to_string(vc);
        const auto& credits = dump[name(r, p) + "output." + v + ".credits"];
        const auto& fill = dump[name(far->router, far->port) + v + ".input_buffer"];
        for (const std::uint64_t t : dump.times) {
          ASSERT_LE(credits.at(t).value + fill.at(t).value, 8u);
          ++checked;
        }
        EXPECT_EQ(credits.at(dump.times.back()).value, 8u);
      }
    }
  EXPECT_GT(checked, 10'000u);
}

namespace {

// Makes a recorder compare everything in every cycle.
class SampleEverything : public CycleObserver {
 public:
  explicit SampleEverything(WaveRecorder& recorder) : recorder_(recorder) {}
  void cycle_done(Cycle, const Word*, const Word*, unsigned) override { recorder_.sample_all_next(); }

 private:
  WaveRecorder& recorder_;
};

}  // namespace

// Comparing only the active routers records the same as comparing all of them in every cycle.
TEST_F(FabricWaveTest, SleepingRoutersHideNothing) {
  struct Pair {
    Pair(const std::string& name, const HardwareSettings& hardware)
        : bench(mesh_network({3, 3}), hardware, {}, name.c_str()),
          some(bench.fabric),
          all(bench.fabric),
          everything(all.recorder()) {}
    FabricBench bench;
    FabricWaves some, all;
    SampleEverything everything;
    WaveFiles some_files, all_files;
  };
  std::vector<std::unique_ptr<Pair>> pairs;
  for (const char* name : {"iq", "sbrp", "kary_ncube", "kns"}) {
    HardwareSettings hardware = preset(name == std::string("kary_ncube") ? "kary-ncube" : name);
    for (const int latency : {1, 3}) {
      hardware.link.latency = latency;
      Pair& pair = *pairs.emplace_back(std::make_unique<Pair>(name + std::to_string(latency), hardware));
      const auto start = [&](FabricWaves& w, const std::string& folder) {
        std::filesystem::create_directories(folder_ / folder);
        return w.start(settings_, (folder_ / folder).string(), sc_core::sc_time(1, sc_core::SC_NS));
      };
      pair.some_files = start(pair.some, name + std::to_string(latency) + "_some");
      pair.bench.fabric.add_observer(static_cast<CycleObserver&>(pair.everything));
      pair.all_files = start(pair.all, name + std::to_string(latency) + "_all");
    }
  }
  for (auto& pair : pairs) send_random(pair->bench, 200, 0.02, 4);
  for (auto& pair : pairs) {
    pair->some.finish();
    pair->all.finish();
    const std::string some = read_whole_file(pair->some_files.dump);
    EXPECT_GT(some.size(), 50'000u);
    EXPECT_TRUE(some == read_whole_file(pair->all_files.dump)) << pair->some_files.dump;
  }
}

// The same with faults, which change registers between two cycles.
TEST_F(FabricWaveTest, FaultsAreNotHidden) {
  RecoveryLog log;
  const RecordingProtocol protocol(100, log);
  FabricBench bench(mesh_network({3, 3}), preset("iq"), {}, "fabric", 1, &protocol);
  Fabric& fabric = bench.fabric;
  FabricWaves some(fabric), all(fabric);
  SampleEverything everything(all.recorder());
  const auto start = [&](FabricWaves& w, const char* folder) {
    std::filesystem::create_directories(folder_ / folder);
    return w.start(settings_, (folder_ / folder).string(), sc_core::sc_time(1, sc_core::SC_NS)).dump;
  };
  const std::string some_dump = start(some, "some");
  fabric.add_observer(static_cast<CycleObserver&>(everything));
  const std::string all_dump = start(all, "all");
  RandomStream random(5, RandomPurpose::test);
  for (unsigned t = 0; t < 300; ++t) {
    for (NodeId node = 0; node < 9; ++node)
      if (random.below(25) == 0) fabric.network_interface(node).send((node + 1 + random.below(8)) % 9, 5);
    bench.run(1);
    if (t == 100) fabric.fail_router(4);
    if (t == 150) fabric.fail_link(0, 0);
    if (t == 160) fabric.repair_router(4);
    if (t == 200) fabric.repair_link(0, 0);
  }
  EXPECT_TRUE(bench.drain(10'000));
  EXPECT_FALSE(log.cuts.empty());
  some.finish();
  all.finish();
  EXPECT_TRUE(read_whole_file(some_dump) == read_whole_file(all_dump)) << some_dump;
  const VcdDump dump = read_vcd(read_whole_file(some_dump));
  const VcdDump::Signal& down = dump["fabric.router_1_1.down"];
  EXPECT_EQ(down.at(100).value, 0u);
  EXPECT_EQ(down.at(101).value, 1u) << "from the cycle after the fault on";
  EXPECT_EQ(down.at(160).value, 1u);
  EXPECT_EQ(down.at(161).value, 0u);
  bool lingering = false;
  for (const std::uint64_t t : dump.times) {
    const auto& shadow = dump["fabric.router_0_0.east.output.vc0.shadow.id"];
    const auto& used = dump["fabric.router_0_0.east.output.vc0.lingering"];
    EXPECT_EQ(shadow.at(t).absent, used.at(t).value == 0);
    lingering |= used.at(t).value != 0;
  }
  EXPECT_TRUE(lingering);
}

TEST_F(FabricWaveTest, WavesChangeNothing) {
  HardwareSettings hardware = preset("iq");
  FabricBench without(mesh_network({4, 4}), hardware, {}, "plain"), with(mesh_network({4, 4}), hardware);
  FabricWaves waves(with.fabric);
  waves.start(settings_, folder_.string(), sc_core::sc_time(1, sc_core::SC_NS));
  RandomStream random(3, RandomPurpose::test);
  for (unsigned t = 0; t < 500; ++t) {
    for (NodeId node = 0; node < 16; ++node)
      if (random.below(12) == 0) {
        const NodeId to = (node + 1 + random.below(15)) % 16;
        const std::uint32_t length = 1 + random.below(6);
        with.fabric.network_interface(node).send(to, length);
        without.fabric.network_interface(node).send(to, length);
      }
    with.run(1);  // both: there is one kernel
  }
  ASSERT_TRUE(with.drain(10'000));
  ASSERT_TRUE(without.drain(10'000));
  ASSERT_EQ(with.deliveries.size(), without.deliveries.size());
  for (std::size_t i = 0; i < with.deliveries.size(); ++i) {
    const auto &a = with.deliveries[i], &b = without.deliveries[i];
    EXPECT_TRUE(a.source == b.source && a.destination == b.destination && a.created == b.created &&
                a.injected == b.injected && a.delivered == b.delivered && a.hops == b.hops);
  }
}

// The view of a clock without a period is written at the end. What goes wrong there must not leave the
// destructor as an exception.
TEST_F(FabricWaveTest, AViewThatCannotBeWrittenIsAFailure) {
  FabricBench bench(mesh_network({2, 2}), preset("iq"));
  std::string told;
  {
    FabricWaves waves(bench.fabric);
    waves.recorder().on_failure([&](const std::string& text) { told = text; });
    const WaveFiles files = waves.start(settings_, folder_.string(), sc_core::SC_ZERO_TIME);
    bench.run(5);
    std::filesystem::remove(files.view);
    std::filesystem::create_directory(files.view);
  }
  EXPECT_TRUE(told.starts_with("waves: cannot write ")) << told;
}

TEST_F(FabricWaveTest, ScopeAndWindow) {
  settings_.scope = {"fabric.router_1_1"};
  settings_.from = 100;
  settings_.to = 149;
  FabricBench bench(mesh_network({3, 3}), preset("iq"));
  const VcdDump dump = record(bench, [](FabricBench& b) { send_random(b, 300, 0.05, 4); });
  for (const auto& [name, signal] : dump.signals) EXPECT_EQ(name.rfind("fabric.router_1_1.", 0), 0u);
  EXPECT_EQ(dump.times.front(), 100u);
  EXPECT_EQ(dump.times.back(), 150u);
  std::set<std::string> ports;
  for (const auto& [name, signal] : dump.signals) ports.insert(name.substr(18, name.find('.', 18) - 18));
  EXPECT_EQ(ports, (std::set<std::string>{"east", "interface", "local", "north", "south", "west"}));
}

TEST_F(FabricWaveTest, AnEnvironmentVariableAsksForThemInAnyTest) {
  setenv("FLITMEND_TEST_WAVES", folder_.c_str(), 1);
  const std::filesystem::path place =
      folder_ / "FabricWaveTest.AnEnvironmentVariableAsksForThemInAnyTest" / "fabric";
  {
    FabricBench bench(mesh_network({2, 1}), preset("iq"));
    bench.run(10);
  }
  EXPECT_EQ(read_vcd(read_whole_file(place / "waves.vcd")).times.back(), 10u);
  EXPECT_TRUE(std::filesystem::exists(place / "waves.gtkw"));
}

TEST_F(FabricWaveTest, EveryTopologyHasUniqueReadableNames) {
  NetworkSettings kns, cube, torus = mesh_network({3, 3, 2});
  kns.topology = "kns";
  kns.k = 4;
  kns.n = 2;
  cube.topology = "hypercube";
  cube.dimensions = 3;
  torus.topology = "torus";
  RoutingSettings hybrid;
  hybrid.algorithm = "hybrid-dor";
  const auto signals = [&](const NetworkSettings& network, const char* name,
                           const RoutingSettings& routing = {}) {
    FabricBench bench(network, preset("iq"), routing, name);
    FabricWaves waves(bench.fabric);
    return waves.recorder().tree().signal_count();
  };
  EXPECT_GT(signals(kns, "kns", hybrid), 1000u);
  EXPECT_GT(signals(cube, "cube"), 1000u);
  EXPECT_GT(signals(torus, "torus"), 1000u);
}

}  // namespace flitmend
