// SPDX-License-Identifier: Apache-2.0
// The two allocators alone: what they grant, in what order, and how fairly.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/random_stream.h"
#include "rtl_tlm/router/parts/switch_allocator.h"
#include "rtl_tlm/router/parts/vc_allocator.h"

namespace flitmend {
namespace {

using Request = VcAllocator::Request;

std::uint16_t id(unsigned port, unsigned vc) {
  return static_cast<std::uint16_t>(port * 4 + vc);
}

/// 3 ports of 4 virtual channels.
VcAllocator vc_allocator(unsigned iterations) {
  return VcAllocator(12, 4, iterations);
}

TEST(VcAllocator, TakesTurnsWhereTwoWantTheSame) {
  VcAllocator a = vc_allocator(1);
  std::vector<unsigned> winners;
  for (int i = 0; i < 6; ++i) {
    std::vector<Request> requests = {{id(0, 0), 2, 0b1, 0}, {id(1, 3), 2, 0b1, 0}};
    a.allocate(requests);
    EXPECT_NE(requests[0].granted == kNoVc, requests[1].granted == kNoVc);
    winners.push_back(requests[0].granted == kNoVc ? 1 : 0);
    EXPECT_EQ(requests[winners.back()].granted, id(2, 0));
  }
  EXPECT_EQ(winners, (std::vector<unsigned>{0, 1, 0, 1, 0, 1}));
}

TEST(VcAllocator, AHeadAloneTurnsThroughTheVirtualChannels) {
  VcAllocator a = vc_allocator(1);
  std::vector<std::uint16_t> got;
  for (int i = 0; i < 5; ++i) {
    std::vector<Request> requests = {{id(0, 1), 1, 0b1011, 0}};
    a.allocate(requests);
    got.push_back(requests[0].granted);
  }
  EXPECT_EQ(got, (std::vector<std::uint16_t>{id(1, 0), id(1, 1), id(1, 3), id(1, 0), id(1, 1)}));
}

TEST(VcAllocator, OneIterationMayLeaveAVirtualChannelUnusedTwoDoNot) {
  for (const unsigned iterations : {1u, 2u}) {
    VcAllocator a = vc_allocator(iterations);
    // Fresh pointers: both virtual channels grant the first head, which takes one of them.
    std::vector<Request> requests = {{id(0, 0), 2, 0b11, 0}, {id(1, 0), 2, 0b11, 0}};
    a.allocate(requests);
    EXPECT_EQ(requests[0].granted, id(2, 0));
    EXPECT_EQ(requests[1].granted, iterations == 1 ? kNoVc : id(2, 1)) << iterations;
  }
}

TEST(VcAllocator, GrantsOnlyWhatWasAskedForAndNothingTwice) {
  RandomStream random(1, RandomPurpose::test, 0);
  for (const unsigned iterations : {1u, 2u, 4u}) {
    VcAllocator a = vc_allocator(iterations);
    for (int round = 0; round < 2000; ++round) {
      std::vector<Request> requests;
      for (unsigned in = 0; in < 12; ++in)
        if (random.below(3) == 0)
          requests.push_back({static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(random.below(3)),
                              1 + random.below(15), 0});
      std::vector<VcMask> asked;
      for (const Request& r : requests) asked.push_back(r.vcs);
      a.allocate(requests);
      std::set<unsigned> given;
      for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i].granted == kNoVc) continue;
        EXPECT_EQ(requests[i].granted / 4, requests[i].port);
        EXPECT_TRUE(asked[i] >> (requests[i].granted % 4) & 1);
        EXPECT_TRUE(given.insert(requests[i].granted).second);
      }
      for (std::size_t i = 0; i < requests.size(); ++i) {  // a requested output is granted to some head
        if (requests[i].granted != kNoVc) continue;
        std::size_t rivals = 0;
        for (std::size_t j = 0; j < requests.size(); ++j)
          rivals += requests[j].port == requests[i].port && requests[j].granted != kNoVc;
        EXPECT_GT(rivals, 0u);
      }
    }
  }
}

TEST(VcAllocator, ResetForgetsWhoseTurnItIs) {
  VcAllocator a = vc_allocator(1);
  std::vector<Request> requests = {{id(0, 0), 2, 0b1, 0}, {id(1, 3), 2, 0b1, 0}};
  a.allocate(requests);
  EXPECT_EQ(requests[0].granted, id(2, 0));
  a.reset();
  a.allocate(requests);
  EXPECT_EQ(requests[0].granted, id(2, 0));
}

/// For heads that make requests at several ports.
VcAllocator all_ports_allocator(unsigned ids, unsigned vcs, unsigned iterations, VcScratch& scratch) {
  return VcAllocator(ids, vcs, iterations, &scratch);
}

