// SPDX-License-Identifier: Apache-2.0
// examples/fault-story with every recovery protocol: what its view marks, and the pictures made from its
// waves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include "protocols/recovery/registry.h"
#include "support/program.h"

namespace flitmend {
namespace {

class FaultStoryExample : public testing::TestWithParam<std::string> {
 protected:
  void run_example(const std::vector<std::string>& more = {}) {
    ProgramProcess::Options options;
    options.folder = FLITMEND_SOURCE_DIR;
    std::vector<std::string> words = {"run",        "examples/fault-story/fault-story.yaml", "--quiet",
                                      "--set",      "recovery.protocol=" + GetParam(),       "--out",
                                      folder_ / "o"};
    words.insert(words.end(), more.begin(), more.end());
    ProgramProcess process(words, options);
    ASSERT_EQ(process.wait(), 0) << process.err();
  }
  /// The cycle of each event; of several of one kind, the first.
  std::map<std::string, std::uint64_t> events() const {
    std::map<std::string, std::uint64_t> all;
    std::istringstream lines(folder_.read("o/events.csv"));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const std::size_t comma = line.find(',');
      all.emplace(line.substr(comma + 1, line.find(',', comma + 1) - comma - 1), std::stoull(line));
    }
    return all;
  }
  struct View {
    std::uint64_t start = 0;
    std::uint64_t primary = 0;
    double zoom = 0;
    std::map<std::string, std::uint64_t> markers;  ///< by the first word of their names
    std::string message;                           ///< that the first marker names
    std::vector<std::string> story;                ///< the labels of the first group
    std::size_t open_groups = 0;
  };
  View view() const {
    View v;
    std::vector<std::uint64_t> times;
    std::vector<std::string> names;
    bool in_story = false;
    std::istringstream lines(folder_.read("o/waves.gtkw"));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first;
      words >> first;
      if (first == "[timestart]") words >> v.start;
      if (first == "[markername]") {
        const std::string name = line.substr(line.find(' ') + 2);
        names.push_back(name.substr(0, name.find(':')));
        if (names.size() == 1 && name.find(": ") != name.npos) v.message = name.substr(name.find(": ") + 2);
      }
      v.open_groups += first == "@800200";
      in_story = in_story ? first != "@1000200" : first == "@800200" && v.open_groups == 1;
      if (in_story && (first.starts_with("+{") || first.starts_with("#{")))
        v.story.push_back(line.substr(2, line.find('}') - 2));
      if (first[0] == '*') {
        v.zoom = std::stod(first.substr(1));
        words >> v.primary;
        for (std::uint64_t time; words >> time;) times.push_back(time);
      }
    }
    EXPECT_EQ(times.size(), names.size());
    for (std::size_t i = 0; i < std::min(times.size(), names.size()); ++i) v.markers[names[i]] = times[i];
    return v;
  }

  ScratchFolder folder_;
};

// A cycle is a nanosecond, and a tick of the recording.
TEST_P(FaultStoryExample, OpensAtTheFaultAndMarksWhatBecomesOfTheMessage) {
  run_example();
  const auto events = this->events();
  const View view = this->view();
  ASSERT_TRUE(events.contains("hit"));
  EXPECT_EQ(events.at("fault"), 22u);
  EXPECT_EQ(view.markers.at("fault"), events.at("hit"));
  EXPECT_EQ(view.primary, events.at("hit"));
  EXPECT_LE(view.start, events.at("hit") - 5);
  EXPECT_GE(view.start + 20, events.at("hit"));
  EXPECT_EQ(view.markers.contains("restart"), events.contains("resend"));
  if (events.contains("resend")) {
    EXPECT_EQ(view.markers.at("restart"), events.at("resend"));
  }
  if (GetParam() == "none") {
    EXPECT_EQ(view.markers.at("lost"), events.at("lost"));
  } else {
    EXPECT_EQ(view.markers.at("complete"), events.at("recovered"));
    EXPECT_FALSE(events.contains("lost"));
  }
  if (recovery_protocols().at(GetParam()).needs.software_handler) {
    EXPECT_TRUE(view.markers.contains("request"));
  }
  if (view.markers.contains("request")) {
    EXPECT_GT(view.markers.at("request"), view.markers.at("fault"));
    EXPECT_LT(view.markers.at("request"), view.markers.at("restart"));
  }
}

