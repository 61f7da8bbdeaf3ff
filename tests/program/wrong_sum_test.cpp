// SPDX-License-Identifier: Apache-2.0
// A message of a collective whose bytes change on the way: the run breaks its contract. No network does that,
// so the test changes them between the two ends.
#include <gtest/gtest.h>

#include <atomic>

#include "rtl_tlm/sockets/transaction.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/loader.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/simulation.h"

namespace flitmend {
namespace {

/// Changes a bit of one message: in the data flits, and at the initiator if that is not to notice.
class BitFlip final : public ScoreboardObserver {
 public:
  explicit BitFlip(bool unnoticed) : unnoticed_(unnoticed) {}
  void message_created(MessageIndex, const Message& message) override {
    if (++created_ != 5) return;
    NetworkTransaction& t = *static_cast<TransactionPart*>(message.transaction)->transaction;
    t.bytes.at(2) ^= 4;
    if (unnoticed_) t.payload->get_data_ptr()[2] ^= 4;
  }

 private:
  bool unnoticed_;
  unsigned created_ = 0;
};

Outcome run_with(BitFlip& flip, const std::string& more = "") {
  Configuration c = parse_configuration(
      "network: {size: [4]}\nrouter: {preset: iq}\ntraffic: {collectives: [{name: sum, collective: "
      "all-reduce, "
      "bytes: 128}]" +
          more + "}\n",
      "c.yaml", {});
  validate(c);
  auto* const simulation = new Simulation(c);  // one per process: left to its end
  simulation->network().scoreboard().add_observer(flip);
  const std::atomic<bool> never = false;
  return simulation->run(nullptr, never);
}

/// The sums of some members are wrong, and the status is that of `flitmend run`.
void expect_wrong_sums(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, ExitStatus::contract_broken);
  EXPECT_EQ(outcome.results.status.outcome, RunOutcome::contract);
  ASSERT_TRUE(outcome.results.collectives);
  EXPECT_GE(outcome.results.collectives->list[0].wrong, 1u);
  EXPECT_EQ(outcome.results.collectives->list[0].completed, 1u);
  bool named = false;
  for (const Violation& violation : outcome.results.contract.first)
    named = named || violation.what.starts_with("collective sum, repetition 0: slot ");
  EXPECT_TRUE(named);
}

TEST(WrongSum, BreaksTheContract) {
  BitFlip flip(true);
  const Outcome outcome = run_with(flip);
  expect_wrong_sums(outcome);
  EXPECT_EQ(outcome.results.messages.corrupted, 0u);
}

TEST(WrongSum, BreaksTheContractWhileFlowsAreSent) {
  BitFlip flip(true);
  expect_wrong_sums(run_with(flip, ", flows: [{from: 1, to: 3, rate: .01, length: 2}]"));
}

TEST(WrongSum, OfDamagedFlitsIsFoundAtTheirDestinationToo) {
  BitFlip flip(false);
  const Outcome outcome = run_with(flip);
  EXPECT_EQ(outcome.status, ExitStatus::contract_broken);
  EXPECT_EQ(outcome.results.messages.corrupted, 1u);
}

}  // namespace
}  // namespace flitmend
