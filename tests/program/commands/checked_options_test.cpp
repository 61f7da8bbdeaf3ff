// SPDX-License-Identifier: Apache-2.0
// Every number that an analysis tool takes on the command line, with invalid values.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace flitmend {
namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.begin(), "analyze");
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Tool {
  Words words;  ///< with these, only the option's value is wrong
  Words whole;  ///< options that are whole numbers
  Words real;   ///< options that are numbers
};

const Words kRandom = {"--seed", "--jobs"};
const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = {
      {{"fault-rings", "--mesh", "8x8", "--node", "1,1"}, {"--monte-carlo", "--seed", "--jobs"}, {}},
      {{"probability-vectors", "--n", "3"}, {"--k"}, {}},
      {{"probability-vectors", "--k", "3"}, {"--n"}, {}},
      {{"probability-routing", "--k", "3"},
       {"--n", "--faults", "--link-faults", "--pairs", "--fault-sets", "--detour-limit", "--seed", "--jobs"},
       {}},
      {{"probability-routing", "--n", "3"}, {"--k"}, {}},
      {{"probability-bounds", "--k", "3", "--faults", "1"}, {"--n"}, {}},
      {{"probability-bounds", "--faults", "1"}, {"--k"}, {}},
      {{"probability-bounds", "--k", "3"}, {"--faults"}, {}},
      {{"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2"},
       {"--samples", "--intermediates", "--seed", "--jobs"},
       {"--confidence", "--error"}},
      {{"kns-tolerance", "--n", "2", "--faults", "2"}, {"--k"}, {}},
      {{"kns-tolerance", "--k", "3", "--faults", "2"}, {"--n"}, {}},
      {{"kns-tolerance", "--k", "3", "--n", "2"}, {"--faults"}, {}},
      {{"kns-tables", "--k", "3", "--n", "2"},
       {"--faults", "--intermediates", "--node", "--seed", "--jobs"},
       {}},
      {{"kns-tables", "--n", "2"}, {"--k"}, {}},
      {{"kns-tables", "--k", "3"}, {"--n"}, {}},
      {{"kary-ncube-model", "--k", "8", "--n", "2", "--rate", ".001"},
       {"--length", "--virtual-channels", "--faulty-nodes", "--curve"},
       {"--delay", "--hops"}},
      {{"kary-ncube-model", "--k", "8", "--n", "2"}, {}, {"--rate"}},
      {{"kary-ncube-model", "--n", "2", "--rate", ".001"}, {"--k"}, {}},
      {{"kary-ncube-model", "--k", "8", "--rate", ".001"}, {"--n"}, {}},
      {{"paper", "fault-rings-table-2"}, {"--seed", "--jobs"}, {}},
  };
  return all;
}

/// Both ways of writing it; for an empty value, the parser accepts only one of them.
void refused(const Words& words, const std::string& option, const std::string& value,
             const std::string& wanted) {
  std::vector<Words> ways = {{option, value}};
  if (!value.empty()) ways = {{option + "=" + value}};
  for (const Words& way : ways) {
    const auto result = run_flitmend(joined(words, way));
    const std::string all = words[0] + " " + option + " '" + value + "': " + result.err;
    EXPECT_EQ(result.status, ExitStatus::bad_usage) << all;
    EXPECT_EQ(result.out, "") << all;
    EXPECT_NE(result.err.find("flitmend: " + option + " '" + value + "': expected " + wanted),
              std::string::npos)
        << all;
  }
}

}  // namespace

TEST(NumbersOfAnalysisTools, AreWholeNumbersInDigitsOrRefused) {
  for (const Tool& tool : tools())
    for (const std::string& option : tool.whole)
      for (const char* value : {"-1", "18446744073709551616", "99999999999999999999999", "1e3", "", "nan",
                                "inf", "0x10", "+1", " 1", "1 ", "1.0", "garbage"})
        refused(tool.words, option, value, "a whole number from ");
}

TEST(NumbersOfAnalysisTools, AreFiniteNumbersOrRefused) {
  for (const Tool& tool : tools())
    for (const std::string& option : tool.real)
      for (const char* value : {"", "nan", "inf", "-inf", "1e999", "1,5", "garbage", "0.1x"})
        refused(tool.words, option, value, "a number, like ");
}

