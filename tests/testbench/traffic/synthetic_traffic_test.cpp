// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/synthetic_traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/errors.h"
#include "support/files.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

using Message = NewMessage;

class SyntheticTrafficTest : public testing::Test {
 protected:
  std::string refusal(const Topology& topology, double limit = 1) {
    return test::message_of<ConfigurationError>([&] { SyntheticTraffic(settings, topology, limit); });
  }
  TrafficSettings settings;
  const Mesh mesh{{4, 4}};
};

TEST_F(SyntheticTrafficTest, OffersTheLoad) {
  settings.load = 0.3;
  settings.length_distribution = "bimodal";
  const SyntheticTraffic traffic(settings, mesh, 1);
  constexpr Cycle kCycles = 200000;
  double flits = 0;
  for (NodeId node = 0; node < 16; ++node) {
    const auto source = traffic.source(node, 1);
    while (source->next_arrival() < kCycles) {
      const Cycle cycle = source->next_arrival();
      const Message m = source->take();
      EXPECT_EQ(m.cycle, cycle);
      EXPECT_NE(m.destination, node);
      EXPECT_LT(m.destination, 16u);
      EXPECT_GT(source->next_arrival(), m.cycle);
      flits += m.length;
    }
  }
  EXPECT_EQ(traffic.senders(), 16u);
  EXPECT_EQ(traffic.offered_load(), 0.3);
  EXPECT_NEAR(flits / kCycles / 16, 0.3, 0.01);
}

TEST_F(SyntheticTrafficTest, CapacityIsTwiceTheBisectionANode) {
  settings.load_unit = "capacity";
  settings.load = 0.5;
  const Mesh mesh7({7, 7});
  EXPECT_DOUBLE_EQ(SyntheticTraffic(settings, mesh7, 1).load(), 2.0 / 7);
  settings.load = 1.75;
  EXPECT_NO_THROW(SyntheticTraffic(settings, mesh7, 1)) << "just what the injection channel takes";
  settings.load = 1.76;
  EXPECT_EQ(
      refusal(mesh7),
      "traffic.load: 1.76 of capacity, which is 1.00571 flits per node per cycle are more than a node can "
      "inject, "
      "1; lower the load");
}

TEST_F(SyntheticTrafficTest, RefusesImpossibleLoads) {
  settings.load = 1.2;
  EXPECT_EQ(refusal(mesh),
            "traffic.load: 1.2 flits per node per cycle are more than a node can inject, 1; lower the load");
  EXPECT_NO_THROW(SyntheticTraffic(settings, mesh, 4));
  settings.load = -0.1;
  EXPECT_EQ(refusal(mesh), "traffic.load: -0.1; it must be 0 or more");
  settings.load = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(mesh), "traffic.load: nan; it must be 0 or more");
  settings.load = 0.2;
  settings.injection = "bernouilli";
  EXPECT_EQ(refusal(mesh), "unknown injection process 'bernouilli' (did you mean 'bernoulli'?)");
}

TEST_F(SyntheticTrafficTest, TheLargestLoadIsTakenAndNoMore) {
  settings.options.set("burst_load", 0.8);
  settings.message_length = 3;
  for (const InjectionEntry& entry : injection_processes().entries())
    for (const char* unit : {"flits", "capacity"})
      for (const double limit : {1.0, 4.0}) {
        SCOPED_TRACE(std::string(entry.name) + " " + unit);
        settings.injection = entry.name;
        settings.load_unit = unit;
        const Mesh mesh7({7, 7});
        const double largest = largest_load(settings, mesh7, limit);
        settings.load = largest;
        EXPECT_NO_THROW(SyntheticTraffic(settings, mesh7, limit));
        settings.load = 1.001 * largest;
        EXPECT_THROW(SyntheticTraffic(settings, mesh7, limit), ConfigurationError);
      }
}

TEST_F(SyntheticTrafficTest, LoadZeroIsSilence) {
  settings.load = 0;
  for (const InjectionEntry& entry : injection_processes().entries()) {
    settings.injection = entry.name;
    EXPECT_EQ(SyntheticTraffic(settings, mesh, 1).source(3, 1)->next_arrival(), kNever);
  }
}

TEST_F(SyntheticTrafficTest, OfferedLoadCountsTheNodesThatSendNothing) {
  settings.pattern = "transpose";
  settings.load = 0.4;
  const SyntheticTraffic traffic(settings, mesh, 1);
  EXPECT_EQ(traffic.senders(), 12u);
  EXPECT_DOUBLE_EQ(traffic.offered_load(), 0.3);
  EXPECT_EQ(traffic.source(5, 1)->next_arrival(), kNever) << "(1, 1) is mapped to itself";
  EXPECT_NE(traffic.source(6, 1)->next_arrival(), kNever);
  const std::vector<NodeId> dead = {1};
  const SyntheticTraffic with_fault(settings, mesh, 1, dead);
  EXPECT_EQ(with_fault.senders(), 10u);
  EXPECT_DOUBLE_EQ(with_fault.offered_load(), 0.4 * 10 / 15);
}

