// SPDX-License-Identifier: Apache-2.0
// No result depends on the order in which a fabric evaluates its routers, nor on the threads that do, and
// observers are notified in node order.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/fabric_bench.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

/// The notifications about messages, in order.
class Heard : public MessageObserver {
 public:
  std::vector<std::string> lines;

 private:
  void note(const char* what, const Message& m, Cycle t) {
    lines.push_back(std::to_string(t) + " " + what + " " + std::to_string(m.source) + "." +
                    std::to_string(m.id));
  }
  void message_injected(MessageIndex, const Message& m, Cycle t) override { note("injected", m, t); }
  void message_delivered(MessageIndex, const Message& m, NodeId, Cycle t) override {
    note("delivered", m, t);
  }
  void message_undeliverable(MessageIndex, const Message& m, Cycle t) override {
    note("undeliverable", m, t);
  }
};

class Twin {
 public:
  Twin(const NetworkSettings& network, const HardwareSettings& hardware, const RoutingSettings& routing,
       const char* name, bool alternate, unsigned threads = 1)
      : bench(network, hardware, routing, name),
        folder_(std::filesystem::path(testing::TempDir()) / ("flitmend_order_" + std::to_string(getpid())) /
                name) {
    bench.fabric.add_observer(static_cast<MessageObserver&>(heard));
    bench.fabric.alternate_order(alternate);
    if (threads > 1) bench.fabric.set_threads({threads});
    std::filesystem::create_directories(folder_);
    WaveSettings settings;
    settings.enabled = true;
    waves_ = std::make_unique<FabricWaves>(bench.fabric);
    waves_->start(settings, folder_.string(), sc_core::sc_time(1, sc_core::SC_NS));
  }
  ~Twin() { std::filesystem::remove_all(folder_); }

  /// The waveform without the fabric's name.
  std::string waves() {
    waves_.reset();
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".vcd") {
        std::ifstream in(entry.path());
        std::stringstream text;
        text << in.rdbuf();
        const std::string all = text.str();
        const std::size_t values = all.find("$enddefinitions");
        return values == std::string::npos ? "" : all.substr(values);
      }
    return "";
  }

  FabricBench bench;
  Heard heard;

 private:
  std::filesystem::path folder_;
  std::unique_ptr<FabricWaves> waves_;
};

struct OrderCase {
  const char* name;
  NetworkSettings network;
  HardwareSettings hardware;
  std::int64_t virtual_channels;
  const char* algorithm;
  friend void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }
};

class EvaluationOrder : public testing::TestWithParam<OrderCase> {};

// More routers, and nodes, than bits in a word of the fabric's masks.
TEST_P(EvaluationOrder, ChangesNothing) {
  const OrderCase& c = GetParam();
  RoutingSettings routing;
  routing.algorithm = c.algorithm;
  HardwareSettings hardware = c.hardware;
  hardware.router.virtual_channels = c.virtual_channels;
  Twin up(c.network, hardware, routing, "up", false), both(c.network, hardware, routing, "both", true),
      threads(c.network, hardware, routing, "threads", true, 3);
  RandomStream random(5, RandomPurpose::test, 0);
  const NodeId nodes = up.bench.topology().node_count();
  ASSERT_GT(nodes, 64u);
  const auto each = [&](auto&& f) { f(up.bench), f(both.bench), f(threads.bench); };
  const auto run = [](Cycle cycles) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
  };
  for (int t = 0; t < 300; ++t) {
    for (int i = 0; i < 4; ++i) {
      const NodeId from = random.below(nodes), to = random.below(nodes);
      const std::uint32_t length = 1 + random.below(8);
      each([&](FabricBench& b) { b.fabric.network_interface(from).send(to, length); });
    }
    run(1);
  }
  for (int t = 0; t < 5000 && up.bench.fabric.messages_in_network() > 0; t += 100) run(100);
  run(50);
  EXPECT_EQ(up.bench.deliveries.size(), 1200u);
  for (const Twin* other : {&both, &threads}) {
    EXPECT_EQ(up.bench.deliveries, other->bench.deliveries);
    EXPECT_EQ(up.heard.lines, other->heard.lines);
  }
  EXPECT_GT(threads.bench.fabric.threaded_cycles(), 200u);
  each([](FabricBench& b) { EXPECT_TRUE(b.fabric.check_conservation().idle()); });
  const std::string waves = up.waves();
  EXPECT_GT(waves.size(), 100000u);
  EXPECT_TRUE(waves == both.waves());
  EXPECT_TRUE(waves == threads.waves());
}

