// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/glob.h"

#include <gtest/gtest.h>

#include "base/errors.h"

namespace flitmend {
namespace {

// A 4x4 mesh without its edges: routers, ports, virtual channels.
class Globs : public testing::Test {
 protected:
  Globs() {
    const ScopeId fabric = tree_.scope(SignalTree::kRoot, "fabric");
    for (int x = 0; x < 4; ++x)
      for (int y = 0; y < 4; ++y) {
        const ScopeId router = tree_.scope(fabric, "router_" + std::to_string(x) + "_" + std::to_string(y));
        for (const char* port : {"east", "west", "local"}) {
          if (x == 3 && port == std::string("east")) continue;
          if (x == 0 && port == std::string("west")) continue;
          const ScopeId p = tree_.scope(router, port);
          tree_.add_signal(p, "owner", SignalKind::integer(3));
          for (int v = 0; v < 2; ++v) {
            const ScopeId vc = tree_.scope(p, "vc" + std::to_string(v));
            tree_.add_signal(vc, "route_fsm", SignalKind::integer(3));
            tree_.add_signal(vc, "input_buffer", SignalKind::integer(4));
          }
        }
      }
  }
  std::vector<std::string> names(const std::vector<std::string>& globs) const {
    const std::vector<bool> selected = select_signals(tree_, globs);
    std::vector<std::string> found;
    for (SignalId s = 0; s < tree_.signal_count(); ++s)
      if (selected[s]) found.push_back(tree_.full_name(s));
    return found;
  }
  std::string refusal(const std::vector<std::string>& globs) const {
    try {
      select_signals(tree_, globs);
    } catch (const ConfigurationError& e) {
      return e.what();
    }
    return "accepted";
  }
  SignalTree tree_;
};

}  // namespace

TEST(GlobMatches, StarsQuestionMarksAndSets) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_TRUE(glob_matches("*.east.*", "fabric.router_3_4.east.vc1.route_fsm"));
  EXPECT_FALSE(glob_matches("*.east.*", "fabric.router_3_4.east"));
  EXPECT_TRUE(glob_matches("a*b*c", "axxbyybzc"));
  EXPECT_FALSE(glob_matches("a*b*c", "axxbyybz"));
  EXPECT_TRUE(glob_matches("vc?", "vc1"));
  EXPECT_FALSE(glob_matches("vc?", "vc10"));
  EXPECT_FALSE(glob_matches("vc?", "vc"));
  EXPECT_TRUE(glob_matches("vc[0-2]", "vc2"));
  EXPECT_FALSE(glob_matches("vc[0-2]", "vc3"));
  EXPECT_TRUE(glob_matches("vc[!0-2]", "vc3"));
  EXPECT_FALSE(glob_matches("vc[!0-2]", "vc1"));
  EXPECT_TRUE(glob_matches("vc[135]", "vc5"));
  EXPECT_TRUE(glob_matches("x[", "x["));
  EXPECT_FALSE(glob_matches("x[", "xa"));
  EXPECT_TRUE(glob_matches("**a**", "bab"));
}

TEST(GlobMatches, ManyStarsTakeNoTime) {
  std::string pattern, text(2000, 'a');
  for (int i = 0; i < 60; ++i) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "*b", text));
  EXPECT_TRUE(glob_matches(pattern + "*", text));
}

TEST_F(Globs, NoGlobIsEverything) {
  EXPECT_EQ(names({}).size(), tree_.signal_count());
}

TEST_F(Globs, NameASignalAScopeOrMany) {
  EXPECT_EQ(names({"fabric.router_1_2.east.vc1.route_fsm"}),
            std::vector<std::string>{"fabric.router_1_2.east.vc1.route_fsm"});
  const std::vector<std::string> port{"fabric.router_1_2.east.owner", "fabric.router_1_2.east.vc0.route_fsm",
                                      "fabric.router_1_2.east.vc0.input_buffer",
                                      "fabric.router_1_2.east.vc1.route_fsm",
                                      "fabric.router_1_2.east.vc1.input_buffer"};
  EXPECT_EQ(names({"fabric.router_1_2.east"}), port);
  EXPECT_EQ(names({"fabric.router_1_2.east.*"}), port);
  EXPECT_EQ(names({"*.east.*"}).size(), 12u * 5);
  EXPECT_EQ(names({"*.route_fsm", "fabric.router_0_0.*"}).size(), tree_.signal_count() / 5 * 2 + 2 * 3);
  EXPECT_EQ(names({"fabric"}).size(), tree_.signal_count());
}

