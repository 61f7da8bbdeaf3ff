// SPDX-License-Identifier: Apache-2.0
// How a platform's run ends when an element keeps transactions waiting, or fails in a call of the network.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/address_sanitizer.h"
#include "support/checked_bindings.h"
#include "support/collected_warnings.h"
#include "support/files.h"
#include "support/leak_check.h"
#include "support/network_on_chip_bench.h"
#include "testbench/network_on_chip.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

TEST(NetworkOnChip, SaysWhichTargetKeepsTransactionsWaiting) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\n"));
  noc.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(3), 10);
  FormedTarget memory("memory");
  memory.refuses = true;
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(noc.sockets(3).initiator_socket, memory.socket);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  const Results r = noc.finish();
  EXPECT_EQ(r.status.outcome, RunOutcome::limit);
  EXPECT_EQ(r.status.reason.find("the target of router_1_1 has not accepted a request since cycle "), 0u)
      << r.status.reason;
  EXPECT_TRUE(r.contract.holds);
}

// The simulation ends by itself, with the target's name, and both networks have their results.
TEST(NetworkOnChip, ATargetThatNeverAcceptsEndsTheRun) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "never_accepts";
  std::filesystem::remove_all(out);
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\n"
                                    "tlm: {accept_limit: 500, address_map: [\n"
                                    "  {name: good, first: 0, last: 0xfff, node: 1},\n"
                                    "  {name: bad, first: 0x1000, last: 0x1fff, node: 3}]}\n"));
  NetworkOnChip other("other", platform("network: {topology: mesh, size: [2, 2]}\n"));
  noc.clock(clock);
  other.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address("bad"), 100), b("b", pool, noc.address("good"), 100),
      c("c", pool, other.address(3), 20);
  FormedTarget good("good"), bad("bad"), third("third");
  bad.refuses = true;
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(b.element.socket, noc.sockets(0).target_socket);
  bindings.bind(c.element.socket, other.sockets(0).target_socket);
  bindings.bind(noc.initiator_socket("good"), good.socket);
  bindings.bind(noc.initiator_socket("bad"), bad.socket);
  bindings.bind(other.sockets(3).initiator_socket, third.socket);
  noc.write_to(out);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  b.element.send();
  c.element.send();
  const CollectedWarnings warnings;
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));  // ends much earlier
  EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_STOPPED);
  EXPECT_EQ(bad.requests, 1u);
  const Results r = noc.finish();
  EXPECT_EQ(r.status.outcome, RunOutcome::limit);
  EXPECT_EQ(r.status.reason.find("tlm.accept_limit is reached: the target bad of router_1_1 has not accepted "
                                 "a request since cycle "),
            0u)
      << r.status.reason;
  EXPECT_EQ(warnings.texts(), std::vector{"noc.fabric: " + r.status.reason});
  EXPECT_EQ(exit_status(r.status.outcome), ExitStatus::unfinished);
  EXPECT_TRUE(r.contract.holds);  // nothing is lost
  EXPECT_GE(r.simulation.cycles, 500u);
  EXPECT_LT(r.simulation.cycles, 600u);
  std::ifstream stats(out / "stats.json");
  const std::string text{std::istreambuf_iterator<char>(stats), {}};
  EXPECT_NE(text.find("\"outcome\": \"limit\""), text.npos) << text.substr(0, 400);
  EXPECT_NE(text.find("the target bad of router_1_1"), text.npos);
  const Results quiet = other.finish();
  EXPECT_EQ(quiet.status.outcome, RunOutcome::complete);
  EXPECT_EQ(c.element.responses, 20u);
}

/// What ends the run of one initiator and one target; `prepare` spoils one of them.
template <class Prepare>
Results ended_by(const std::string& tlm, Prepare&& prepare) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\ntlm: {" + tlm + "}\n"));
  noc.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(3), 100);
  FormedTarget target("target");
  prepare(a.element, target);
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(noc.sockets(3).initiator_socket, target.socket);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  const CollectedWarnings warnings;
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));  // ends much earlier
  EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_STOPPED);
  Results r = noc.finish();
  EXPECT_EQ(warnings.texts(), std::vector{"noc.fabric: " + r.status.reason});
  return r;
}

