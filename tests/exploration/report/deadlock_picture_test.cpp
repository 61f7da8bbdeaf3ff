// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/deadlock_picture.h"

#include <gtest/gtest.h>

#include "protocols/routing/registry.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++times;
  return times;
}

class DeadlockPicture : public testing::Test {
 protected:
  std::string draw(const DeadlockAnalysis& a) {
    return deadlock_picture(a, *routing_, *channels_, "a <title>");
  }
  DeadlockAnalysis analyse() { return analyse_deadlock(*routing_, *channels_); }
  void use(const std::string& algorithm, unsigned vcs) {
    RoutingSettings settings;
    settings.algorithm = algorithm;
    routing_ = make_routing(mesh_, vcs, settings);
    channels_ = std::make_unique<ChannelMap>(*routing_);
  }

  Mesh mesh_{{3, 3}};
  std::unique_ptr<RoutingFunction> routing_ = make_routing(mesh_, 1, {});
  std::unique_ptr<ChannelMap> channels_ = std::make_unique<ChannelMap>(*routing_);
};

TEST_F(DeadlockPicture, AnOrderColoursEveryChannelByItsRank) {
  const DeadlockAnalysis a = analyse();
  const std::string svg = draw(a);
  EXPECT_NE(svg.find("<title>a &lt;title&gt;</title>"), svg.npos) << svg;
  EXPECT_EQ(count(svg, "<polyline"), 24u);
  EXPECT_EQ(count(svg, "<polygon"), 24u) << "an arrowhead for every channel with a rank";
  EXPECT_EQ(count(svg, "<circle"), 9u);
  for (ChannelId c = 0; c < channels_->size(); ++c)
    EXPECT_NE(svg.find("\n" + channels_->name(c) + ": rank " + std::to_string(a.ranks[c]) + "</title>"),
              svg.npos)
        << channels_->name(c);
}

TEST_F(DeadlockPicture, OfAProofByEscapesOnlyTheEscapeChannelsAreOrdered) {
  use("duato", 2);
  const std::string svg = draw(analyse());
  EXPECT_EQ(count(svg, "<polygon"), 24u);
  EXPECT_EQ(svg.find(".vc1: rank"), svg.npos) << svg;
  EXPECT_EQ(count(svg, ".vc0: rank"), 24u);
}

TEST_F(DeadlockPicture, OfADeadlockEveryMessageHasItsNumber) {
  use("tfar", 1);
  const DeadlockAnalysis a = analyse();
  ASSERT_EQ(a.deadlock.size(), 4u);
  const std::string svg = draw(a);
  for (std::size_t i = 0; i < a.deadlock.size(); ++i) {
    const std::string message =
        "message " + std::to_string(i + 1) + " to " + mesh_.router_name(a.deadlock[i].destination);
    EXPECT_NE(svg.find(message + " holds " + channels_->name(a.deadlock[i].holds.front())), svg.npos) << svg;
    EXPECT_NE(svg.find(message + " waits for " + channels_->name(a.deadlock[i].wants.front())), svg.npos)
        << svg;
  }
  EXPECT_EQ(count(svg, "<polygon"), 4u) << "all others are grey";
}

TEST_F(DeadlockPicture, SaysWhatThereIsToDraw) {
  EXPECT_EQ(finding_of(analyse()), DeadlockFinding::order);
  use("duato", 2);
  EXPECT_EQ(finding_of(analyse()), DeadlockFinding::order);
  use("tfar", 1);
  EXPECT_EQ(finding_of(analyse()), DeadlockFinding::deadlock);
  EXPECT_EQ(finding_of({}), DeadlockFinding::nothing);
  EXPECT_NE(draw({}).find("Nothing to show"), std::string::npos);
}

TEST_F(DeadlockPicture, ACycleIsNumberedAlongItsChannels) {
  DeadlockAnalysis a;
  a.cycle = {5, 3, 8};
  EXPECT_EQ(finding_of(a), DeadlockFinding::cycle);
  const std::string svg = draw(a);
  EXPECT_EQ(count(svg, "<polygon fill=\"#d62728\""), 3u);
  for (std::size_t i = 0; i < a.cycle.size(); ++i)
    EXPECT_NE(svg.find("\n" + std::to_string(i + 1) + ": " + channels_->name(a.cycle[i]) + "</title>"),
              svg.npos);
}

}  // namespace
}  // namespace flitmend
