// SPDX-License-Identifier: Apache-2.0
// Rounds of a hostile user: inputs of every kind, composed of what there is and then damaged, go through the
// program. Whatever it answers, it ends with a documented status, says where and what to do when it refuses,
// and writes only where it was told to. Start i of a generator depends on the seed and i only.
// Each generator makes kStarts starts, so that the suite always tries the same ones. FLITMEND_HOSTILE_SECONDS
// sets how long all generators together go on instead, FLITMEND_HOSTILE_SEED sets the seed.
// The smallest start that fails is written to hostile-failures/ in the working folder.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>

#include "support/files.h"
#include "support/hostile_inputs.h"
#include "support/hostile_start.h"
#include "support/random_runs.h"

namespace flitmend::test {
namespace {

constexpr double kSecondsToShrink = 60;
constexpr std::uint64_t kStarts = 40;

/// Whether a generator that began at that time continues after that many starts.
bool goes_on(std::uint64_t starts, std::chrono::steady_clock::time_point began) {
  const char* const given = std::getenv("FLITMEND_HOSTILE_SECONDS");
  if (!given) return starts < kStarts;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began;
  return passed.count() < std::atof(given) / static_cast<double>(hostile_generators().size());
}

std::uint64_t seed() {
  return test::number_from("FLITMEND_HOSTILE_SEED", 20261126);
}

class HostileRounds : public testing::TestWithParam<HostileGenerator> {};

TEST_P(HostileRounds, EndAsDocumented) {
  const HostileGenerator& generator = GetParam();
  const auto began = std::chrono::steady_clock::now();
  std::uint64_t starts = 0;
  for (; goes_on(starts, began); ++starts) {
    TextMutator random(seed() * 1'000'003 + starts);
    const HostileStart hostile = generator.make(random);
    const std::string fault = fault_of(hostile);
    if (fault.empty()) continue;
    const HostileStart least = smallest(hostile, kSecondsToShrink);
    const std::string file = std::string("hostile-failures/") + generator.name + "-" +
                             std::to_string(seed()) + "-" + std::to_string(starts) + ".txt";
    std::filesystem::create_directories("hostile-failures");
    write_file(file, fault + "\n" + least.text() + "\n");
    ADD_FAILURE() << "start " << starts << " of seed " << seed() << " (written to " << file << "): " << fault
                  << "\n"
                  << least.text();
    break;
  }
  EXPECT_GT(starts, 0u) << "no time for a single start of " << generator.name;
  std::cout << generator.name << ": " << starts << " starts with seed " << seed() << '\n';
}

INSTANTIATE_TEST_SUITE_P(Of, HostileRounds, testing::ValuesIn(hostile_generators()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(HostileStart, ARefusalSaysWhereAndWhatToDo) {
  for (const char* const good :
       {"c.yaml:3:7: network.size: expected a list", "/d/t.csv: no line says how; a table has all",
        "--set #2: traffic.load: -1 is out of range (0 to 1)", "CONFIG is required; see flitmend run --help",
        "SHELL 'x': expected one of bash", "cannot read nowhere.yaml: No such file or directory",
        "traffic.load: 3 is out of range", "c.yaml: this is a sweep; flitmend sweep runs it",
        "list: unknown group 'x'; known: routing"})
    EXPECT_EQ(fault_of_refusal(std::string("flitmend: ") + good + "\n"), "");
  for (const char* const bad :
       {"something is wrong: give another", "error: it must be so", "internal error: bad; choose another",
        "expected a list", "c.yaml:3:7: network.size: wrong"})
    EXPECT_NE(fault_of_refusal(std::string("flitmend: ") + bad + "\n"), "") << bad;
  EXPECT_NE(fault_of_refusal(""), "");
  EXPECT_NE(fault_of_refusal("c.yaml:3:7: expected a list\n"), "");
}

// The harness sees what it is there to see.
TEST(HostileStart, FaultsAreSeen) {
  EXPECT_EQ(fault_of({{"list", "traffic"}, {}}), "");
  EXPECT_EQ(
      fault_of({{"run", "c.yaml"}, {{"c.yaml", "network: {size: [2, 2]}\nsimulation: {measure: 50}\n"}}}),
      "");
  EXPECT_EQ(fault_of({{"run", "c.yaml"}, {{"c.yaml", "netwrok: {}\n"}}}), "");
  EXPECT_EQ(fault_of({{"list", "traffic", "--json"}, {}}), "");
  const HostileStart elsewhere{{"check", "c.yaml", "--graph", "other"},
                               {{"c.yaml", "network: {size: [2, 2]}\n"}}};
  EXPECT_EQ(fault_of(elsewhere), "wrote other");
  EXPECT_EQ(smallest(elsewhere, 20).words.size(), 4u);
}

}  // namespace
}  // namespace flitmend::test
