// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/gtkw_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "base/errors.h"
#include "support/vcd_reader.h"
#include "traces/waves/glob.h"

namespace flitmend {
namespace {

const WaveEnum& state_words() {
  static const WaveEnum words{"state", {{"idle", "Gray25"}, {"busy", "DarkGreen"}, {"late", ""}}};
  return words;
}

WaveView view_in(const std::string& folder) {
  WaveView view;
  view.dump = folder + "/waves.vcd";
  view.save = folder + "/waves.gtkw";
  view.filters = folder + "/waves.filters";
  view.first_tick = 500;
  view.ticks_per_cycle = 5;
  return view;
}

// Two routers with one port each.
void add_signals(SignalTree& tree) {
  for (const char* router : {"router_0_0", "router_1_0"}) {
    const ScopeId port = tree.scope(SignalTree::kRoot, std::string("fabric.") + router + ".east");
    tree.add_signal(port, "owner", SignalKind::integer(3, WaveColour::violet));
    const ScopeId vc = tree.scope(port, "vc0");
    tree.add_signal(vc, "state", SignalKind::enumeration(state_words()));
    tree.add_signal(vc, "stop", SignalKind::bit());
    tree.add_signal(tree.scope(vc, "head"), "word", SignalKind::hexadecimal(64));
  }
}

}  // namespace

TEST(GtkwWriter, WritesThisView) {
  SignalTree tree;
  add_signals(tree);
  const std::vector<bool> selected = select_signals(tree, {"*.router_0_0", "*.router_1_0.*.stop"});
  EXPECT_EQ(view_text(tree, selected, view_in("/runs/a")),
            "[*] Flitmend\n"
            "[dumpfile] \"/runs/a/waves.vcd\"\n"
            "[savefile] \"/runs/a/waves.gtkw\"\n"
            "[timestart] 500\n[size] 1600 1000\n[pos] -1 -1\n"
            "*-5.158429 -1\n"
            "[treeopen] fabric.\n[treeopen] fabric.router_0_0.\n"
            "[sst_width] 220\n[signals_width] 272\n[sst_expanded] 1\n"
            "@800200\n-router_0_0\n"
            "@800200\n-east\n"
            "[color] 7\n@24\nfabric.router_0_0.east.owner[2:0]\n"
            "@200\n-vc0\n"
            "@2022\n^1 /runs/a/waves.filters/state.filter\nfabric.router_0_0.east.vc0.state[1:0]\n"
            "@28\nfabric.router_0_0.east.vc0.stop\n"
            "@22\n+{head:word} fabric.router_0_0.east.vc0.head.word[63:0]\n"
            "@1000200\n-east\n"
            "@1000200\n-router_0_0\n"
            "@800200\n-router_1_0\n"
            "@800200\n-east\n"
            "@200\n-vc0\n"
            "@28\nfabric.router_1_0.east.vc0.stop\n"
            "@1000200\n-east\n"
            "@1000200\n-router_1_0\n");
}

TEST(GtkwWriter, MarkersAreLettersWithNames) {
  SignalTree tree;
  add_signals(tree);
  WaveView view = view_in("/runs/a");
  view.markers = {{"fault", 600}, {"restart", 650}};
  const std::string text = view_text(tree, select_signals(tree, {}), view);
  EXPECT_NE(text.find("\n*-5.158429 600 600 650\n[markername] Afault\n[markername] Brestart\n[treeopen]"),
            std::string::npos)
      << text;
}

// 200 pixels a tick at zoom 0, twice as many at zoom 1; the tree and the names take 480 of 1600.
TEST(GtkwWriter, ThePictureReachesBeyondTheLastMarker) {
  SignalTree tree;
  add_signals(tree);
  for (const std::uint64_t last : {700u, 1000u, 5'000u, 900'000u}) {
    WaveView view = view_in("/runs/a");
    view.markers = {{"fault", 600}, {"complete", last}};
    const std::string text = view_text(tree, select_signals(tree, {}), view);
    const double zoom = std::stod(text.substr(text.find("\n*") + 2));
    const double pixels = 200 * std::exp2(zoom) * static_cast<double>(last - view.first_tick);
    EXPECT_LT(pixels, 1120) << last;
    if (last >= 1000) {
      EXPECT_GT(pixels, 1000) << last << ": and not farther than necessary";
    }
  }
}

TEST(GtkwWriter, MarkersBeyondZAreLeftOut) {
  SignalTree tree;
  add_signals(tree);
  WaveView view = view_in("/runs/a");
  for (std::uint64_t i = 0; i < 30; ++i) view.markers.push_back({"m", i});
  const std::string text = view_text(tree, select_signals(tree, {}), view);
  EXPECT_NE(text.find(" 24 25\n[markername] Am\n"), std::string::npos) << text;
  EXPECT_NE(text.find("[markername] Zm\n[treeopen]"), std::string::npos);
}

TEST(GtkwWriter, GroupsBeyondAScreenAreClosed) {
  SignalTree tree;
  for (int r = 0; r < 40; ++r) {
    const ScopeId port = tree.scope(SignalTree::kRoot, "fabric.router_" + std::to_string(r) + ".east");
    for (int i = 0; i < 5; ++i) tree.add_signal(port, "s" + std::to_string(i), SignalKind::bit());
  }
  const std::string text = view_text(tree, select_signals(tree, {}), view_in("/x"));
  EXPECT_NE(text.find("@800200\n-router_0\n"), std::string::npos);
  EXPECT_NE(text.find("@c00200\n-router_30\n@c00200\n-east\n"), std::string::npos);
  EXPECT_NE(text.find("@1401200\n-east\n@1401200\n-router_30\n"), std::string::npos);
}

TEST(GtkwWriter, AStoryComesFirstAndAloneIsOpen) {
  SignalTree tree;
  add_signals(tree);
  WaveView view = view_in("/runs/a");
  view.story_title = "the story";
  view.story = {{"who", {}},
                {"owner of 1,0", {"fabric.router_1_0.east.owner"}},
                {"nobody", {"fabric.router_9_9.east.owner"}},
                {"nothing below", {}},
                {"how", {}},
                {"state of 0,0", {"fabric.router_0_0.east.vc0.state"}}};
  const std::string text = view_text(tree, select_signals(tree, {}), view);
  const std::string story =
      "[sst_expanded] 1\n"
      "@800200\n-the story\n"
      "@200\n-who\n"
      "[color] 7\n@24\n+{owner of 1,0} fabric.router_1_0.east.owner[2:0]\n"
      "@200\n-how\n"
      "@2022\n^1 /runs/a/waves.filters/state.filter\n+{state of 0,0} fabric.router_0_0.east.vc0.state[1:0]\n"
      "@1000200\n-the story\n"
      "@c00200\n-router_0_0\n@c00200\n-east\n";
  EXPECT_NE(text.find(story), std::string::npos) << text;
  EXPECT_EQ(text.find("@800200\n-router"), std::string::npos);
}

TEST(GtkwWriter, AStoryOfWhatIsNotRecordedIsLeftOut) {
  SignalTree tree;
  add_signals(tree);
  WaveView view = view_in("/runs/a");
  view.story_title = "the story";
  view.story = {{"how", {}}, {"state", {"fabric.router_0_0.east.vc0.state"}}};
  const std::string text = view_text(tree, select_signals(tree, {"*.stop"}), view);
  EXPECT_EQ(text.find("story"), std::string::npos);
  EXPECT_NE(text.find("@800200\n-router_0_0\n"), std::string::npos) << "then the groups are open";
}

// The words of the last signal, where the others have the message's values; with any others, no word.
TEST(GtkwWriter, TheFlitsOfAMessageAreOneRow) {
  static const WaveEnum kinds{"kind",
                              {{"-", "Gray25"},
                               {"H", "DarkGreen"},
                               {"T", "Navy"},
                               {"3", ""},
                               {"4", ""},
                               {"5", ""},
                               {"6", ""},
                               {"7", ""},
                               {"8", ""}}};
  SignalTree tree;
  const ScopeId flit = tree.scope(SignalTree::kRoot, "fabric.router_0.west.input_flit");
  tree.add_signal(flit, "kind", SignalKind::enumeration(kinds));
  tree.add_signal(flit, "source", SignalKind::integer(6));
  tree.add_signal(flit, "id", SignalKind::integer(3));
  WaveView view =
      view_in(std::filesystem::path(testing::TempDir()) / ("flitmend_row_" + std::to_string(getpid())));
  view.story_title = "story";
  const std::string in = "fabric.router_0.west.input_flit.";
  view.story = {{"1 → 0", {in + "source", in + "id", in + "kind"}, {33, 5}}};
  const std::string text = view_text(tree, select_signals(tree, {}), view);
  std::string row = "#{1 → 0}";
  for (const auto& [name, width] : {std::pair("source", 6), std::pair("id", 3), std::pair("kind", 4)})
    for (int bit = 0; bit < width; ++bit)
      row += " (" + std::to_string(bit) + ")" + in + name + "[" + std::to_string(width - 1) + ":0]";
  EXPECT_NE(text.find("@2022\n^1 " + view.filters + "/message_1.filter\n" + row + "\n"), std::string::npos)
      << text;

  std::filesystem::create_directories(view.filters);
  write_view(tree, select_signals(tree, {}), view);
  const std::string filter = read_whole_file(view.filters + "/message_1.filter");
  // 100001 101 0001: 13 bits, four digits.
  EXPECT_NE(filter.find("10D1 ?DarkGreen?H\n10D2 ?Navy?T\n"), std::string::npos) << filter;
  EXPECT_NE(filter.find("\nzzz0 ?Gray25?-\n"), std::string::npos) << "no flit at all";

  // Without the others, the kind by itself.
  const std::string alone = view_text(tree, select_signals(tree, {"*.kind"}), view);
  EXPECT_NE(alone.find("/kind.filter\n+{1 → 0} " + in + "kind[3:0]\n"), std::string::npos) << alone;
  std::filesystem::remove_all(std::filesystem::path(view.filters).parent_path());
}

TEST(GtkwWriter, NamesAndValuesThatAreSeenHaveRoom) {
  static const WaveEnum long_words{"long", {{"a_word_of_thirty_four_characters__", ""}}};
  const auto width = [](unsigned extra) {
    SignalTree tree;
    for (unsigned i = 0; i <= extra; ++i) {
      const ScopeId port = tree.scope(SignalTree::kRoot, "fabric.router_" + std::to_string(i) + ".east");
      for (int s = 0; s < 50; ++s) tree.add_signal(port, "s" + std::to_string(s), SignalKind::bit());
      if (i == extra) tree.add_signal(port, "signal_name", SignalKind::enumeration(long_words));
    }
    const std::string text = view_text(tree, select_signals(tree, {}), view_in("/x"));
    return std::stoi(text.substr(text.find("[signals_width] ") + 16));
  };
  // signal_name=a_word_of_thirty_four_characters__ has 46 letters of 8 pixels.
  EXPECT_GE(width(0), 46 * 8);
  EXPECT_EQ(width(1), 260) << "in a closed group nobody sees it";
}

TEST(GtkwWriter, AViewHasAnEnd) {
  SignalTree tree;
  for (int r = 0; r < 21; ++r) {
    const ScopeId port = tree.scope(SignalTree::kRoot, "fabric.router_" + std::to_string(r) + ".east");
    for (int i = 0; i < 1000; ++i) tree.add_signal(port, "s" + std::to_string(i), SignalKind::bit());
  }
  const std::string text = view_text(tree, select_signals(tree, {}), view_in("/x"));
  EXPECT_NE(text.find("router_19.east.s999\n"), std::string::npos);
  EXPECT_EQ(text.find("router_20.east.s0\n"), std::string::npos);
  EXPECT_NE(text.find("@200\n-1000 more signals: see the tree\n"), std::string::npos);
}

TEST(GtkwWriter, FiltersNameValuesAsTheyAreDisplayed) {
  EXPECT_EQ(filter_text(state_words()), "0 ?Gray25?idle\n1 ?DarkGreen?busy\n2 late\n");
  WaveEnum wide{"wide", {}};
  for (int i = 0; i < 17; ++i) wide.values.push_back({"x", "Navy"});
  const std::string text = filter_text(wide);  // 5 bits: two hexadecimal digits
  EXPECT_EQ(text.substr(0, 12), "00 ?Navy?x\n0");
  EXPECT_NE(text.find("\n0A ?Navy?x\n"), std::string::npos);
  EXPECT_NE(text.find("\n10 ?Navy?x\n"), std::string::npos);
}

TEST(GtkwWriter, WritesOneFilterAnEnumThatIsShown) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("flitmend_gtkw_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  SignalTree tree;
  add_signals(tree);
  const WaveView view = view_in(folder.string());
  write_view(tree, select_signals(tree, {"*.stop"}), view);
  EXPECT_FALSE(std::filesystem::exists(view.filters));
  const std::vector<bool> all = select_signals(tree, {});
  write_view(tree, all, view);
  EXPECT_EQ(read_whole_file(view.save), view_text(tree, all, view));
  EXPECT_EQ(read_whole_file(view.filters + "/state.filter"), filter_text(state_words()));
  EXPECT_THROW(write_view(tree, all, view_in((folder / "waves.gtkw").string())), WriteError);
  std::filesystem::remove_all(folder);
}

}  // namespace flitmend