void expect_limit(const Results& r, const std::string& reason, Cycle limit) {
  EXPECT_EQ(r.status.outcome, RunOutcome::limit);
  EXPECT_EQ(r.status.reason.find(reason + " since cycle "), 0u) << r.status.reason;
  EXPECT_TRUE(r.contract.holds);  // nothing is lost
  EXPECT_GE(r.simulation.cycles, limit);
  EXPECT_LT(r.simulation.cycles, limit + 100);
}

TEST(NetworkOnChip, ATargetThatAcceptsAndNeverAnswersEndsTheRun) {
  const Results r =
      ended_by("response_limit: 700", [](FormedInitiator&, FormedTarget& target) { target.silent = true; });
  expect_limit(r, "tlm.response_limit is reached: the target of router_1_1 has not answered a request", 700);
  EXPECT_NE(r.status.reason.find("(4 requests are at it)"), std::string::npos) << r.status.reason;
}

// The sender of a posted write has its answer, and the target still has the request. No transaction waits.
TEST(NetworkOnChip, ATargetThatNeverAnswersAPostedWriteEndsTheRun) {
  const Results r = ended_by(
      "posted_writes: true, response_limit: 700", [](FormedInitiator& initiator, FormedTarget& target) {
        target.silent = true;
        initiator.next = [all = initiator.next, sent = 0](sc_core::sc_time& delay) mutable {
          return sent++ == 0 ? all(delay) : nullptr;
        };
      });
  expect_limit(r, "tlm.response_limit is reached: the target of router_1_1 has not answered a request", 700);
}

TEST(NetworkOnChip, ATargetThatNeverAcceptsDoesNotAnswerEither) {
  const Results r = ended_by("accept_limit: 0, response_limit: 700",
                             [](FormedInitiator&, FormedTarget& target) { target.refuses = true; });
  expect_limit(r, "tlm.response_limit is reached: the target of router_1_1 has not accepted a request", 700);
}

TEST(NetworkOnChip, AnInitiatorThatNeverEndsAResponseEndsTheRun) {
  const Results r = ended_by("accept_limit: 700", [](FormedInitiator& initiator, FormedTarget&) {
    initiator.choose = [] { return InitiatorForm::never; };
  });
  expect_limit(
      r, "tlm.accept_limit is reached: the initiator of router_0_0 has not accepted a response (END_RESP)",
      700);
}

// A target may take its time.
TEST(NetworkOnChip, ASlowTargetDoesNotEndTheRun) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\n"
                                    "tlm: {accept_limit: 100, response_limit: 450}\n"));
  noc.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(3), 60);
  FormedTarget slow("slow");
  slow.choose = [] {
    return FormedTarget::Choice{TargetForm::four_phases, nanoseconds(95), nanoseconds(300)};
  };
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(noc.sockets(3).initiator_socket, slow.socket);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_EQ(a.element.responses, 60u);
  EXPECT_EQ(noc.finish().status.outcome, RunOutcome::complete);
}

/// The results after an initiator has failed when it got its first response: the network has not completed
/// what it was doing, a cycle or a reset.
Results left_within_cycle(bool in_reset) {
  skip_leak_check();  // transactions never end
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_signal<bool> reset("reset");
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\n"));
  noc.clock(clock);
  noc.fabric().reset.bind(reset);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(3), 100);
  a.element.answered = [](tlm::tlm_generic_payload&) { SC_REPORT_ERROR("own", "a fault of its own"); };
  FormedTarget target("target");
  a.element.socket.bind(noc.sockets(0).target_socket);
  noc.sockets(3).initiator_socket.bind(target.socket);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  sc_core::sc_start(sc_core::sc_time(6, sc_core::SC_NS));
  EXPECT_EQ(a.element.responses, 0u);
  reset.write(in_reset);
  EXPECT_THROW(sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US)), sc_core::sc_report);
  EXPECT_TRUE(noc.fabric().evaluating());
  return noc.finish();
}

void expect_broken_off(const Results& r) {
  EXPECT_EQ(r.status.outcome, RunOutcome::limit);
  EXPECT_EQ(r.status.reason.find("the simulation ended within cycle "), 0u) << r.status.reason;
  EXPECT_TRUE(r.contract.holds);
}

TEST(NetworkOnChip, AnElementThatFailsWithinACycleDoesNotBreakTheContract) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  expect_broken_off(left_within_cycle(false));
}

TEST(NetworkOnChip, AnElementThatFailsWithinAResetDoesNotBreakTheContract) {
  expect_broken_off(left_within_cycle(true));
}

}  // namespace
}  // namespace flitmend