std::vector<Message> first(const std::unique_ptr<MessageSource>& source, int count) {
  std::vector<Message> messages;
  for (int i = 0; i < count; ++i) messages.push_back(source->take());
  return messages;
}

bool same(const std::vector<Message>& a, const std::vector<Message>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].cycle != b[i].cycle || a[i].destination != b[i].destination || a[i].length != b[i].length)
      return false;
  return a.size() == b.size();
}

TEST_F(SyntheticTrafficTest, ANodesMessagesDoNotDependOnTheOrderOfCalls) {
  settings.length_distribution = "normal";
  settings.pattern = "hotspot";
  for (const InjectionEntry& entry : injection_processes().entries()) {
    settings.injection = entry.name;
    const SyntheticTraffic traffic(settings, mesh, 1);
    constexpr int kMessages = 200;
    std::vector<std::unique_ptr<MessageSource>> sources;
    for (NodeId node = 16; node-- > 0;) sources.push_back(traffic.source(node, 7));
    std::vector<std::vector<Message>> interleaved(16);
    RandomStream order(1, RandomPurpose::test);
    for (int left = 16 * kMessages; left > 0;) {
      const std::uint32_t i = order.below(16);
      if (interleaved[i].size() == kMessages) continue;
      interleaved[i].push_back(sources[i]->take());
      --left;
    }
    for (NodeId i = 0; i < 16; ++i)
      EXPECT_TRUE(same(interleaved[i], first(traffic.source(15 - i, 7), kMessages)))
          << entry.name << ' ' << i;
  }
}

TEST_F(SyntheticTrafficTest, NodesAndSeedsHaveRandomNumbersOfTheirOwn) {
  settings.length_distribution = "uniform";
  const SyntheticTraffic traffic(settings, mesh, 1);
  const auto base = first(traffic.source(3, 7), 50);
  EXPECT_TRUE(same(base, first(traffic.source(3, 7), 50)));
  EXPECT_FALSE(same(base, first(traffic.source(4, 7), 50)));
  EXPECT_FALSE(same(base, first(traffic.source(3, 8), 50)));
}

// Common random numbers: what is drawn for one setting does not shift what is drawn for another.
TEST_F(SyntheticTrafficTest, ArrivalsDestinationsAndLengthsAreDrawnApart) {
  settings.length_distribution = "uniform";
  const auto base = first(SyntheticTraffic(settings, mesh, 1).source(3, 7), 100);
  settings.pattern = "complement";
  const auto other_pattern = first(SyntheticTraffic(settings, mesh, 1).source(3, 7), 100);
  settings.pattern = "uniform";
  settings.injection = "poisson";
  const auto other_process = first(SyntheticTraffic(settings, mesh, 1).source(3, 7), 100);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(base[i].cycle, other_pattern[i].cycle);
    EXPECT_EQ(base[i].length, other_pattern[i].length);
    EXPECT_EQ(base[i].destination, other_process[i].destination);
    EXPECT_EQ(base[i].length, other_process[i].length);
  }
}

/// Collects the declarations of visit().
class KeyCollector : public SettingsVisitor {
 public:
  std::set<std::string, std::less<>> names;
  std::vector<std::string> wrong;
  void begin_section(std::string_view, std::string_view) override {}
  void end_section() override {}

 private:
  void visit_key(const Key& k, ValuePointer value, const AllowedValues& allowed) override {
    bool well = true;
    if (const auto* const* const whole = std::get_if<std::int64_t*>(&value)) {
      const auto range = std::get<Range<std::int64_t>>(allowed);
      well = range.min <= **whole && **whole <= range.max;
    } else if (const auto* const* const real = std::get_if<double*>(&value)) {
      const auto range = std::get<Range<double>>(allowed);
      well = range.min <= **real && **real <= range.max;
    } else if (const auto* const words = std::get_if<std::span<const Choice>>(&allowed)) {
      const std::string& word = *std::get<std::string*>(value);
      well = std::ranges::any_of(*words,
                                 [&](const Choice& c) { return c.name == word && !c.description.empty(); });
    }
    check(k, well);
  }
  void check(const Key& k, bool well) {
    if (!well || k.description.empty() || !names.insert(std::string(k.name)).second)
      wrong.push_back(std::string(k.name));
  }
};

TEST(TrafficSettings, DeclaresEveryKeyOnceWithADefaultWithinItsRange) {
  TrafficSettings settings;
  KeyCollector keys;
  settings.visit(keys);
  EXPECT_EQ(keys.wrong, std::vector<std::string>{});
  for (const char* name : {"pattern", "load", "load_unit", "message_length", "injection", "trace",
                           "include_self", "permutation_file"})
    EXPECT_TRUE(keys.names.contains(std::string(name))) << name;
}

}  // namespace
}  // namespace flitmend