TEST_F(Globs, ThatNameNothingAreRefusedWithNearNames) {
  EXPECT_EQ(refusal({"fabric.router_4_1.*"}),
            "waves.scope: 'fabric.router_4_1.*' names no signal (did you mean fabric.router_0_1.*, "
            "fabric.router_1_1.*, fabric.router_2_1.*, fabric.router_3_1.*, fabric.router_0_0.*, "
            "fabric.router_0_2.*?)");
  EXPECT_EQ(refusal({"*.eats.*"}), "waves.scope: '*.eats.*' names no signal (did you mean *.east.*?)");
  EXPECT_EQ(refusal({"*.east.*", "*.vc0.route_fms"}),
            "waves.scope: '*.vc0.route_fms' names no signal (did you mean *.vc0.route_fsm?)");
  EXPECT_EQ(refusal({"router_1_1.east"}),
            "waves.scope: 'router_1_1.east' names no signal (did you mean *.router_1_1.east?)");
}

TEST_F(Globs, RightInEveryPartButNotTogether) {
  EXPECT_EQ(refusal({"fabric.router_0_0.west.*"}),
            "waves.scope: 'fabric.router_0_0.west.*' names no signal; fabric.router_0_0 holds east, local");
  EXPECT_EQ(refusal({"unlike.anything"}),
            "waves.scope: 'unlike.anything' names no signal; names begin with fabric");
  EXPECT_EQ(refusal({""}), "waves.scope: '' names no signal; names begin with fabric");
}

TEST(SignalTree, NamesAreAddresses) {
  SignalTree tree;
  const ScopeId port = tree.scope(SignalTree::kRoot, "fabric.router_3_4.east");
  EXPECT_EQ(tree.scope(tree.scope(SignalTree::kRoot, "fabric"), "router_3_4.east"), port);
  const ScopeId vc = tree.scope(port, "vc1");
  const SignalId s = tree.add_signal(vc, "route_fsm", SignalKind::integer(3));
  EXPECT_EQ(tree.full_name(s), "fabric.router_3_4.east.vc1.route_fsm");
  EXPECT_EQ(tree.scope_path(vc), "fabric.router_3_4.east.vc1");
  EXPECT_EQ(tree.scope_path(SignalTree::kRoot), "");
}

TEST(SignalTree, RefusesWhatNoViewerCouldRead) {
  SignalTree tree;
  const ScopeId scope = tree.scope(SignalTree::kRoot, "top");
  const auto refusal = [&](const std::string& name, unsigned width) -> std::string {
    try {
      tree.add_signal(scope, name, SignalKind::integer(width));
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("data", 64), "accepted");
  EXPECT_EQ(refusal("data", 3), "signal 'top.data' is registered twice");
  EXPECT_EQ(refusal("wide", 65), "signal 'wide' has 65 bits; a waveform carries 1 to 64");
  EXPECT_EQ(refusal("none", 0), "signal 'none' has 0 bits; a waveform carries 1 to 64");
  EXPECT_EQ(refusal("a[3]", 1), "'a[3]' cannot name a signal in a waveform: letters, digits, _ and $ can");
  EXPECT_EQ(refusal("", 1), "'' cannot name a signal in a waveform: letters, digits, _ and $ can");
  EXPECT_THROW(tree.scope(scope, "a..b"), std::invalid_argument);
  EXPECT_THROW(tree.add_signal(SignalTree::kRoot, "x", SignalKind::bit()), std::invalid_argument);
}

}  // namespace flitmend
