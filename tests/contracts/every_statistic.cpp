// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_statistic.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/allocation_counter.h"
#include "support/fabric_bench.h"
#include "testbench/statistics/results.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

/// The sections that a statistic writes, as stats.json has them.
Json sections(std::unique_ptr<OptionalStatistic> statistic) {
  Results with, without;
  with.optional.push_back(std::move(statistic));
  Json json = Json::parse(to_json(with));
  const Json always = Json::parse(to_json(without));
  for (const auto& [key, value] : always.items()) json.erase(key);
  return json;
}

/// Checks what a statistic declares of its numbers.
class DeclarationCheck final : public ResultsVisitor {
 public:
  void begin_section(const Statistic& s) override { check(s); }
  void end_section() override {}
  void begin_list(const Statistic& s) override { check(s); }
  void begin_element() override {}
  void end_element() override {}
  void end_list() override {}
  void value(const Statistic& s, std::uint64_t) override { check(s); }
  void value(const Statistic& s, double) override { check(s); }
  void value(const Statistic& s, bool) override { check(s); }
  void value(const Statistic& s, const std::string&) override { check(s); }
  void value(const Statistic& s, const std::vector<std::uint64_t>&) override { check(s); }
  void undefined(const Statistic& s) override { check(s); }

  unsigned declared = 0;

 private:
  void check(const Statistic& s) {
    ++declared;
    EXPECT_FALSE(s.name.empty());
    EXPECT_FALSE(s.description.empty()) << s.name;
  }
};

struct Delivery {
  Message message;
  Cycle cycle;
};

/// Messages of all nodes of a small network, created and delivered within and outside the window.
std::vector<Delivery> deliveries(NodeId nodes) {
  RandomStream random(5, RandomPurpose::test);
  std::vector<Delivery> all;
  for (Cycle cycle = 0; cycle < 400; ++cycle)
    for (unsigned i = 0; i < 3; ++i) {
      Delivery d{{}, cycle};
      d.message.source = random.below(nodes);
      d.message.destination = random.below(nodes);
      d.message.id = static_cast<std::uint32_t>(all.size());
      d.message.created = cycle - random.below(static_cast<std::uint32_t>(cycle) + 1);
      d.message.injected = d.message.created;
      d.message.length = 1 + random.below(8);
      d.message.hops = static_cast<std::uint16_t>(random.below(6));
      all.push_back(d);
    }
  return all;
}

}  // namespace

TEST_P(EveryStatistic, DeclaresASectionOfItsOwnName) {
  const auto network = make_topology(mesh_network({2, 2}));
  EXPECT_FALSE(GetParam().description.empty());
  DeclarationCheck declarations;
  GetParam().make({*network, {}})->visit(declarations);
  EXPECT_GT(declarations.declared, 1u);
  const Json written = sections(GetParam().make({*network, {}}));
  EXPECT_EQ(written.size(), 1u) << written;
  EXPECT_TRUE(written.contains(GetParam().name)) << written;
}

TEST_P(EveryStatistic, DoesNotDependOnTheOrderOfCallsWithinACycle) {
  FabricBench bench(mesh_network({3, 2}), HardwareSettings{});
  const auto run = [&](bool reversed) {
    std::vector<Delivery> all = deliveries(6);
    const auto statistic = GetParam().make({bench.topology(), {100, 300}});
    for (auto first = all.begin(); first != all.end();) {
      const auto last =
          std::find_if(first, all.end(), [&](const Delivery& d) { return d.cycle != first->cycle; });
      if (first->cycle == 100) statistic->window_begins(bench.fabric);
      if (first->cycle == 300) statistic->window_ends(bench.fabric);
      if (reversed) std::reverse(first, last);
      for (auto d = first; d != last; ++d) statistic->message_created(d->message);
      for (auto d = first; d != last; ++d) statistic->message_delivered(d->message, d->cycle);
      first = last;
    }
    statistic->finish(bench.fabric, 200);
    Results results;
    results.optional.emplace_back(statistic.get(), [](const OptionalStatistic*) {});
    return to_json(results) + statistic->text();
  };
  EXPECT_EQ(run(false), run(true));
  EXPECT_EQ(run(false), run(false));
}

TEST_P(EveryStatistic, AllocatesNothingWhileTheNetworkRuns) {
  FabricBench bench(mesh_network({3, 2}), HardwareSettings{});
  const std::vector<Delivery> all = deliveries(6);
  const auto statistic = GetParam().make({bench.topology(), {100, 300}});
  const std::uint64_t before = allocations();
  statistic->window_begins(bench.fabric);
  for (const Delivery& d : all) {
    statistic->message_created(d.message);
    statistic->message_delivered(d.message, d.cycle);
  }
  statistic->window_ends(bench.fabric);
  EXPECT_EQ(allocations(), before);
}

TEST_P(EveryStatistic, CollectsARunOfAFabric) {
  FabricBench bench(mesh_network({3, 3}), HardwareSettings{});
  std::unique_ptr<Topology> topology = make_topology(mesh_network({3, 3}));
  const auto statistic = GetParam().make({*topology, {20, 220}});
  const Json empty = sections(GetParam().make({bench.topology(), {20, 220}}));
  if (CycleObserver* const observer = statistic->cycle_observer(bench.fabric))
    bench.fabric.add_observer(*observer);
  bench.run(20);
  statistic->window_begins(bench.fabric);
  for (NodeId node = 0; node < 9; ++node) bench.fabric.network_interface(node).send((node + 4) % 9, 5);
  bench.run(200);
  statistic->window_ends(bench.fabric);
  ASSERT_TRUE(bench.drain(1000));
  for (const FabricBench::Delivery& d : bench.deliveries) {
    Message m;
    m.source = d.source;
    m.destination = d.destination;
    m.created = d.created;
    m.injected = d.injected;
    m.length = d.length;
    m.hops = static_cast<std::uint16_t>(d.hops);
    statistic->message_created(m);
    statistic->message_delivered(m, d.delivered);
  }
  statistic->finish(bench.fabric, 200);
  topology.reset();  // results may outlive it
  Results results;
  results.optional.emplace_back(statistic.get(), [](const OptionalStatistic*) {});
  const Json json = Json::parse(to_json(results));
  EXPECT_NE(json[std::string(GetParam().name)], empty[std::string(GetParam().name)])
      << "a run with 9 messages changes nothing";
}

}  // namespace flitmend
