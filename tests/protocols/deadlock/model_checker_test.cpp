// SPDX-License-Identifier: Apache-2.0
// The deadlock checker against a model of tiny networks of which every state is visited.
#include <gtest/gtest.h>

#include "protocols/deadlock/checker.h"
#include "protocols/model_checker.h"
#include "protocols/networks.h"
#include "protocols/scripted_routing.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

// The sanitizers take eight times as long, most of it to visit states.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kMostStates = 10'000;
#else
constexpr std::size_t kMostStates = 100'000;
#endif
constexpr std::size_t kMostSteps = 30'000;
/// With more virtual channels in all, a network is not tiny.
constexpr std::size_t kMostChannels = 100;
/// Among them the states are visited too.
constexpr std::size_t kFewChannels = 16;

struct Agreement {
  unsigned free = 0, deadlocked = 0;
  unsigned not_proved = 0;  ///< the model has no deadlock, but there is no proof
  unsigned unfinished = 0;
};

/// All verdicts: with messages of one flit, of any length, and that hold whole paths.
void compare(const RoutingFunction& routing, unsigned vcs, const std::string& text, Agreement& agreement) {
  using enum NetworkModel::Messages;
  for (const NetworkModel::Messages messages : {one_flit, any_length, whole_path}) {
    const NetworkModel model(routing, vcs, messages);
    if (model.channels() > kMostChannels) continue;
    const DeadlockAnalysis a =
        analyse_deadlock(routing, ChannelMap(routing),
                         {.cut_through = messages == one_flit, .whole_paths = messages == whole_path});
    const std::string what = text + (messages == one_flit     ? ", cut-through"
                                     : messages == any_length ? ", wormhole"
                                                              : ", pipelined circuits");
    std::vector<ModelVerdict> verdicts = {model.blocked_sets(kMostSteps)};
    if (model.channels() <= kFewChannels) verdicts.push_back(model.reachable_states(kMostStates));
    bool complete = false;
    for (const ModelVerdict& model_says : verdicts) {
      complete = complete || model_says.complete;
      if (model_says.deadlock) {
        EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock) << what;
      }
      if (model_says.complete && !model_says.deadlock) {
        EXPECT_NE(a.verdict, DeadlockVerdict::can_deadlock) << what;
      }
    }
    if (!complete)
      ++agreement.unfinished;
    else
      ++(a.verdict == DeadlockVerdict::free           ? agreement.free
         : a.verdict == DeadlockVerdict::can_deadlock ? agreement.deadlocked
                                                      : agreement.not_proved);
  }
}

bool has(const std::vector<PortId>& ports, PortId port) {
  return std::find(ports.begin(), ports.end(), port) != ports.end();
}

TEST(ModelChecker, AgreesOnEveryAlgorithm) {
  Agreement agreement;
  const Mesh square({2, 2}), row({4, 1}), mesh({3, 3});
  const Torus ring3({3}), ring4({4}), ring5({5});
  const Hypercube plane(2), cube(3);
  for (const RoutingEntry& entry : routing_algorithms().entries())
    for (const Topology* t : std::initializer_list<const Topology*>{&square, &row, &mesh, &ring3, &ring4,
                                                                    &ring5, &plane, &cube}) {
      if (!entry.applies_to(*t)) continue;
      const RoutingSettings settings = algorithm(std::string(entry.name));
      const unsigned vcs = entry.properties(*t, settings).virtual_channels;
      const auto routing = make_routing(*t, vcs, settings);
      compare(*routing, vcs, std::string(entry.name) + " on a " + t->description(), agreement);
      if (HasFailure()) return;
    }
  EXPECT_GE(agreement.free, 60u);
  EXPECT_GE(agreement.deadlocked, 8u);
  EXPECT_EQ(agreement.not_proved, 0u);
  EXPECT_LE(agreement.unfinished, (agreement.free + agreement.deadlocked) / 5);
  RecordProperty("free", static_cast<int>(agreement.free));
  RecordProperty("deadlocked", static_cast<int>(agreement.deadlocked));
  RecordProperty("unfinished", static_cast<int>(agreement.unfinished));
}