TEST(VcAllocatorOfAllPorts, AHeadGetsOneOfItsPortsInTurn) {
  VcScratch scratch(12, 4, true);
  VcAllocator a = all_ports_allocator(12, 4, 1, scratch);
  std::vector<unsigned> got;
  for (int i = 0; i < 4; ++i) {
    std::vector<Request> requests = {{id(0, 1), 1, 0b0010, 0, 0}, {id(0, 1), 2, 0b0101, 0, 1}};
    a.allocate(requests);
    EXPECT_NE(requests[0].granted == kNoVc, requests[1].granted == kNoVc);
    got.push_back(requests[0].granted != kNoVc ? requests[0].granted : requests[1].granted);
  }
  EXPECT_EQ(got, (std::vector<unsigned>{id(1, 1), id(2, 0), id(2, 2), id(1, 1)}));
}

TEST(VcAllocatorOfAllPorts, ALoserAtOnePortMayWinAtAnother) {
  VcScratch scratch(12, 4, true);
  VcAllocator a = all_ports_allocator(12, 4, 1, scratch);
  // Both want the same virtual channel of port 1; the second one also another at port 2.
  std::vector<Request> requests = {
      {id(0, 0), 1, 0b1, 0, 0}, {id(0, 1), 1, 0b1, 0, 0}, {id(0, 1), 2, 0b1, 0, 1}};
  a.allocate(requests);
  EXPECT_EQ(requests[0].granted, id(1, 0));
  EXPECT_EQ(requests[1].granted, kNoVc);
  EXPECT_EQ(requests[2].granted, id(2, 0));
}

TEST(VcAllocatorOfAllPorts, GrantsOnlyWhatWasAskedForAndNothingTwice) {
  RandomStream random(2, RandomPurpose::test, 0);
  for (const unsigned vcs : {4u, 30u})  // 12 and 90 virtual channels: masks of one word and of two
    for (const unsigned iterations : {1u, 3u}) {
      const unsigned ids = 3 * vcs;
      VcScratch scratch(ids, vcs, true);
      VcAllocator a = all_ports_allocator(ids, vcs, iterations, scratch);
      std::size_t matched = 0;
      for (int round = 0; round < 1000; ++round) {
        std::vector<Request> requests;
        for (unsigned in = 0; in < ids; ++in)
          for (unsigned port = 0; port < 3; ++port)
            if (random.below(5) == 0)
              requests.push_back({static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(port),
                                  1 + random.below((1u << vcs) - 1), 0, static_cast<std::uint16_t>(port)});
        if (requests.empty()) continue;
        const std::vector<Request> asked = requests;
        a.allocate(requests);
        std::set<unsigned> outputs, inputs;
        for (std::size_t i = 0; i < requests.size(); ++i) {
          if (requests[i].granted == kNoVc) continue;
          EXPECT_EQ(requests[i].granted / vcs, asked[i].port);
          EXPECT_TRUE(asked[i].vcs >> (requests[i].granted % vcs) & 1);
          EXPECT_TRUE(outputs.insert(requests[i].granted).second) << "two heads have one virtual channel";
          EXPECT_TRUE(inputs.insert(requests[i].input).second) << "a head has two virtual channels";
        }
        EXPECT_FALSE(outputs.empty());
        matched += outputs.size();
      }
      EXPECT_GT(matched, 1000u);
    }
}

/// Requests of one cycle as (input virtual channel, output port) → the virtual channels granted.
std::vector<unsigned> match(SwitchAllocator& a, const std::vector<std::pair<unsigned, unsigned>>& wishes) {
  std::array<Word, 2> asking{};
  std::map<unsigned, unsigned> wanted(wishes.begin(), wishes.end());
  for (const auto& [vc, out] : wishes) set_bit(asking.data(), vc);
  std::array<std::uint16_t, 128> granted;
  const unsigned count = a.allocate(
      asking.data(), [&](unsigned vc) { return wanted.at(vc); }, granted.data());
  return {granted.begin(), granted.begin() + count};
}

TEST(SwitchAllocator, TheVirtualChannelsOfAnInputTakeTurns) {
  SwitchAllocator a(3, 4, 1);
  std::vector<unsigned> winners;
  for (int i = 0; i < 6; ++i) {
    const auto granted = match(a, {{0, 2}, {1, 2}, {3, 2}});
    ASSERT_EQ(granted.size(), 1u);
    winners.push_back(granted[0]);
  }
  EXPECT_EQ(winners, (std::vector<unsigned>{0, 1, 3, 0, 1, 3}));
}

