// SPDX-License-Identifier: Apache-2.0
// What a reset of the fabric discards is counted, and breaks no contract.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "protocols/recovery/registry.h"
#include "support/checked_bindings.h"
#include "support/files.h"
#include "support/leak_check.h"
#include "support/network_on_chip_bench.h"
#include "testbench/network_on_chip.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

/// Initiators at some nodes write to and read from a memory, again and again, through b_transport or
/// nb_transport in turn.
struct ResetPlatform {
  sc_core::sc_clock clock{"clock", nanoseconds(1)};
  sc_core::sc_signal<bool> reset;
  PayloadPool pool;
  NetworkOnChip noc;
  CheckedBindings bindings{{.address_kept = true}};
  std::vector<std::unique_ptr<FormedInitiator>> initiators;
  FormedTarget memory{"memory"};
  unsigned left = 0, failed = 0;

  explicit ResetPlatform(const std::string& text, bool in_reset = false)
      : reset("reset", in_reset), noc("noc", platform("network: {topology: mesh, size: [3, 3]}\n" + text)) {
    skip_leak_check();
    noc.clock(clock);
    noc.fabric().reset(reset);
    for (NodeId node = 0; node < 4; ++node) {
      initiators.push_back(std::make_unique<FormedInitiator>(("initiator_" + std::to_string(node)).c_str()));
      FormedInitiator& initiator = *initiators.back();
      initiator.next = [this](sc_core::sc_time&) { return next(); };
      initiator.blocks = [n = node]() mutable { return ++n % 2 == 0; };
      initiator.answered = [this](tlm::tlm_generic_payload& p) { failed += !p.is_response_ok(); };
      bindings.bind(initiator.socket, noc.sockets(node).target_socket);
    }
    bindings.bind(noc.sockets(8).initiator_socket, memory.socket);
  }
  tlm::tlm_generic_payload* next() {
    if (left == 0) return nullptr;
    --left;
    return pool.acquire(left % 2 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                        noc.address(8, 8 * (left % 100)), 40);
  }
  void send(unsigned transactions) {
    left = transactions;
    for (auto& initiator : initiators) initiator->send();
  }
  static void run(unsigned cycles) { sc_core::sc_start(nanoseconds(cycles)); }
  void reset_for(unsigned cycles) {
    reset.write(true);
    run(cycles);
    reset.write(false);
  }
  bool answered() const {
    unsigned open = left;
    for (const auto& initiator : initiators) open += initiator->sent - initiator->responses;
    return open == 0;
  }
  void finish_transactions() {
    for (int i = 0; i < 1000 && !answered(); ++i) run(100);
    EXPECT_TRUE(answered());
    run(3000);
  }
};

void expect_complete(const Results& r, bool discarded) {
  EXPECT_TRUE(r.contract.holds) << to_text(r);
  EXPECT_EQ(exit_status(r.status.outcome), ExitStatus::done) << r.status.reason;
  const MessageResults& m = r.messages;
  EXPECT_EQ(m.generated, m.delivered + m.lost + m.undeliverable + m.voided + m.in_flight);
  EXPECT_EQ(m.in_flight, 0u);
  EXPECT_EQ(m.discarded > 0, discarded);
}

TEST(NetworkOnChipReset, InTrafficAgainAndAgain) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "reset_in_traffic";
  std::filesystem::remove_all(out);
  ResetPlatform p("");
  p.noc.write_to(out);
  ResetPlatform::run(1);
  p.send(2000);
  for (unsigned i = 0; i < 40; ++i) {
    ResetPlatform::run(10 + 7 * i % 60);
    p.reset_for(1 + i % 3);
  }
  p.finish_transactions();
  EXPECT_GT(p.failed, 20u);
  const Results r = p.noc.finish();
  expect_complete(r, true);
  EXPECT_EQ(r.messages.lost, r.messages.discarded);
  // Each transaction that failed has lost its request or its reply, of one message.
  EXPECT_EQ(r.messages.discarded, p.failed);
  const auto stats = nlohmann::json::parse(test::read_file(out / "stats.json"));
  EXPECT_EQ(stats["messages"]["discarded"], r.messages.discarded);
  EXPECT_NE(to_text(r).find("of the lost discarded by a reset"), std::string::npos);
}

TEST(NetworkOnChipReset, AtPowerOnWhileInitiatorsAlreadyAsk) {
  ResetPlatform p("", true);
  ResetPlatform::run(1);
  p.send(400);
  ResetPlatform::run(5);
  EXPECT_GT(p.failed, 4u);
  p.reset.write(false);
  ResetPlatform::run(1);
  const unsigned before = p.failed;
  p.finish_transactions();
  EXPECT_EQ(p.failed, before);
  expect_complete(p.noc.finish(), true);
}

TEST(NetworkOnChipReset, HeldForLong) {
  ResetPlatform p("");
  ResetPlatform::run(1);
  p.send(40);
  ResetPlatform::run(20);
  p.reset_for(2000);
  EXPECT_TRUE(p.answered());  // each at the first edge after its request
  EXPECT_GT(p.failed, 30u);
  p.send(400);
  p.finish_transactions();
  expect_complete(p.noc.finish(), true);
}

TEST(NetworkOnChipReset, WithoutTrafficDiscardsNothing) {
  ResetPlatform p("", true);
  ResetPlatform::run(5);
  p.reset.write(false);
  p.send(100);
  p.finish_transactions();
  p.reset_for(5);
  p.send(100);
  p.finish_transactions();
  const Results r = p.noc.finish();
  expect_complete(r, false);
  EXPECT_EQ(to_json(r).find("discarded\": 1"), std::string::npos);
  EXPECT_EQ(r.messages.delivered, 400u);
}

class ResetsUnderFaults : public testing::TestWithParam<RecoveryEntry> {};

// Of a protocol that promises delivery, nothing is lost but what a reset discards.
TEST_P(ResetsUnderFaults, TheContractHoldsUnlessAFaultBreaksIt) {
  const RecoveryEntry& entry = GetParam();
  ResetPlatform p("recovery: {protocol: " + std::string(entry.name) +
                  "}\n"
                  "faults: {node_rate: 2.0e-4, link_rate: 2.0e-4, duration: 20}\n" +
                  (entry.atomic_reallocation ? "router: {vc_reallocation: atomic}\n" : ""));
  ResetPlatform::run(1);
  p.send(3000);
  for (unsigned i = 0; i < 60; ++i) {
    ResetPlatform::run(20 + 13 * i % 190);
    p.reset_for(1 + i % 3);
  }
  EXPECT_GT(p.failed, 20u);
  p.left = 0;
  for (int i = 0; i < 1000 && !(p.answered() && p.noc.quiet()); ++i) ResetPlatform::run(100);
  const Results r = p.noc.finish();
  EXPECT_TRUE(r.contract.holds) << to_text(r);
  EXPECT_GT(r.messages.discarded, 20u);
  EXPECT_GT(r.messages.hit, 0u);
}

INSTANTIATE_TEST_SUITE_P(Protocols, ResetsUnderFaults, testing::ValuesIn(recovery_protocols().entries()),
                         [](const auto& about) {
                           std::string name(about.param.name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace flitmend