/// Known algorithms, each with one rule broken. Both find that they deadlock.
TEST(ModelChecker, CatchesBrokenAlgorithms) {
  const Mesh square({2, 2}), mesh({3, 3});
  const Torus ring({5});
  using Ports = const std::vector<PortId>&;
  constexpr PortId kWestPort = 1, kNorthPort = 2;
  const ScriptedRouting west_first_turning_west(
      square, 1, [](const ScriptedRouting&, const RouteRequest&, Ports productive, CandidateList& out) {
        for (const PortId p : productive)
          if (!has(productive, kWestPort) || p == kWestPort || p == kNorthPort) out.push({.port = p});
      });
  const ScriptedRouting adaptive_on_the_escape(
      square, 2, [](const ScriptedRouting& r, const RouteRequest& q, Ports productive, CandidateList& out) {
        for (const PortId p : productive)
          for (const std::uint8_t vc_class : {1, 0}) out.push({.port = p, .vc_class = vc_class});
        out.push({.port = r.first_port(q), .preference = 1, .escape = true});
      });
  const ScriptedRouting escape_only_at_the_source(
      square, 2, [](const ScriptedRouting& r, const RouteRequest& q, Ports productive, CandidateList& out) {
        for (const PortId p : productive) out.push({.port = p, .vc_class = 1});
        if (q.arrival_port == RouteRequest::kInjected)
          out.push({.port = r.first_port(q), .preference = 1, .escape = true});
      });
  const ScriptedRouting no_dateline(
      ring, 1, [](const ScriptedRouting& r, const RouteRequest& q, Ports, CandidateList& out) {
        out.push({.port = r.first_port(q)});
      });
  const ScriptedRouting negative_first_turning_west(
      square, 1, [](const ScriptedRouting&, const RouteRequest&, Ports productive, CandidateList& out) {
        const bool south_east = productive.front() == 0 && productive.back() == 3;
        for (const PortId p : productive)
          if (!south_east || p == 3) out.push({.port = p});
      });
  const ScriptedRouting one_network_for_both(
      mesh, 1, [](const ScriptedRouting&, const RouteRequest&, Ports productive, CandidateList& out) {
        for (const PortId p : productive) out.push({.port = p});
      });
  struct Row {
    const char* text;
    const ScriptedRouting& routing;
    unsigned vcs;
  };
  for (const Row& row : {Row{"west-first that turns from north to west", west_first_turning_west, 1},
                         Row{"duato, adaptive on the escape channels too", adaptive_on_the_escape, 2},
                         Row{"duato, escape only at the source", escape_only_at_the_source, 2},
                         Row{"a ring without dateline", no_dateline, 1},
                         Row{"negative-first that turns from north to west", negative_first_turning_west, 1},
                         Row{"double-y with one network", one_network_for_both, 1}}) {
    using enum NetworkModel::Messages;
    for (const NetworkModel::Messages messages : {any_length, whole_path}) {
      SCOPED_TRACE(std::string(row.text) + (messages == whole_path ? ", pipelined circuits" : ", wormhole"));
      const DeadlockAnalysis a =
          analyse_deadlock(row.routing, ChannelMap(row.routing), {.whole_paths = messages == whole_path});
      EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
      const NetworkModel model(row.routing, row.vcs, messages);
      EXPECT_TRUE(model.blocked_sets(kMostSteps).deadlock);
      if (model.channels() > kFewChannels) continue;
      EXPECT_TRUE(model.reachable_states(kMostStates).deadlock);
    }
  }
}

/// After a misroute messages may return from an escape channel. Those over several channels can then
/// deadlock, those of one flit cannot.
TEST(ModelChecker, TellsWormholeFromCutThrough) {
  const Mesh mesh({3, 2});
  const ScriptedRouting misrouting(
      mesh, 2,
      [](const ScriptedRouting& r, const RouteRequest& q, const std::vector<PortId>& productive,
         CandidateList& out) {
        for (const PortId p : productive) out.push({.head_state = q.head_state, .port = p, .vc_class = 1});
        out.push({.head_state = q.head_state, .port = r.first_port(q), .preference = 1, .escape = true});
        if (q.head_state == 0)
          for (PortId p = 0; p < r.grid().port_count(q.here); ++p)
            if (r.grid().neighbour(q.here, p) && !has(productive, p) && p != q.arrival_port)
              out.push({.head_state = 1, .port = p, .vc_class = 1, .preference = 2});
      });
  const ModelVerdict one_flit =
      NetworkModel(misrouting, 2, NetworkModel::Messages::one_flit).blocked_sets(kMostSteps);
  EXPECT_TRUE(one_flit.complete);
  EXPECT_FALSE(one_flit.deadlock);
  EXPECT_EQ(analyse_deadlock(misrouting, ChannelMap(misrouting), {.cut_through = true}).verdict,
            DeadlockVerdict::free);
  Agreement agreement;
  compare(misrouting, 2, "duato with a misroute", agreement);
  EXPECT_EQ(agreement.not_proved, 2u) << "nothing is claimed of messages over several channels";
}

}  // namespace
}  // namespace flitmend
