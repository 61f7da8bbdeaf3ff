// SPDX-License-Identifier: Apache-2.0
// examples/fault-story with every recovery protocol: what its view marks, and the pictures made from its
// waves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "protocols/recovery/registry.h"
#include "support/program.h"

namespace flitmend {
namespace {

class FaultStoryExample : public testing::TestWithParam<std::string> {
 protected:
  void run_example() {
    ProgramProcess::Options options;
    options.folder = FLITMEND_SOURCE_DIR;
    ProgramProcess process({"run", "examples/fault-story/fault-story.yaml", "--quiet", "--set",
                            "recovery.protocol=" + GetParam(), "--out", folder_ / "o"},
                           options);
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
    std::map<std::string, std::uint64_t> markers;
  };
  View view() const {
    View v;
    std::vector<std::uint64_t> times;
    std::vector<std::string> names;
    std::istringstream lines(folder_.read("o/waves.gtkw"));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first;
      words >> first;
      if (first == "[timestart]") words >> v.start;
      if (first == "[markername]") names.push_back(line.substr(line.find(' ') + 2));
      if (first[0] == '*') {
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
  EXPECT_EQ(view.start, events.at("hit") - 5);
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