TEST(SwitchAllocator, InputsTakeTurnsAtAnOutput) {
  SwitchAllocator a(3, 4, 1);
  std::vector<unsigned> winners;
  for (int i = 0; i < 6; ++i) winners.push_back(match(a, {{0, 1}, {4, 1}, {8, 1}}).at(0) / 4);
  EXPECT_EQ(winners, (std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
}

TEST(SwitchAllocator, PointersComeApartSoThatFullDemandUsesEveryOutputEveryCycle) {
  SwitchAllocator a(4, 4, 1);
  std::vector<std::pair<unsigned, unsigned>> all;
  for (unsigned in = 0; in < 4; ++in)
    for (unsigned out = 0; out < 4; ++out) all.emplace_back(in * 4 + out, out);
  EXPECT_EQ(match(a, all).size(), 1u) << "all pointers at 0: one match in the first cycle";
  for (int i = 0; i < 8; ++i) match(a, all);
  std::map<unsigned, unsigned> served;
  for (int i = 0; i < 16; ++i) {
    const auto granted = match(a, all);
    EXPECT_EQ(granted.size(), 4u) << i;
    for (const unsigned vc : granted) ++served[vc];
  }
  for (const auto& [vc, times] : served) EXPECT_EQ(times, 4u) << vc;
}

TEST(SwitchAllocator, SecondIterationFillsWhatTheFirstLeft) {
  const std::vector<std::pair<unsigned, unsigned>> wishes = {{0, 0}, {1, 1}, {4, 0}};
  SwitchAllocator one(2, 4, 1), two(2, 4, 2);
  EXPECT_EQ(match(one, wishes).size(), 1u) << "input 0 is granted both outputs and takes one";
  EXPECT_EQ(match(two, {{0, 0}, {1, 1}, {5, 1}}).size(), 2u);
}

TEST(SwitchAllocator, GrantsAreAMatchingOfWhatWasAskedFor) {
  RandomStream random(2, RandomPurpose::test, 0);
  for (const unsigned iterations : {1u, 5u}) {
    SwitchAllocator a(5, 4, iterations);
    for (int round = 0; round < 3000; ++round) {
      std::vector<std::pair<unsigned, unsigned>> wishes;
      std::map<unsigned, unsigned> wanted;
      for (unsigned vc = 0; vc < 20; ++vc)
        if (random.below(2)) {
          wishes.emplace_back(vc, random.below(5));
          wanted[vc] = wishes.back().second;
        }
      const auto granted = match(a, wishes);
      std::set<unsigned> inputs, outputs;
      for (const unsigned vc : granted) {
        ASSERT_TRUE(wanted.count(vc));
        EXPECT_TRUE(inputs.insert(vc / 4).second) << "an input sends one flit";
        EXPECT_TRUE(outputs.insert(wanted[vc]).second) << "an output takes one flit";
      }
      EXPECT_EQ(granted.empty(), wishes.empty());
      if (iterations == 5)  // as many as ports: no request is left whose input and output are both free
        for (const auto& [vc, out] : wanted) {
          EXPECT_TRUE(inputs.count(vc / 4) || outputs.count(out));
        }
      EXPECT_TRUE(match(a, {}).empty()) << "requests are forgotten";
    }
  }
}

// All virtual channels of the small allocator fit in one word. The large one, whose other ports make no
// requests, needs several.
TEST(SwitchAllocator, OneWordAndSeveralMatchAlike) {
  RandomStream random(3, RandomPurpose::test, 0);
  unsigned number = 0;
  for (const auto& [ports, vcs] :
       {std::pair{5u, 4u}, {5u, 1u}, {9u, 7u}, {3u, 21u}, {13u, 3u}, {2u, 32u}, {1u, 64u}, {64u, 1u}})
    for (const unsigned iterations : {1u, 3u}) {
      SCOPED_TRACE(std::to_string(ports) + " ports of " + std::to_string(vcs));
      const std::string name = "matching" + std::to_string(number++);
      SwitchAllocator small(ports, vcs, iterations);
      SwitchAllocator large(64 / vcs + 1, vcs, iterations);
      ASSERT_GT((64 / vcs + 1) * vcs, 64u);
      for (int round = 0; round < 400; ++round) {
        std::vector<std::pair<unsigned, unsigned>> wishes;
        const unsigned share = 1 + random.below(8);
        for (unsigned vc = 0; vc < ports * vcs; ++vc)
          if (random.below(share) == 0) wishes.emplace_back(vc, random.below(ports));
        auto few = match(small, wishes), many = match(large, wishes);
        std::sort(few.begin(), few.end());
        std::sort(many.begin(), many.end());
        ASSERT_EQ(few, many) << "round " << round;
      }
    }
}

}  // namespace
}  // namespace flitmend
