// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.h"
#include "support/files.h"
#include "support/sample_trace.h"
#include "topologies/mesh.h"
#include "traces/netrace/writer.h"

namespace flitmend {
namespace {

using Packet = NetraceReplay::Packet;

class NetraceReplayTest : public testing::Test {
 protected:
  /// A trace of 4 nodes: packets (id, cycle, dependants), ReadReq from node id % 4 to node 3.
  NetraceReplay replay(const std::vector<NetracePacket>& packets) {
    NetraceWriter writer(path, 4, "test");
    for (NetracePacket p : packets) {
      p.type = 1;
      p.source = static_cast<std::uint8_t>(p.id % 4);
      p.destination = 3;
      writer.write(p);
    }
    writer.end_region(100);
    writer.close();
    return NetraceReplay(path, mesh, 8);
  }
  static std::vector<std::uint32_t> pop_all(NetraceReplay& r, Cycle now,
                                            std::map<std::uint32_t, Packet>& popped) {
    std::vector<std::uint32_t> ids;
    while (const auto p = r.pop(now)) {
      ids.push_back(p->id);
      popped[p->id] = *p;
    }
    return ids;
  }
  using Ids = std::vector<std::uint32_t>;

  test::TemporaryFolder folder;
  const std::string path = folder / "t.tra.bz2";
  const Mesh mesh{{2, 2}};
  std::map<std::uint32_t, Packet> popped;
};

TEST_F(NetraceReplayTest, APacketIsReadyAtItsCycleOrAtTheLastDeliveryItWaitsForWhicheverIsLater) {
  NetraceReplay r = replay({{.cycle = 10, .id = 0, .dependants = {2, 3}},
                            {.cycle = 10, .id = 1, .dependants = {2}},
                            {.cycle = 12, .id = 2},
                            {.cycle = 50, .id = 3}});
  EXPECT_EQ(r.next_cycle(), 10u);
  EXPECT_EQ(pop_all(r, 9, popped), Ids{});
  EXPECT_EQ(pop_all(r, 10, popped), (Ids{0, 1}));
  EXPECT_EQ(r.next_cycle(), 12u);
  EXPECT_EQ(pop_all(r, 20, popped), Ids{});
  EXPECT_EQ(r.waiting(), 1u);
  EXPECT_EQ(r.next_cycle(), 50u);
  r.delivered(popped[1].handle, 21);
  EXPECT_EQ(pop_all(r, 21, popped), Ids{}) << "packet 2 waits for packet 0 too";
  r.delivered(popped[0].handle, 30);
  EXPECT_EQ(r.next_cycle(), 30u);
  EXPECT_EQ(pop_all(r, 40, popped), Ids{2});
  EXPECT_EQ(popped[2].ready, 30u) << "the last delivery";
  EXPECT_EQ(pop_all(r, 60, popped), Ids{3});
  EXPECT_EQ(popped[3].ready, 50u) << "its cycle";
  EXPECT_EQ(r.in_flight(), 2u);
  EXPECT_FALSE(r.finished());
  r.delivered(popped[2].handle, 61);
  r.undeliverable(popped[3].handle, 61);
  EXPECT_TRUE(r.finished());
  EXPECT_EQ(r.next_cycle(), kNever);
  EXPECT_EQ(r.delivered_count(), 3u);
  EXPECT_EQ(r.undeliverable_count(), 1u);
}

TEST_F(NetraceReplayTest, PacketsOfOneCycleComeInTheOrderOfTheTraceHoweverDeliveriesAreTold) {
  for (const bool swapped : {false, true}) {
    NetraceReplay r = replay({{.cycle = 0, .id = 0, .dependants = {4}},
                              {.cycle = 0, .id = 1, .dependants = {3}},
                              {.cycle = 0, .id = 2, .dependants = {5}},
                              {.cycle = 1, .id = 3},
                              {.cycle = 1, .id = 4},
                              {.cycle = 1, .id = 5},
                              {.cycle = 7, .id = 6}});
    pop_all(r, 1, popped);
    Ids order = {0, 1, 2};
    if (swapped) order = {2, 1, 0};
    for (std::uint32_t id : order) r.delivered(popped[id].handle, 7);
    EXPECT_EQ(pop_all(r, 7, popped), (Ids{3, 4, 5, 6}));
  }
}

TEST_F(NetraceReplayTest, WhatWaitsForAnUndeliverablePacketGoesOn) {
  NetraceReplay r = replay({{.cycle = 0, .id = 0, .dependants = {1}}, {.cycle = 0, .id = 1}});
  EXPECT_EQ(pop_all(r, 0, popped), Ids{0});
  r.undeliverable(popped[0].handle, 9);
  EXPECT_EQ(pop_all(r, 9, popped), Ids{1});
}

TEST_F(NetraceReplayTest, RefusesADeliveryOfWhatIsNotInTheNetwork) {
  NetraceReplay r = replay({{.cycle = 0, .id = 0, .dependants = {1}}, {.cycle = 0, .id = 1}});
  pop_all(r, 0, popped);
  r.delivered(popped[0].handle, 1);
  const std::string text =
      "a packet of the trace that is not in the network was reported as delivered (handle ";
  EXPECT_EQ(test::message_of<ContractError>([&] { r.delivered(popped[0].handle, 1); }), text + "0)");
  EXPECT_EQ(test::message_of<ContractError>([&] { r.delivered(99, 1); }), text + "99)");
}

TEST_F(NetraceReplayTest, RefusesAnotherSizeThanTheNetworkAndFlitsWithoutBytes) {
  replay({});
  EXPECT_EQ(test::message_of<ConfigurationError>([&] {
              NetraceReplay(path, Mesh({3, 2}), 8);
            }),
            "trace '" + path +
                "' has 4 nodes, but the network (3x2 mesh) has 6; use a network of the trace's size");
  EXPECT_EQ(test::message_of<ConfigurationError>([&] { NetraceReplay(path, mesh, 0); }),
            "a flit must carry at least 1 byte");
}

TEST_F(NetraceReplayTest, AnEmptyTraceIsFinishedAtOnce) {
  NetraceReplay r = replay({});
  EXPECT_TRUE(r.finished());
  EXPECT_FALSE(r.pop(1000));
}

TEST(NetraceLengths, AreHeadTailAndTheBytesInFlits) {
  EXPECT_EQ(flits_of_bytes(8, 8), 3u);
  EXPECT_EQ(flits_of_bytes(72, 8), 11u);
  EXPECT_EQ(flits_of_bytes(72, 16), 7u);
  EXPECT_EQ(flits_of_bytes(72, 4096), 3u);
  std::set<int> lines;
  for (const NetraceType& type : netrace_types())
    if (type.bytes == 72)
      lines.insert(type.number);
    else
      EXPECT_EQ(type.bytes, 8u);
  EXPECT_EQ(lines, (std::set<int>{2, 3, 4, 6, 16, 30}));
}

struct Outcome {
  std::uint64_t delivered = 0;
  std::uint64_t to_own_node = 0;
  std::uint64_t flits = 0;
  Cycle last = 0;
  std::size_t peak = 0;
};

/// Replays into a network that delivers `latency` cycles after a packet became ready, and checks each packet
/// against the rule, computed from the file alone.
Outcome replay_with_latency(const std::string& path, const Topology& topology, Cycle latency,
                            std::optional<unsigned> region = {}) {
  std::map<std::uint32_t, Cycle> expected;  // id: ready cycle
  {
    std::map<std::uint32_t, Cycle> freed;
    NetraceReader reader(path, region);
    for (NetracePacket p; reader.read(p);) {
      const Cycle ready = std::max(p.cycle - reader.first_cycle(), freed.contains(p.id) ? freed[p.id] : 0);
      expected[p.id] = ready;
      for (std::uint32_t id : p.dependants) freed[id] = std::max(freed[id], ready + latency);
    }
  }
  NetraceReplay replay(path, topology, 8, region);
  Outcome outcome;
  std::multimap<Cycle, std::uint32_t> flying;
  for (Cycle now = 0; !replay.finished();) {
    for (; !flying.empty() && flying.begin()->first <= now; flying.erase(flying.begin()))
      replay.delivered(flying.begin()->second, flying.begin()->first);
    while (const auto p = replay.pop(now)) {
      const auto found = expected.find(p->id);
      if (found == expected.end()) {
        ADD_FAILURE() << "packet id " << p->id << " came twice";
        return outcome;
      }
      EXPECT_EQ(p->ready, found->second) << "packet id " << p->id;
      EXPECT_EQ(p->ready, now);
      expected.erase(found);
      flying.emplace(now + latency, p->handle);
      ++outcome.delivered;
      outcome.to_own_node += p->source == p->destination;
      outcome.flits += p->length;
      outcome.last = now;
    }
    const Cycle next = std::min(replay.next_cycle(), flying.empty() ? kNever : flying.begin()->first);
    if (next == kNever) break;
    now = next;
  }
  EXPECT_TRUE(replay.finished());
  EXPECT_TRUE(expected.empty());
  EXPECT_EQ(replay.delivered_count(), replay.packets());
  outcome.peak = replay.peak_held();
  return outcome;
}

TEST(NetraceSamples, ReplayToTheLastPacket) {
  const Mesh mesh({8, 8});
  struct Sample {
    const char* name;
    std::uint64_t packets, to_own_node, dependencies, last_cycle;
    std::size_t regions;
  };
  for (const Sample& s : {Sample{"shrtex", 12, 0, 9, 221, 1}, Sample{"example", 175, 4, 136, 6820, 1},
                          Sample{"multiregion", 22968, 500, 13168, 324247, 5},
                          Sample{"lngrex", 81749, 1406, 52672, 2325306, 1}}) {
    const std::string wanted = std::string("netrace/") + s.name + ".tra.bz2";
    const std::string path = test::outside_data(wanted);
    if (path.empty()) GTEST_SKIP() << test::no_outside_data(wanted);
    SCOPED_TRACE(s.name);
    const NetraceSummary summary = scan_netrace(path);
    EXPECT_EQ(summary.header.nodes, 64u);
    EXPECT_EQ(summary.header.regions.size(), s.regions);
    EXPECT_EQ(summary.packets, s.packets);
    EXPECT_EQ(summary.to_own_node, s.to_own_node);
    EXPECT_EQ(summary.dependencies, s.dependencies);
    EXPECT_EQ(summary.last_cycle, s.last_cycle);
    std::uint64_t flits = 0;
    for (const auto& [type, count] : summary.by_type)
      flits += count * flits_of_bytes(netrace_type(type)->bytes, 8);
    for (Cycle latency : {1, 30, 5000}) {
      const Outcome outcome = replay_with_latency(path, mesh, latency);
      EXPECT_EQ(outcome.delivered, s.packets);
      EXPECT_EQ(outcome.to_own_node, s.to_own_node);
      EXPECT_EQ(outcome.flits, flits);
      EXPECT_GE(outcome.last, s.last_cycle);
      if (latency == 30) {
        EXPECT_LT(outcome.peak, 500u) << "memory does not grow with the trace";
      }
    }
  }
}

TEST(NetraceSamples, ReplayRegionByRegion) {
  const std::string wanted = "netrace/multiregion.tra.bz2";
  const std::string path = test::outside_data(wanted);
  if (path.empty()) GTEST_SKIP() << test::no_outside_data(wanted);
  const Mesh mesh({8, 8});
  const std::uint64_t packets[] = {9173, 5156, 5800, 0, 2839};
  const std::uint64_t cycles[] = {9453, 19571, 185295, 0, 109928};
  for (unsigned region = 0; region < 5; ++region) {
    const Outcome outcome = replay_with_latency(path, mesh, 20, region);
    EXPECT_EQ(outcome.delivered, packets[region]);
    if (packets[region]) {
      EXPECT_LE(outcome.last, cycles[region] + 5000) << "cycles count from the region's start";
    }
  }
}

TEST(SampleTrace, IsWhatTheGeneratorWrites) {
  const std::string stored = FLITMEND_SOURCE_DIR "/traces/samples/shared-memory-16.tra.bz2";
  if (std::getenv("FLITMEND_UPDATE_SAMPLES")) test::write_sample_trace(stored);
  test::TemporaryFolder folder;
  const std::string fresh = folder / "fresh";
  test::write_sample_trace(fresh);
  NetraceReader a(stored), b(fresh);
  EXPECT_EQ(a.header(), b.header());
  NetracePacket p, q;
  while (b.read(q)) {
    ASSERT_TRUE(a.read(p));
    ASSERT_EQ(p, q);
  }
  EXPECT_FALSE(a.read(p));
  EXPECT_LT(std::filesystem::file_size(stored), 20000u);
}

TEST(SampleTrace, ReplaysOnSixteenNodes) {
  const std::string path = FLITMEND_SOURCE_DIR "/traces/samples/shared-memory-16.tra.bz2";
  const NetraceSummary summary = scan_netrace(path);
  const Outcome fast = replay_with_latency(path, Mesh({4, 4}), 1);
  EXPECT_EQ(fast.delivered, summary.packets);
  EXPECT_EQ(fast.last, summary.last_cycle) << "a fast network replays at the trace's own pace";
  EXPECT_GT(fast.to_own_node, 0u);
  // The longest chain: 3 writes of 4 messages in sequence, 5 reads of 2, and a line that goes to its home
  // node.
  const Outcome slow = replay_with_latency(path, Mesh({4, 4}), 1000000);
  EXPECT_GE(slow.last, 22 * 1000000u);
  EXPECT_LE(slow.last, 22 * 1000000u + summary.last_cycle);
}

}  // namespace
}  // namespace flitmend