TEST_P(FaultStoryExample, TheFirstGroupShowsTheStory) {
  run_example();
  const View view = this->view();
  EXPECT_EQ(view.message, "message 0 of 0 to 4");
  EXPECT_EQ(view.open_groups, 1u);
  // Router 2 fails: it is B, router 1 is C and router 3 is A.
  std::vector<std::string> expected = {"2 down",  "C 1 route FSM", "B 2 route FSM", "A 3 route FSM",
                                       "0 sends", "0 → 1",         "1 → 2",         "2 → 3",
                                       "3 → 4",   "4 receives"};
  ASSERT_GT(view.story.size(), expected.size());
  EXPECT_EQ(std::vector<std::string>(view.story.begin(), view.story.begin() + 10), expected);
  // The rest are control lines on the way of the message.
  const std::regex line(
      "[0-4] (resynchronise|tail_received|tail_gone|copied|forward_kill|backward_kill|pad|acknowledgement)");
  for (std::size_t i = 10; i < view.story.size(); ++i)
    EXPECT_TRUE(std::regex_match(view.story[i], line)) << view.story[i];
  EXPECT_TRUE(std::count(view.story.begin(), view.story.end(), "1 resynchronise"));
  if (GetParam() == "fcr" || GetParam() == "apcs") {
    EXPECT_TRUE(std::count(view.story.begin(), view.story.end(), "0 backward_kill"));
    EXPECT_TRUE(std::count(view.story.begin(), view.story.end(), "4 forward_kill"));
  }
  if (GetParam() == "utp") {
    EXPECT_TRUE(std::count(view.story.begin(), view.story.end(), "0 copied"));
  }
  // 200 pixels a tick at zoom 0; 1600 for the window, of which the tree and the names take 480 or more.
  std::uint64_t last = 0;
  for (const auto& marker : view.markers) last = std::max(last, marker.second);
  EXPECT_LT(200 * std::exp2(view.zoom) * static_cast<double>(last - view.start), 1120);
}

// Nothing is at a link that fails: the routers at its ends are C and A.
TEST_P(FaultStoryExample, OfALinkHasTheRoutersAtItsEnds) {
  run_example({"--set", "faults.events=[{cycle: 22, link: [[2], [3]], duration: 10}]"});
  const std::vector<std::string> story = view().story;
  ASSERT_GT(story.size(), 3u);
  EXPECT_EQ(std::vector<std::string>(story.begin(), story.begin() + 4),
            (std::vector<std::string>{"2 dim0_plus faulty", "C 2 route FSM", "A 3 route FSM", "0 sends"}));
}

// The network interface of the source acts as C.
TEST_P(FaultStoryExample, OfTheRouterOfTheSourceHasNoRouterBefore) {
  run_example({"--set", "faults.events=[{cycle: 14, node: [0], duration: 10}]"});
  const std::vector<std::string> story = view().story;
  ASSERT_GT(story.size(), 3u);
  EXPECT_EQ(std::vector<std::string>(story.begin(), story.begin() + 4),
            (std::vector<std::string>{"0 down", "B 0 route FSM", "A 1 route FSM", "0 sends"}));
}

// Waves of a part of the network show that part of the story.
TEST_P(FaultStoryExample, HasOnlyWhatIsRecorded) {
  run_example({"--waves=fabric.router_3"});
  const View view = this->view();
  EXPECT_EQ(view.open_groups, 1u);
  ASSERT_GE(view.story.size(), 2u);
  EXPECT_EQ(view.story[0], "A 3 route FSM");
  EXPECT_EQ(view.story[1], "2 → 3");
}

TEST_P(FaultStoryExample, ThePictureInTheDocumentationIsNotStale) {
  const std::string command = std::string(FLITMEND_SOURCE_DIR "/scripts/fault-pictures --program ") +
                              FLITMEND_PROGRAM + " --out " + folder_.path().string() + " " + GetParam();
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string name = "fault-" + GetParam() + ".svg";
  const std::string now = folder_.read(name);
  EXPECT_NE(now.find("node 0 sends"), std::string::npos);
  EXPECT_NE(now.find(">dead<"), std::string::npos);
  EXPECT_NE(now.find(">fault, 22<"), std::string::npos);
  EXPECT_TRUE(now == read_file(FLITMEND_SOURCE_DIR "/docs/pictures/" + name))
      << "docs/pictures/" << name << " is stale: run scripts/fault-pictures and commit it";
  EXPECT_NE(read_file(FLITMEND_SOURCE_DIR "/docs/recovery.md").find("(pictures/" + name + ")"),
            std::string::npos)
      << "docs/recovery.md does not show it";
}

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const RecoveryEntry& entry : recovery_protocols().entries()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Protocols, FaultStoryExample, testing::ValuesIn(protocol_names()),
                         [](const auto& protocol) {
                           std::string name = protocol.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace flitmend