// 2^32 + 3 would be 3 in 32 bits: an option must either show the full number or refuse it as too large.
TEST(NumbersOfAnalysisTools, NeverWrap) {
  const std::string wrapped = "4294967299";
  for (const Tool& tool : tools())
    for (const std::string& option : tool.whole) {
      if (option == "--seed" || option == "--monte-carlo") continue;    // valid, or takes hours
      if (option == "--pairs" || option == "--detour-limit") continue;  // tested below
      const auto result = run_flitmend(joined(tool.words, {option, wrapped}));
      if (option == "--length" || option == "--fault-sets") continue;
      EXPECT_EQ(result.status, ExitStatus::bad_usage) << tool.words[0] << ' ' << option << result.out;
      EXPECT_NE(result.err, "") << tool.words[0] << ' ' << option;
    }
  const auto says = [](const Words& words, const std::string& text) {
    const auto result = run_flitmend(joined(words, {}));
    EXPECT_NE((result.out + result.err).find(text), std::string::npos) << result.out << result.err;
  };
  says({"probability-bounds", "--k", wrapped, "--faults", "1"},
       "--k '4294967299': expected a whole number from 0 to 4294967295, in digits only");
  says({"kary-ncube-model", "--k", "8", "--n", "2", "--rate", ".001", "--length", wrapped},
       "length is 4294967299; it must be 1 to 1000000000");
  says({"probability-routing", "--k", "3", "--detour-limit", wrapped}, "a detour limit of 4294967299 hops");
}

TEST(NumbersOfAnalysisTools, AreDecimalWithZerosInFront) {
  const auto with_seed = [](const char* seed) {
    return run_flitmend({"analyze", "fault-rings", "--mesh", "9x9", "--node", "3,3", "--monte-carlo", "500",
                         "--seed", seed, "--json"})
        .out;
  };
  EXPECT_EQ(with_seed("010"), with_seed("10"));
  EXPECT_NE(with_seed("010"), with_seed("8"));
  EXPECT_NE(with_seed("18446744073709551615"), with_seed("18446744073709551614"));
}

TEST(NumbersOfAnalysisTools, AreNotLeftAway) {
  for (const char* word : {"--k=", "--k"}) {
    const auto result = run_flitmend({"analyze", "probability-vectors", word});
    EXPECT_EQ(result.status, ExitStatus::bad_usage);
    EXPECT_NE(result.err.find("--k: its value is missing; "), std::string::npos) << result.err;
  }
}

TEST(NumbersOfAnalysisTools, AreGivenOnce) {
  const auto result = run_flitmend({"analyze", "probability-vectors", "--k", "3", "--k", "4"});
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_EQ(result.err,
            "flitmend: --k: given more than once; see flitmend analyze probability-vectors --help\n");
}

TEST(SeedOption, SaysWhatItTakes) {
  const auto result = run_flitmend({"analyze", "paper", "fault-rings-table-2", "--seed", "garbage"});
  EXPECT_EQ(
      result.err,
      "flitmend: --seed 'garbage': expected a whole number from 0 to 18446744073709551615, in digits only\n");
}

TEST(WordsOfAnalysisTools, AreListedInHelpAndInMessages) {
  struct Case {
    Words words;
    const char* option;
    const char* list;
  };
  const Words model = {"kary-ncube-model", "--k", "8", "--n", "2", "--rate", ".001"};
  const Words rings = {"fault-rings", "--mesh", "8x8", "--node", "1,1"};
  const Words routing = {"probability-routing", "--k", "3"};
  const Words tolerance = {"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2"};
  const Words tables = {"kns-tables", "--k", "3", "--n", "2"};
  for (const Case& c :
       {Case{model, "--sum", "a, b"}, Case{model, "--transit", "PV, Pf"},
        Case{model, "--variant", "paper, O"}, Case{rings, "--region", "ring, fault"},
        Case{rings, "--method", "sweep, determinant"}, Case{routing, "--memory", "none, no-return, visited"},
        Case{routing, "--ties", "lowest, random"}, Case{routing, "--arithmetic", "double, log"},
        Case{{"probability-vectors", "--k", "3"}, "--arithmetic", "double, log"},
        Case{tolerance, "--policy", "fewest, minimal-first"},
        Case{tables, "--policy", "fewest, minimal-first"}, Case{tables, "--ties", "random, first"}}) {
    const std::string list = c.list;
    for (const char* word : {"qqq", ""}) {
      const auto bad = run_flitmend(joined(c.words, {c.option, word}));
      EXPECT_EQ(bad.status, ExitStatus::bad_usage);
      EXPECT_EQ(bad.out, "");
      EXPECT_EQ(bad.err,
                "flitmend: " + std::string(c.option) + " '" + word + "': expected one of " + list + "\n");
    }
    const auto help = run_flitmend({"analyze", c.words[0], "--help"});
    EXPECT_NE(help.out.find(std::string(c.option) + " {" + list + "}"), std::string::npos) << help.out;
  }
  EXPECT_NE(run_flitmend(joined(tolerance, {"--policy", "fewst"})).err.find("(did you mean 'fewest'?)"),
            std::string::npos);
}

}  // namespace flitmend
