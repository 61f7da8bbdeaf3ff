// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/aim.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/errors.h"
#include "protocols/recovery/registry.h"
#include "support/fabric_bench.h"
#include "support/statistics.h"

namespace flitmend {
namespace {

FaultSettings aimed_at(const char* phase, double rate, const char* part = "node") {
  FaultSettings s;
  s.aim.phases = {phase};
  s.aim.rate = rate;
  s.aim.part = part;
  return s;
}

/// The next action that is not a candidate.
FaultAction take_fault(FaultPlan& plan) {
  FaultAction action = plan.take();
  while (action.candidate) action = plan.take();
  return action;
}

struct Network {
  explicit Network(std::vector<std::int64_t> size) : topology(make_topology(mesh_network(std::move(size)))) {}
  std::unique_ptr<Topology> topology;
};

TEST(FaultCandidates, ChangeNothingUnlessTheyStrike) {
  const Network mesh({4, 4});
  FaultSettings s = aimed_at("head", 0.01);
  s.node_rate = 1e-3;
  FaultSettings plain;
  plain.node_rate = 1e-3;
  FaultPlan with(s, *mesh.topology, 1), without(plain, *mesh.topology, 1);
  unsigned candidates = 0;
  for (unsigned i = 0; i < 500;) {
    const FaultAction action = with.take();
    if (action.candidate) {
      ++candidates;
      EXPECT_TRUE(with.candidate().empty() || with.candidate() == (FaultCandidate{{action.part}}));
      continue;
    }
    EXPECT_EQ(action, without.take()) << i;
    ++i;
  }
  EXPECT_GT(candidates, 2000u);  // ten times as many as the others' strikes
}

TEST(FaultCandidates, ThatStrikeFailAndAreRepaired) {
  const Network mesh({3, 3});
  FaultSettings s = aimed_at("body", 0.01, "link");
  s.aim.at_once = 2;
  s.aim.duration = {7};
  s.aim.apart = 100;
  s.aim.most = 5;
  s.aim.from = 400;
  FaultPlan plan(s, *mesh.topology, 3);
  std::uint64_t last = 0;
  std::map<FaultyPart, std::uint64_t> failed;
  unsigned strikes = 0;
  while (plan.next_cycle() < 20000) {
    const FaultAction action = plan.take();
    if (!action.candidate) {
      EXPECT_TRUE(action.repair) << "strikes are taken below";
      EXPECT_EQ(action.cycle, failed.at(action.part) + 7);
      failed.erase(action.part);
      continue;
    }
    if (plan.candidate().empty()) continue;
    ASSERT_EQ(plan.candidate().size(), 2u);
    EXPECT_GE(action.cycle, 400u);
    EXPECT_TRUE(strikes == 0 || action.cycle > last + 100);
    last = action.cycle;
    ++strikes;
    const FaultCandidate parts = plan.candidate();
    plan.strike();
    std::size_t channels = 0;
    for (const auto& link : parts) channels += link.size();
    EXPECT_EQ(channels, 4u) << "both directions of two links";
    for (std::size_t i = 0; i < channels; ++i) {
      const FaultAction strike = take_fault(plan);
      EXPECT_EQ(strike.cycle, last);
      EXPECT_FALSE(strike.repair || strike.permanent);
      failed[strike.part] = last;
    }
    for (const auto& link : parts)
      for (const FaultyPart& part : link) EXPECT_EQ(failed.count(part), 1u);
  }
  EXPECT_EQ(plan.next_cycle(), FaultPlan::kNoCycle) << "no more candidates";
  EXPECT_EQ(strikes, 5u);
  EXPECT_TRUE(failed.empty());
}

TEST(FaultCandidates, AreHealthyParts) {
  const Network mesh({2, 2});
  FaultSettings s = aimed_at("head", 0.05);
  s.aim.duration = {};  // permanent
  FaultPlan plan(s, *mesh.topology, 1);
  std::set<FaultyPart> dead;
  while (dead.size() < 4) {
    const FaultAction action = plan.take();
    ASSERT_TRUE(action.candidate);
    if (plan.candidate().empty()) continue;
    plan.strike();
    const FaultAction strike = take_fault(plan);
    EXPECT_TRUE(strike.permanent);
    EXPECT_TRUE(dead.insert(strike.part).second) << "it is dead already";
    if (dead.size() == 4) break;
  }
}

TEST(FaultCandidates, NeedAPhaseAndARate) {
  const Network mesh({3, 3});
  const auto refusal = [&](const FaultSettings& s) {
    try {
      const FaultPlan plan(s, *mesh.topology, 1);
      EXPECT_TRUE(plan.static_faults().empty());
      return std::string();
    } catch (const KeyError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(
      refusal(aimed_at("heads", 0.1)),
      "faults.aim.phases: 'heads' is not a phase; use head, body, tail, control, retransmission, absorption");
  EXPECT_EQ(refusal(aimed_at("head", 0)).find("faults.aim.rate: "), 0u);
  FaultSettings s;
  s.aim.rate = 0.1;
  EXPECT_EQ(refusal(s).find("faults.aim.phases: faults.aim.rate needs phases"), 0u);
}

// What makes a bound from aimed faults as good as one from random faults: every part and cycle in which a
// fault hits the phase is equally likely to be struck.
TEST(Aim, StrikesEveryPartAndCycleThatQualifiesEquallyOften) {
  constexpr Cycle kWindow = 90;
  constexpr unsigned kWindows = 1500;
  constexpr double kRate = 0.02;
  const FaultSettings settings = aimed_at("head", kRate);
  const std::unique_ptr<RecoveryProtocol> protocol = recovery_protocols().at("none").make({}, {});
  FabricBench bench(mesh_network({5}), preset("iq"), {}, "fabric", 1, protocol.get());
  FaultPlan plan(settings, bench.topology(), 7);
  const Aim aim(settings.aim);
  std::map<std::pair<Cycle, RouterId>, std::uint64_t> struck;
  std::set<std::pair<Cycle, RouterId>> qualified;
  for (unsigned window = 0; window < kWindows; ++window) {
    bench.fabric.network_interface(0).send(4, 12);
    for (Cycle offset = 0; offset < kWindow; ++offset) {
      bench.run(1);
      if (window == 0)
        for (RouterId r = 0; r < 5; ++r)
          if (aim.hits(bench.fabric, {{FaultyPart{r}}}, 0)) qualified.emplace(offset, r);
      const Cycle now = window * kWindow + offset;
      while (plan.next_cycle() == now)
        if (const FaultAction action = plan.take(); aim.hits(bench.fabric, plan.candidate(), now))
          ++struck[{offset, action.part.router}];
    }
  }
  ASSERT_GT(qualified.size(), 20u);
  ASSERT_LT(qualified.size(), 60u);
  std::vector<std::uint64_t> counts;
  for (const auto& place : qualified) counts.push_back(struck[place]);
  EXPECT_EQ(struck.size(), qualified.size()) << "struck where the first window would not be hit";
  const std::vector<double> expected(counts.size(), kRate * kWindows);
  EXPECT_LT(test::chi_square_score(counts, expected), 4);
}

TEST(Aim, LeavesMessagesAloneThatAFaultHasHit) {
  FaultSettings settings = aimed_at("retransmission", 0.01);
  const Aim any(settings.aim);
  settings.aim.first_hit = true;
  const Aim first(settings.aim);
  settings.aim.phases = {"body"};
  const Aim first_body(settings.aim);
  const std::unique_ptr<RecoveryProtocol> protocol = recovery_protocols().at("end-to-end").make({}, {});
  FabricBench bench(mesh_network({5}), preset("iq"), {}, "fabric", 1, protocol.get());
  const FaultCandidate middle = {{FaultyPart{2}}};
  bench.fabric.network_interface(0).send(4, 200);
  bench.run(100);  // the head has arrived
  EXPECT_TRUE(first_body.hits(bench.fabric, middle, 100));
  bench.fabric.fail_router(2);
  bench.run(10);
  bench.fabric.repair_router(2);
  Cycle waited = 0;
  while (!any.hits(bench.fabric, middle, 0) && ++waited < 20000) bench.run(1);
  ASSERT_LT(waited, 20000u) << "nothing was sent again";
  EXPECT_FALSE(first.hits(bench.fabric, middle, 0));
  EXPECT_FALSE(first_body.hits(bench.fabric, middle, 0));
}

TEST(Aim, TurnsToWhatComesThenAndBack) {
  FaultSettings settings = aimed_at("head", 0.01);
  settings.aim.then = {"absorption", "body"};
  const std::unique_ptr<RecoveryProtocol> protocol = recovery_protocols().at("none").make({}, {});
  FabricBench bench(mesh_network({5}), preset("iq"), {}, "fabric", 1, protocol.get());
  Aim aim(settings.aim);
  bench.fabric.network_interface(0).send(4, 200);
  bench.run(100);  // the head has arrived
  const FaultCandidate middle = {{FaultyPart{2}}};
  EXPECT_FALSE(aim.hits(bench.fabric, middle, 100)) << "it waits for a head";
  aim.struck(100);
  EXPECT_FALSE(aim.hits(bench.fabric, middle, 101)) << "no fault has hit the message whose body is here";
  bench.fabric.fail_router(1);
  bench.run(1);
  EXPECT_TRUE(aim.hits(bench.fabric, middle, 101));
  EXPECT_FALSE(aim.hits(bench.fabric, middle, 1100)) << "it has waited long enough";
  aim.struck(200);
  EXPECT_FALSE(aim.hits(bench.fabric, middle, 201)) << "a head again";
}

}  // namespace
}  // namespace flitmend
