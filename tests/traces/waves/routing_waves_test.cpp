// SPDX-License-Identifier: Apache-2.0
// The registers of routing algorithms in the waves: vectors and rounds of probability vectors, and the fields
// of heads that go over intermediate nodes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "base/random_stream.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/probability_vector_exchange.h"
#include "rtl_tlm/mechanisms/vectors/vector_counters.h"
#include "rtl_tlm/mechanisms/vectors/vectors.h"
#include "rtl_tlm/registers/register_text.h"
#include "rtl_tlm/registers/virtual_channel.h"
#include "support/fabric_bench.h"
#include "support/vcd_reader.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

/// A fabric whose waves are recorded. What the registers hold is noted after every cycle.
class RoutingWaves : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("flitmend_routing_waves_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    waves_.reset();
    std::filesystem::remove_all(folder_);
  }

  void build(const NetworkSettings& network, const HardwareSettings& hardware, const RoutingSettings& routing,
             std::unique_ptr<RecoveryProtocol> recovery) {
    recovery_ = std::move(recovery);
    bench_ = std::make_unique<FabricBench>(network, hardware, routing, "fabric", 1, recovery_.get());
    waves_ = std::make_unique<FabricWaves>(bench_->fabric);
    WaveSettings settings;
    settings.enabled = true;
    file_ = waves_->start(settings, folder_.string(), sc_core::sc_time(1, sc_core::SC_NS)).dump;
  }
  Fabric& fabric() { return bench_->fabric; }
  const RouterState& state(RouterId router) { return fabric().router(router).state(); }
  std::string name(RouterId router) const { return "fabric." + bench_->topology().router_name(router); }
  std::string name(RouterId router, PortId port) const {
    return name(router) + "." + bench_->topology().port_name(router, port);
  }

  void run(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) {
      bench_->run(1);
      note_registers();
    }
  }
  /// Random messages, from every node at that rate.
  void run_random(unsigned cycles, double rate) {
    for (unsigned i = 0; i < cycles; ++i) {
      for (NodeId node = 0; node < fabric().node_count(); ++node)
        if (random_.uniform() < rate) {
          const NodeId to = (node + 1 + random_.below(fabric().node_count() - 1)) % fabric().node_count();
          fabric().network_interface(node).send(to, 4);
        }
      run(1);
    }
  }
  virtual void note_registers() = 0;
  void note(const std::string& register_name, RegisterValue value) { noted_[register_name].push_back(value); }

  VcdDump dump() {
    waves_->finish();
    EXPECT_EQ(waves_->recorder().failure(), "");
    return read_vcd(read_whole_file(file_));
  }
  /// Every register noted had that value in every cycle. Returns how many were not constant.
  std::size_t compare(const VcdDump& dump) {
    std::size_t moving = 0;
    for (const auto& [register_name, values] : noted_) {
      if (!dump.signals.contains(register_name)) {
        ADD_FAILURE() << register_name << " is not in the waves";
        continue;
      }
      const VcdDump::Signal& signal = dump[register_name];
      moving += signal.changes.size() > 1;
      for (Cycle t = 0; t < values.size(); ++t) {
        const VcdDump::Change wave = signal.at(t);
        const RegisterValue shown = wave.absent ? RegisterValue() : RegisterValue(wave.value);
        if (shown != values[t]) {
          ADD_FAILURE() << register_name << " in cycle " << t << ": " << shown.value_or(0)
                        << " in the waves, " << values[t].value_or(0) << " in the register";
          break;
        }
      }
    }
    return moving;
  }

  std::map<std::string, std::vector<RegisterValue>> noted_;  ///< by full name: a value per cycle
  std::unique_ptr<FabricBench> bench_;

 private:
  std::filesystem::path folder_;
  std::string file_;
  RandomStream random_{3, RandomPurpose::test};
  std::unique_ptr<RecoveryProtocol> recovery_;
  std::unique_ptr<FabricWaves> waves_;
};

/// Probability vectors on a 4-ary 2-cube: 5 elements, 4 wires per channel, so rounds of 16 cycles.
class VectorWaves : public RoutingWaves {
 protected:
  static constexpr unsigned kElements = 5, kPorts = 4, kRound = 16;

