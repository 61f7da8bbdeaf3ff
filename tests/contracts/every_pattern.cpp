// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_pattern.h"

#include <set>

#include "contracts/options.h"
#include "support/files.h"
#include "support/message_of.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

/// f(network) for the examples of every topology.
template <class F>
void for_each_network(F&& f) {
  for (const TopologyEntry& topology : topologies().entries())
    for (const auto& network : make_examples(topology)) f(*network);
}

/// The default options and those of the entry's examples. A pattern that reads a file gets one.
std::vector<TrafficSettings> pattern_settings(const PatternEntry& entry,
                                              const test::TemporaryFolder& folder) {
  std::vector<TrafficSettings> all = with_defaults(entry.examples);
  for (TrafficSettings& s : all) {
    s.pattern = entry.name;
    if (!entry.has_option("permutation_file")) continue;
    s.options.set("permutation_file", folder / "pairs.txt");
    test::write_file(folder / "pairs.txt", "0 1\n1 0\n");
  }
  return all;
}

}  // namespace

TEST_P(EveryPattern, DescribesItselfAndExercisesItsOptions) {
  const PatternEntry& entry = GetParam();
  EXPECT_FALSE(entry.description.empty());
  EXPECT_TRUE(!entry.applies_to || !entry.needs.empty()) << "say what it needs";
  expect_examples_exercise(entry.options, entry.examples, TrafficSettings());
}

TEST_P(EveryPattern, SendsToParticipantsOnly) {
  const PatternEntry& entry = GetParam();
  const test::TemporaryFolder folder;
  unsigned networks = 0, senders = 0;
  for (const TrafficSettings& settings : pattern_settings(entry, folder))
    for_each_network([&](const Topology& t) {
      if (entry.applies_to && !entry.applies_to(t)) return;
      ++networks;
      for (const bool with_fault : {false, true}) {
        if (with_fault && t.node_count() < 4) continue;
        const std::vector<NodeId> dead = with_fault ? std::vector<NodeId>{0} : std::vector<NodeId>{};
        const Participants participants(t.node_count(), dead);
        const auto pattern = entry.make({t, settings, participants});
        for (NodeId source = 0; source < t.node_count(); ++source) {
          if (!pattern->sends(source)) continue;
          ++senders;
          ASSERT_TRUE(participants.contains(source)) << t.description() << ": a dead node sends";
          RandomStream random(7, RandomPurpose::test, source);
          for (int i = 0; i < 40; ++i) {
            const NodeId destination = pattern->destination(source, random);
            ASSERT_LT(destination, t.node_count()) << t.description();
            ASSERT_TRUE(participants.contains(destination)) << t.description() << ": to a dead node";
            ASSERT_TRUE(destination != source || settings.options.flag(kIncludeSelfOption))
                << t.description();
          }
        }
      }
    });
  EXPECT_GT(networks, 0u) << "it applies to no example of any topology";
  EXPECT_GT(senders, 0u);
}

TEST_P(EveryPattern, IsAPermutationWhereItSaysSo) {
  const PatternEntry& entry = GetParam();
  const test::TemporaryFolder folder;
  for (const TrafficSettings& settings : pattern_settings(entry, folder)) {
    bool one_each = true, no_two = true;
    for_each_network([&](const Topology& t) {
      if (entry.applies_to && !entry.applies_to(t)) return;
      const Participants participants(t.node_count(), {});
      const auto pattern = entry.make({t, settings, participants});
      std::set<NodeId> reached;
      for (NodeId source = 0; source < t.node_count(); ++source) {
        if (!pattern->sends(source)) continue;
        RandomStream random(7, RandomPurpose::test, source);
        const NodeId first = pattern->destination(source, random);
        no_two &= reached.insert(first).second;
        for (int i = 0; i < 40; ++i) one_each &= pattern->destination(source, random) == first;
      }
    });
    EXPECT_EQ(one_each && no_two, entry.permutation);
  }
}

TEST_P(EveryPattern, IsRefusedWhereItDoesNotApply) {
  const PatternEntry& entry = GetParam();
  const test::TemporaryFolder folder;
  const TrafficSettings settings = pattern_settings(entry, folder).front();
  for_each_network([&](const Topology& t) {
    if (!entry.applies_to || entry.applies_to(t)) return;
    const Participants participants(t.node_count(), {});
    const std::string message = test::message_of([&] { make_pattern(entry, {t, settings, participants}); });
    EXPECT_EQ(message.find("traffic.pattern: " + std::string(entry.name) + " needs " +
                           std::string(entry.needs) + ", which the " + t.description() + " does not have"),
              0u)
        << message;
  });
}

TEST_P(EveryPattern, TakesIncludeSelfOnlyAsItsOption) {
  const PatternEntry& entry = GetParam();
  const test::TemporaryFolder folder;
  TrafficSettings settings = pattern_settings(entry, folder).front();
  settings.options.set("include_self", true);
  bool self = false;
  for_each_network([&](const Topology& t) {
    if (entry.applies_to && !entry.applies_to(t)) return;
    const Participants participants(t.node_count(), {});
    if (!entry.has_option("include_self")) {
      EXPECT_EQ(test::message_of([&] {
                  make_pattern(entry, {t, settings, participants});
                }),
                "traffic.include_self: not an option of pattern " + std::string(entry.name) + "; remove it");
      return;
    }
    const auto pattern = make_pattern(entry, {t, settings, participants});
    RandomStream random(7, RandomPurpose::test);
    for (int i = 0; i < 400; ++i) self |= pattern->destination(0, random) == 0;
  });
  EXPECT_EQ(self, entry.has_option("include_self"));
}

}  // namespace flitmend
