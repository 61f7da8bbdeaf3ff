// SPDX-License-Identifier: Apache-2.0
// A line of five routers whose parts fail at every cycle: one channel of a link, two routers in the same
// cycle, one router after another, and routers and links that stay dead. Victim::check says what must hold.
// Here are only the faults, and what they must at least have hit.
#include "contracts/every_directed_fault.h"

#include "support/every_fault.h"

namespace flitmend {
namespace {

using Result = Victims::Result;

EveryFaultCase case_of(const DirectedFaultCase& c) {
  const bool deep = std::string(c.preset) == "iq";
  return {c.entry.name.data(), c.preset, deep ? 16u : 12u, 10, 0};
}

VictimSettings both_ways() {
  VictimSettings settings;
  settings.messages = {{0, kFaultLine - 1}, {kFaultLine - 1, 0}};
  return settings;
}

/// Abandons messages early. The third message has a route when the first or the last router is dead.
VictimSettings for_permanent_faults() {
  VictimSettings settings = both_ways();
  settings.messages.emplace_back(1, kFaultLine - 2);
  settings.routing.head_wait_cycles = 40;
  settings.recovery.guard_timeout = 1200;
  settings.recovery.retry_limit = 5;
  return settings;
}

/// The sender drops its copy early.
VictimSettings without_guard() {
  VictimSettings settings;
  settings.recovery.guard_acknowledgement = "off";
  settings.recovery.guard_timeout = 2400;
  settings.recovery.backoff_limit = 0;
  return settings;
}

/// Whether a protocol repairs messages of that length without the guard.
bool needs_no_guard(const DirectedFaultCase& c, std::uint32_t length) {
  return c.entry.may_lose(without_guard().recovery, HardwareParameters::from(preset(c.preset))) < length;
}

Cycle life_of(const EveryFaultCase& c) {
  return 60 + 2 * c.length;
}

/// A transient fault has hit some messages, and the protocol has repaired them.
void expect_repaired(const DirectedFaultCase& c, const Result& result, std::uint64_t least) {
  EXPECT_GT(result.hit, least);
  if (needs_no_guard(c, case_of(c).length)) {
    EXPECT_EQ(result.guarded, 0u);
    EXPECT_GE(result.resent, least);
  }
}

/// After a single fault.
void expect_no_guard(const DirectedFaultCase& c, const Result& result) {
  if (c.entry.traits.head_loss) {
    EXPECT_EQ(result.guarded, 0u);
  }
}

/// One router of each line is dead. In the end every node sends to every other.
void expect_settled(const Result& result, std::uint64_t lines) {
  EXPECT_GT(result.hit, lines / 4);
  EXPECT_GE(result.undeliverable, 4 * lines) << "the messages to the dead node";
  EXPECT_GE(result.voided, 4 * lines) << "the messages from the dead node";
}

}  // namespace

std::vector<DirectedFaultCase> directed_fault_cases(const std::vector<RecoveryEntry>& entries) {
  std::vector<DirectedFaultCase> cases;
  for (const RecoveryEntry& entry : entries)
    for (const char* preset : {"iq", "sbrp"}) cases.push_back({entry, preset});
  return cases;
}

std::string directed_fault_name(const testing::TestParamInfo<DirectedFaultCase>& info) {
  std::string name = std::string(info.param.entry.name) + '_' + info.param.preset;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// A message of a few flits is in two routers at most.
TEST_P(EveryDirectedFault, OfOnePartIsRepaired) {
  EveryFaultCase c = case_of(GetParam());
  c.length = 5;
  c.duration = 25;
  Victims victims(c, GetParam().entry);
  const Cycle cycles = add_every_fault(victims, c);
  const Result result = victims.run();
  EXPECT_GT(result.hit, cycles);
  expect_no_guard(GetParam(), result);
}

/// A router is back, empty, while the router after it still has a piece of the message: that shares its way
/// with a message from its own node, and drains at half the speed.
TEST_P(EveryDirectedFault, OfARouterThatIsBackAtOnceIsRepaired) {
  EveryFaultCase c = case_of(GetParam());
  c.length = 40;
  c.duration = 1;
  VictimSettings settings;
  settings.messages = {{kFaultLine - 2, kFaultLine - 1}, {0, kFaultLine - 1}, {1, kFaultLine - 1}};
  Victims victims(c, GetParam().entry, settings);
  for (Cycle cycle = 1; cycle <= 100; cycle += kFaultStride)
    for (RouterId router = 1; router + 2 < kFaultLine; ++router) victims.add({{router, false, cycle}});
  const Result result = victims.run();
  expect_repaired(GetParam(), result, victims.size() / 2);
  expect_no_guard(GetParam(), result);
}

/// Router 2 fails while the message passes it, and every router and link fails at every second cycle after.
TEST_P(EveryDirectedFault, AfterAnotherIsRepaired) {
  const EveryFaultCase c = case_of(GetParam());
  Victims victims(c, GetParam().entry);
  const Cycle first = std::string(c.preset) == "iq" ? 22 : 12;
  for (Cycle later = 1; later <= 150; later += 2 * kFaultStride)
    for (RouterId part = 0; part < kFaultLine; ++part)
      for (const bool link : {false, true})
        if ((link && part + 1 < kFaultLine) || (!link && (part != 2 || later > c.duration)))
          victims.add({{2, false, first}, {part, link, first + later}});
  const Result result = victims.run();
  expect_repaired(GetParam(), result, victims.size() - 1);
}

TEST_P(EveryDirectedFault, OfOneChannelIsRepaired) {
  const EveryFaultCase c = case_of(GetParam());
  Victims victims(c, GetParam().entry, both_ways());
  for (Cycle cycle = 1; cycle <= life_of(c); cycle += kFaultStride)
    for (RouterId router = 0; router + 1 < kFaultLine; ++router)
      for (const Ways ways : {Ways::there, Ways::back}) victims.add({{router, true, cycle, ways}});
  const Result result = victims.run();
  expect_repaired(GetParam(), result, victims.size() / 8);
  expect_no_guard(GetParam(), result);
}

TEST_P(EveryDirectedFault, OfTwoPartsAtOnceIsRepaired) {
  const EveryFaultCase c = case_of(GetParam());
  Victims victims(c, GetParam().entry);
  add_pairs_at_once(victims, c, 1, router_pairs(true));
  add_pairs_at_once(victims, c, 2, router_pairs(false));
  add_pairs_at_once(victims, c, 6, link_pairs());
  expect_repaired(GetParam(), victims.run(), victims.size() / 8);
}

/// What is lost has been hit, is counted, and is no longer than the protocol says.
TEST_P(EveryDirectedFault, OfTwoRoutersAtOnceIsCountedWithoutTheGuard) {
  EveryFaultCase c = case_of(GetParam());
  c.length = 4;
  Victims victims(c, GetParam().entry, without_guard());
  add_pairs_at_once(victims, c, 1, router_pairs(true));
  add_pairs_at_once(victims, c, 1, router_pairs(false));
  const Result result = victims.run();
  EXPECT_GT(result.hit, victims.size() / 8);
  EXPECT_EQ(result.delivered + result.lost, victims.size());
  EXPECT_EQ(result.guarded, 0u);
}

/// Only the first of the two is repaired.
TEST_P(EveryDirectedFault, OfTwoRoutersAtOnceOneOfWhichStaysDeadIsSettled) {
  const EveryFaultCase c = case_of(GetParam());
  Victims victims(c, GetParam().entry, for_permanent_faults());
  std::vector<std::pair<Strike, Strike>> pairs;
  for (RouterId a = 0; a < kFaultLine; ++a)
    for (RouterId b = 0; b < kFaultLine; ++b)
      if (a != b) pairs.push_back({{a, false, 0}, {b, false, 0, Ways::both, kNever}});
  add_pairs_at_once(victims, c, 5, pairs);
  expect_settled(victims.run(), victims.size());
}

TEST_P(EveryDirectedFault, OfARouterThatStaysDeadIsSettled) {
  const EveryFaultCase c = case_of(GetParam());
  Victims victims(c, GetParam().entry, for_permanent_faults());
  for (Cycle cycle = 1; cycle <= life_of(c); cycle += kFaultStride)
    for (RouterId router = 0; router < kFaultLine; ++router)
      victims.add({{router, false, cycle, Ways::both, kNever}});
  expect_settled(victims.run(), victims.size());
}

TEST_P(EveryDirectedFault, OfALinkThatStaysDeadIsSettled) {
  const EveryFaultCase c = case_of(GetParam());
  Victims victims(c, GetParam().entry, for_permanent_faults());
  for (Cycle cycle = 1; cycle <= life_of(c); cycle += 3 * kFaultStride)
    for (RouterId router = 0; router + 1 < kFaultLine; ++router)
      for (const Ways ways : {Ways::both, Ways::there, Ways::back})
        victims.add({{router, true, cycle, ways, kNever}});
  const Result result = victims.run();
  EXPECT_GT(result.hit, victims.size() / 4);
  EXPECT_GE(result.undeliverable, 4 * victims.size()) << "at least four pairs of nodes are cut off";
  EXPECT_EQ(result.voided, 0u);
}

}  // namespace flitmend