  void SetUp() override {
    RoutingWaves::SetUp();
    RoutingSettings routing;
    routing.algorithm = "probability-vectors";
    routing.options = {{"vector_bits", std::int64_t{kVectorElementBits / kRound}}};
    HardwareSettings hardware = preset("iq");
    hardware.router.vc_reallocation = "atomic";
    const NetworkSettings torus = grid_network("torus", {4, 4});
    build(torus, hardware, routing,
          std::make_unique<ProbabilityVectorExchange>(*make_topology(torus), kVectorElementBits / kRound,
                                                      recovery_protocols().at("none").make({}, routing)));
  }
  void note_vector(const std::string& vector, const double* elements) {
    for (unsigned l = 0; l < kElements; ++l)
      note(vector + ".l" + std::to_string(l + 1) + ".p", std::bit_cast<std::uint64_t>(elements[l]));
  }
  void note_registers() override {
    const Cycle next = fabric().context().next_cycle;
    for (RouterId r = 0; r < fabric().node_count(); ++r) {
      const RouterState& registers = state(r);
      const VectorState& v = Vectors::exchange(registers);
      const std::string own = name(r) + ".vectors";
      note(own + ".round", v.round);
      note(own + ".next", v.next);
      note(own + ".timer", v.ends > next ? v.ends - next : 0);
      note(own + ".shift", v.bits);
      note(own + ".left", v.left);
      note(own + ".healthy", v.healthy);
      note_vector(own, Vectors::own(registers));
      for (PortId p = 0; p < kPorts; ++p) {
        const VectorPort& arriving = Vectors::port(registers, p);
        const std::string neighbour = name(r, p) + ".vector";
        note(neighbour + ".element", arriving.element);
        note(neighbour + ".shift", arriving.bits);
        note(neighbour + ".received", arriving.received);
        note_vector(neighbour, Vectors::received(registers, p));
      }
    }
  }
};

/// Routing through intermediate nodes on KNS(4, 2).
class IntermediateWaves : public RoutingWaves {
 protected:
  static constexpr NodeId kSource = 0, kDestination = 5;  // (0, 0) and (1, 1)
  static constexpr NodeId kCorner = 4;                    // (0, 1)

  void SetUp() override {
    RoutingWaves::SetUp();
    RoutingSettings routing;
    routing.algorithm = "intermediate-nodes";
    routing.options = {{"recomputation_cycles", std::int64_t{10}}};
    routing.head_wait_cycles = 20;
    build(kns_network(4, 2), preset("kns"), routing, recovery_protocols().at("none").make({}, routing));
  }
  /// The source cannot cross dimension 0 any more: its messages go over nodes of its column.
  void cut_dimension_0() {
    fabric().fail_link(kSource, 0);
    for (int i = 0; i < 1000 && fabric().context().sources_stopped; ++i) run(1);
    ASSERT_FALSE(fabric().context().sources_stopped);
  }
  /// The head at the front of a virtual channel, if it waits for a route: what its message says.
  void note_registers() override {
    const NetworkContext& context = fabric().context();
    for (RouterId r = 0; r < bench_->topology().router_count(); ++r)
      for (unsigned id = 0; id < state(r).ids(); ++id) {
        const std::string vc = vc_name(r, id);
        RegisterValue left, next, segment;
        if (state(r).route_fsm(id) == RouteFsm::needs_route) {
          const Message& message = context.messages[state(r).front(id).message];
          const IntermediateFields fields = context.routing.intermediate_fields(message.head_state);
          left = fields.left;
          segment = fields.segment;
          if (fields.left > 0) next = fields.next;
        }
        note(vc + ".head.intermediates", left);
        note(vc + ".head.intermediate", next);
        note(vc + ".head.segment", segment);
      }
    for (NodeId node = 0; node < fabric().node_count(); ++node)
      note(name(node) + ".interface.injector.stopped", context.sources_stopped);
  }
  std::string vc_name(RouterId r, unsigned id) {
    return name(r) + "." + port_name(state(r), state(r).port_of(id)) + ".vc" +
           std::to_string(state(r).vc_of(id));
  }
};

}  // namespace

