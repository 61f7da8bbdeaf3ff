// SPDX-License-Identifier: Apache-2.0
// Resets of the fabric at any time, with transactions in every phase.
#include <gtest/gtest.h>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/leak_check.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

constexpr unsigned kInitiators = 8, kTargets = 4;

struct Setting {
  const char* name;
  const char* switching;
  Ordering ordering;
  unsigned target_queue;
  bool posted_writes;
};

void PrintTo(const Setting& s, std::ostream* out) {
  *out << s.name;
}

class Resets : public testing::TestWithParam<Setting> {
 protected:
  static HardwareSettings hardware() {
    HardwareSettings h;
    h.router.switching = GetParam().switching;
    return h;
  }
  static TransactionParameters transactions() {
    TransactionParameters p;
    p.ordering = GetParam().ordering;
    p.target_queue = GetParam().target_queue;
    p.posted_writes = GetParam().posted_writes;
    return p;
  }

  PayloadPool pool;
  FabricBench bench{mesh_network({4, 4}), hardware(), {}, "fabric", 1, nullptr, transactions(), 2};
  CheckedBindings bindings{{.address_kept = true}};
  RandomStream random{17, RandomPurpose::test};
  sc_core::sc_signal<bool> reset{"reset"};
  std::vector<std::unique_ptr<FormedInitiator>> initiators;
  std::vector<std::unique_ptr<FormedTarget>> targets;
  unsigned left = 0, failed = 0;

  void SetUp() override {
    skip_leak_check();
    bench.fabric.reset.bind(reset);
    for (unsigned i = 0; i < kInitiators; ++i) {
      initiators.push_back(std::make_unique<FormedInitiator>(("initiator_" + std::to_string(i)).c_str()));
      FormedInitiator& initiator = *initiators.back();
      initiator.next = [this](sc_core::sc_time&) { return next(); };
      initiator.choose = [this] { return static_cast<InitiatorForm>(random.below(kInitiatorForms)); };
      initiator.blocks = [this] { return random.below(5) == 0; };
      initiator.answered = [this](tlm::tlm_generic_payload& p) { failed += !p.is_response_ok(); };
      bindings.bind(initiator.socket, bench.fabric.sockets(i).target_socket);
    }
    for (unsigned i = 0; i < kTargets; ++i) {
      targets.push_back(std::make_unique<FormedTarget>(("target_" + std::to_string(i)).c_str()));
      targets.back()->choose = [this] {
        return TargetChoice{static_cast<TargetForm>(random.below(kTargetForms)), nanoseconds(random.below(8)),
                            nanoseconds(random.below(30))};
      };
      bindings.bind(bench.fabric.sockets(12 + i).initiator_socket, targets.back()->socket);
    }
    bench.run(1);
  }
  tlm::tlm_generic_payload* next() {
    if (left == 0) return nullptr;
    --left;
    return pool.acquire(random.below(2) == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
                        (12 + random.below(kTargets)) * kNodeBytes + random.below(3000),
                        1 + random.below(300));
  }
  void send(unsigned transactions) {
    left = transactions;
    for (auto& initiator : initiators) initiator->send();
  }
  unsigned unanswered() const {
    unsigned sum = 0;
    for (const auto& initiator : initiators) sum += initiator->sent - initiator->responses;
    return sum;
  }
  bool finish(unsigned limit) {
    for (unsigned i = 0; i < limit && (left > 0 || unanswered() > 0); ++i) bench.run(10);
    return left == 0 && unanswered() == 0 && bench.drain(10000);
  }
  void expect_rest() {
    EXPECT_EQ(bindings.underway(), 0u);
    EXPECT_EQ(pool.in_use(), 0u);
    EXPECT_TRUE(bench.fabric.check_conservation().idle());
    for (unsigned i = 0; i < kTargets; ++i)
      EXPECT_EQ(bench.fabric.sockets(12 + i).target_side().queue(0).used(), 0u) << i;
  }
};

TEST_P(Resets, AnswerEveryTransactionOnceAndLeaveNothingBehind) {
  send(6000);
  unsigned resets = 0;
  while (left > 0 && resets < 400) {
    bench.run(1 + random.below(150));
    reset.write(true);
    bench.run(1 + random.below(3));
    reset.write(false);
    ++resets;
  }
  ASSERT_TRUE(finish(10000)) << unanswered() << " of " << left;
  EXPECT_GT(resets, 30u);
  EXPECT_GT(failed, 50u);
  EXPECT_LT(failed, 6000u);
  bench.run(100);
  expect_rest();
  // Everything works as before.
  const unsigned before = failed;
  send(1000);
  ASSERT_TRUE(finish(10000));
  EXPECT_EQ(failed, before);
  bench.run(100);
  expect_rest();
}

INSTANTIATE_TEST_SUITE_P(
    Settings, Resets,
    testing::Values(Setting{"per_target", "wormhole", Ordering::per_target, 2, false},
                    Setting{"per_initiator", "wormhole", Ordering::per_initiator, 2, false},
                    Setting{"per_address", "wormhole", Ordering::per_address, 2, false},
                    Setting{"no_order", "wormhole", Ordering::none, 1, false},
                    Setting{"any_number_of_places", "wormhole", Ordering::per_target, 0, false},
                    Setting{"posted_writes", "wormhole", Ordering::per_target, 2, true},
                    Setting{"several_messages", "virtual-cut-through", Ordering::per_target, 2, false},
                    Setting{"several_messages_no_order", "virtual-cut-through", Ordering::none, 2, false}),
    [](const auto& about) { return about.param.name; });

}  // namespace
}  // namespace flitmend
