// SPDX-License-Identifier: Apache-2.0
#include "testbench/network_on_chip.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "support/checked_bindings.h"
#include "support/files.h"
#include "support/tlm_elements.h"
#include "testbench/configuration/loader.h"
#include "testbench/transaction_check.h"

namespace flitmend {
namespace {

Configuration platform(const std::string& text) {
  return parse_configuration(text, "noc.yaml", {});
}

/// An initiator that writes to and reads from one node, and checks what it reads.
struct WriteAndRead {
  FormedInitiator element;
  unsigned left, wrong = 0;
  WriteAndRead(const char* name, PayloadPool& pool, std::uint64_t address, unsigned transactions)
      : element(name), left(transactions) {
    element.next = [this, &pool, address](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
      if (left == 0) return nullptr;
      --left;
      auto* const p = pool.acquire(left % 2 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                   address + 8 * (left / 2 % 64), 8);
      std::fill_n(p->get_data_ptr(), 8, static_cast<unsigned char>(left / 2));
      return p;
    };
    element.answered = [this](tlm::tlm_generic_payload& p) {
      wrong += !p.is_response_ok();
      if (p.is_read())
        wrong += p.get_data_ptr()[7] != static_cast<unsigned char>(expected--);
      else
        expected = p.get_data_ptr()[7];
    };
  }
  unsigned expected = 0;
};

TEST(NetworkOnChip, TwoNetworksWithClocksOfTheirOwnAndAllFigures) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "network_on_chip";
  std::filesystem::remove_all(out);
  sc_core::sc_clock fast("fast", sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_clock slow("slow", sc_core::sc_time(3, sc_core::SC_NS));
  NetworkOnChip first("first", platform("network: {topology: mesh, size: [4, 4]}\n"
                                        "tlm: {target_queue: 2}\n"
                                        "waves: {enabled: true, scope: ['**.router_0_0.**']}\n"));
  NetworkOnChip second("second", platform("network: {topology: torus, size: [3, 3]}\n"));
  first.clock(fast);
  second.clock(slow);
  PayloadPool pool;
  WriteAndRead a("a", pool, first.address(15), 400), b("b", pool, second.address(8), 400);
  FormedTarget memory_a("memory_a"), memory_b("memory_b");
  CheckedBindings bindings;
  bindings.bind(a.element.socket, first.sockets("router_0_0").target_socket);
  bindings.bind(first.sockets(15).initiator_socket, memory_a.socket);
  bindings.bind(b.element.socket, second.sockets(0).target_socket);
  bindings.bind(second.sockets("router_2_2").initiator_socket, memory_b.socket);
  first.write_to(out / "first");
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  b.element.send();
  for (int i = 0; i < 10; ++i) sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
  EXPECT_TRUE(first.quiet());
  EXPECT_TRUE(second.quiet());
  EXPECT_EQ(a.element.responses, 400u);
  EXPECT_EQ(b.element.responses, 400u);
  EXPECT_EQ(a.wrong + b.wrong, 0u);
  const Results r = first.finish();
  EXPECT_EQ(r.status.outcome, RunOutcome::complete);
  EXPECT_TRUE(r.contract.holds);
  EXPECT_EQ(r.messages.generated, 800u);
  EXPECT_EQ(r.messages.delivered, 800u);
  EXPECT_EQ(r.latency.total.count, 800u);
  EXPECT_GT(*r.traffic.accepted, 0.0);
  EXPECT_DOUBLE_EQ(*r.hops.mean, 6.0);
  EXPECT_GT(r.simulation.cycles, 19000u);
  EXPECT_EQ(second.finish().messages.delivered, 800u);
  EXPECT_LT(second.fabric().cycles() * 2, first.fabric().cycles());
  EXPECT_TRUE(std::filesystem::exists(out / "first" / "stats.json"));
  EXPECT_TRUE(std::filesystem::exists(out / "first" / "config.yaml"));
  EXPECT_TRUE(std::filesystem::exists(out / "first" / "waves.gtkw"));
}

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
  EXPECT_EQ(r.status.reason.find("the target of router_1_1 has not accepted a request since "), 0u)
      << r.status.reason;
  EXPECT_TRUE(r.contract.holds);
}

std::string refusal(const std::string& text) {
  try {
    NetworkOnChip noc(sc_core::sc_gen_unique_name("noc"), platform(text));
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

TEST(NetworkOnChip, RefusesWhatCannotWorkWithPlaceAndRemedy) {
  const std::string odd = refusal("router: {virtual_channels: 3}\n");
  EXPECT_NE(odd.find("set it to 4, or tlm.classes to shared"), odd.npos) << odd;
  EXPECT_NE(odd.find("noc.yaml:1"), odd.npos) << odd;
  const std::string shared = refusal("tlm: {classes: shared}\n");
  EXPECT_NE(shared.find("can deadlock"), shared.npos) << shared;
  const std::string unlimited = refusal("network_interface: {ejection: unlimited}\ntlm: {target_queue: 2}\n");
  EXPECT_NE(unlimited.find("tlm.target_queue"), unlimited.npos) << unlimited;
  EXPECT_EQ(refusal("tlm: {classes: shared, target_queue: 0}\nrouter: {virtual_channels: 1}\n"), "");
}

TEST(TransactionCheck, SeparateClassesAreProvedAndSharedOnesShowACycle) {
  const Configuration separate =
      platform("network: {topology: mesh, size: [3, 3]}\ntlm: {target_queue: 4}\n");
  const DeadlockCheck proof = check_transactions(separate, nullptr);
  EXPECT_EQ(proof.status, ExitStatus::done) << proof.verdict;
  EXPECT_NE(proof.verdict.find("2 virtual channels"), proof.verdict.npos) << proof.verdict;
  const Configuration shared = platform("network: {topology: mesh, size: [3, 3]}\ntlm: {classes: shared}\n");
  const DeadlockCheck cycle = check_transactions(shared, nullptr);
  EXPECT_EQ(cycle.status, ExitStatus::deadlock) << cycle.verdict;
  EXPECT_NE(cycle.details.find("router_0_0.east.vc0-3 waits for router_1_0.west.vc0-3, at router_1_0"),
            cycle.details.npos)
      << cycle.details;
}

}  // namespace
}  // namespace flitmend