// The exchange at the start, and one after a link has failed and one after its repair, while traffic flows
// and while nothing else moves.
TEST_F(VectorWaves, ShowTheVectorsAndTheRoundsOfTheRegisters) {
  run(kElements * kRound + 20);
  run_random(40, 0.05);
  fabric().fail_link(5, 0);
  run_random(120, 0.05);
  run(100);
  fabric().repair_link(5, 0);
  run(150);
  const VectorCounters& counters = fabric().context().shared<VectorCounters>();
  EXPECT_EQ(counters.exchanges, 3u);
  const VcdDump waves = dump();
  EXPECT_GT(compare(waves), 16u * (5 + kElements));

  // The rounds of all routers in the waves are those counted.
  std::uint64_t rounds = 0;
  for (RouterId r = 0; r < 16; ++r) {
    std::uint64_t before = 0;
    for (const VcdDump::Change& change : waves[name(r) + ".vectors.round"].changes) {
      rounds += change.value != before && change.value != 0;
      before = change.value;
    }
  }
  EXPECT_EQ(rounds, counters.rounds);
}

// A round lasts 16 cycles, each of which shifts 4 bits out.
TEST_F(VectorWaves, ShowARoundCycleByCycle) {
  run(kElements * kRound + 10);
  const VcdDump waves = dump();
  const std::string own = name(0) + ".vectors.";
  const VcdDump::Signal &round = waves[own + "round"], &timer = waves[own + "timer"];
  for (Cycle t = 0; t < kElements * kRound; ++t) {
    EXPECT_EQ(round.at(t).value, t / kRound + 1) << "cycle " << t;
    EXPECT_EQ(timer.at(t).value, kRound - 1 - t % kRound) << "cycle " << t;
    EXPECT_EQ(waves[own + "left"].at(t).value, timer.at(t).value * kVectorElementBits / kRound) << t;
  }
  EXPECT_EQ(round.at(kElements * kRound).value, 0u);
}

TEST_F(IntermediateWaves, ShowTheFieldsOfTheHeads) {
  run_random(50, 0.05);
  cut_dimension_0();
  for (NodeId to = 1; to < fabric().node_count(); ++to) fabric().network_interface(kSource).send(to, 4);
  run_random(300, 0.05);
  run(300);
  EXPECT_TRUE(fabric().quiet());
  const VcdDump waves = dump();
  EXPECT_GT(compare(waves), 100u);
  std::set<std::uint64_t> segments, left;
  for (const auto& [signal_name, signal] : waves.signals)
    for (const VcdDump::Change& change : signal.changes) {
      if (change.absent) continue;
      if (signal_name.ends_with(".head.segment")) segments.insert(change.value);
      if (signal_name.ends_with(".head.intermediates")) left.insert(change.value);
    }
  EXPECT_EQ(segments, (std::set<std::uint64_t>{0, 1}));
  EXPECT_EQ(left, (std::set<std::uint64_t>{0, 1}));
}

// From the source over the corner: up to the corner I = 1 and segment 0, behind it I = 0 and segment 1.
TEST_F(IntermediateWaves, ShowAHeadOnItsWay) {
  run(1);
  cut_dimension_0();
  const Cycle begin = fabric().cycles();
  fabric().network_interface(kSource).send(kDestination, 4);
  run(100);
  EXPECT_EQ(bench_->deliveries.size(), 1u);
  const VcdDump waves = dump();
  compare(waves);

  using Step = std::tuple<std::string, std::uint64_t, std::uint64_t>;  // router, I, segment
  std::vector<Step> way;
  const Topology& topology = bench_->topology();
  for (Cycle t = begin; t < fabric().cycles(); ++t)
    for (RouterId r = 0; r < topology.router_count(); ++r)
      for (unsigned id = 0; id < state(r).ids(); ++id) {
        const std::string head = vc_name(r, id) + ".head.";
        const VcdDump::Change left = waves[head + "intermediates"].at(t);
        if (left.absent) continue;
        EXPECT_EQ(waves[head + "intermediate"].at(t).absent, left.value == 0);
        if (left.value > 0) {
          EXPECT_EQ(waves[head + "intermediate"].at(t).value, kCorner);
        }
        const Step step{topology.router_name(r), left.value, waves[head + "segment"].at(t).value};
        if (way.empty() || way.back() != step) way.push_back(step);
      }
  const RouterId up = topology.neighbour(kSource, 1)->router, across = topology.neighbour(kCorner, 0)->router;
  EXPECT_EQ(way, (std::vector<Step>{{topology.router_name(kSource), 1, 0},
                                    {topology.router_name(up), 1, 0},
                                    {topology.router_name(kCorner), 1, 0},
                                    {topology.router_name(across), 0, 1},
                                    {topology.router_name(kDestination), 0, 1}}));
}

}  // namespace flitmend