/// Asks at every rising edge which cycle is next.
struct NextCycle : sc_core::sc_module {
  sc_core::sc_in<bool> clock{"clock"};
  const Fabric* fabric = nullptr;
  std::vector<Cycle> answers;
  SC_HAS_PROCESS(NextCycle);
  explicit NextCycle(sc_core::sc_module_name name) : sc_module(name) {
    SC_METHOD(ask);
    sensitive << clock.pos();
    dont_initialize();
  }
  void ask() { answers.push_back(fabric->next_cycle()); }
};

// Processes that an edge starts before and after the fabric's own.
TEST(EvaluationOrderOfProcesses, ChangesNothing) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NextCycle before("before");
  const auto topology = make_topology(mesh_network({2, 2}));
  const auto routing = make_routing(*topology, 4, {});
  const auto selection = make_selection(*topology, {});
  Fabric fabric("fabric", *topology, *routing, *selection, HardwareParameters::from({}));
  NextCycle after("after");
  for (NextCycle* process : {&before, &after}) {
    process->fabric = &fabric;
    process->clock(clock);
  }
  fabric.clock(clock);
  sc_core::sc_start(sc_core::sc_time(8, sc_core::SC_NS));
  EXPECT_EQ(before.answers, (std::vector<Cycle>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(after.answers, before.answers);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, EvaluationOrder,
    testing::Values(OrderCase{"mesh", mesh_network({10, 9}), preset("iq"), 4, "dimension-order"},
                    OrderCase{"direct_injection", mesh_network({10, 9}), preset("kary-ncube"), 4, "duato"},
                    OrderCase{"switches", kns_network(9, 2), preset("kns"), 4, "hybrid-dor"},
                    // 8 ports of 8 virtual channels: masks of virtual channels fill one word.
                    OrderCase{"full_word", hypercube_network(7), preset("iq"), 8, "dimension-order"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(EvaluationOrderOfFaults, SendersHearOfUndeliverableMessagesByNode) {
  HardwareSettings hardware = preset("iq");
  Twin up(mesh_network({10, 9}), hardware, {}, "up", false),
      both(mesh_network({10, 9}), hardware, {}, "both", true, 2);
  for (Twin* twin : {&up, &both}) {
    Fabric& fabric = twin->bench.fabric;
    for (const RouterId r : {70u, 12u, 35u}) {  // no route to a higher first coordinate
      for (PortId p = 0; p < fabric.topology().port_count(r); ++p)
        if (fabric.topology().port_name(r, p) == "east") fabric.channel(r, p)->fail(0);
    }
  }
  const auto run = [](Cycle cycles) {
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
  };
  run(3);
  for (Twin* twin : {&up, &both})
    for (const NodeId from : {70u, 12u, 35u}) twin->bench.fabric.network_interface(from).send(from + 2, 3);
  run(1);
  for (Twin* twin : {&up, &both})
    for (const NodeId from : {35u, 70u, 12u}) twin->bench.fabric.network_interface(from).send(from + 2, 2);
  run(60);
  std::vector<std::string> sources;
  for (const std::string& line : up.heard.lines)
    if (const auto at = line.find(" undeliverable "); at != std::string::npos)
      sources.push_back(line.substr(at + 15));
  EXPECT_EQ(sources, (std::vector<std::string>{"12.0", "35.0", "70.0", "12.1", "35.1", "70.1"}));
  EXPECT_EQ(up.heard.lines, both.heard.lines);
  for (Twin* twin : {&up, &both}) {
    EXPECT_EQ(twin->bench.fabric.messages_in_network(), 0u);
    EXPECT_EQ(twin->bench.fabric.context().messages.in_use(), 0u);
    EXPECT_TRUE(twin->bench.fabric.check_conservation().idle());
  }
}

}  // namespace
}  // namespace flitmend
