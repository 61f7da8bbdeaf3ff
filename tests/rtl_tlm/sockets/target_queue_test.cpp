// SPDX-License-Identifier: Apache-2.0
// Places for requests at a target, back-pressure into the network, targets that do not answer.
#include <gtest/gtest.h>

#include <array>

#include "protocols/deadlock/watchdog.h"
#include "rtl_tlm/fabric/stalled_elements.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

TransactionParameters places(unsigned count) {
  TransactionParameters p;
  p.target_queue = count;
  return p;
}

HardwareSettings short_queue() {
  HardwareSettings h;
  h.network_interface.source_queue = 2;
  return h;
}

/// Every node but the last writes to the last.
struct HotSpot {
  PayloadPool pool;
  FabricBench bench;
  CheckedBindings bindings;
  std::vector<std::unique_ptr<FormedInitiator>> initiators;
  FormedTarget target{"target"};
  FormedTarget other{"other"};
  FormedInitiator reader{"reader"};
  unsigned left = 0;
  unsigned failed = 0;
  sc_core::sc_signal<bool> reset{"reset"};

  HotSpot(const TransactionParameters& parameters, unsigned classes, unsigned transactions,
          const HardwareSettings& hardware = short_queue(), unsigned bytes = 32)
      : bench(mesh_network({4, 4}), hardware, {}, "fabric", 1, nullptr, parameters, classes),
        left(transactions) {
    for (NodeId node = 0; node < 15; ++node) {
      initiators.push_back(std::make_unique<FormedInitiator>(("initiator_" + std::to_string(node)).c_str()));
      initiators[node]->next = [this, bytes](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
        if (left == 0) return nullptr;
        --left;
        return pool.acquire(tlm::TLM_WRITE_COMMAND, 15 * kNodeBytes + 8 * (left % 64), bytes);
      };
      initiators[node]->answered = [this](tlm::tlm_generic_payload& p) { failed += !p.is_response_ok(); };
      bindings.bind(initiators[node]->socket, bench.fabric.sockets(node).target_socket);
    }
    bench.fabric.reset.bind(reset);
    bindings.bind(bench.fabric.sockets(15).initiator_socket, target.socket);
    bindings.bind(bench.fabric.sockets(3).initiator_socket, other.socket);
    bindings.bind(reader.socket, bench.fabric.sockets(15).target_socket);
    bench.run(1);
    for (auto& initiator : initiators) initiator->send();
  }
  unsigned sent() const {
    unsigned sum = 0;
    for (const auto& initiator : initiators) sum += initiator->sent;
    return sum;
  }
  unsigned answered() const {
    unsigned sum = 0;
    for (const auto& initiator : initiators) sum += initiator->responses;
    return sum;
  }
};

TEST(TargetQueue, HoldsNoMoreRequestsThanItHasPlaces) {
  HotSpot h(places(4), 2, 600);
  h.target.choose = [] {
    return FormedTarget::Choice{TargetForm::request_ended, nanoseconds(1), nanoseconds(40)};
  };
  unsigned most = 0;
  for (int i = 0; i < 40000 && h.answered() < 600; ++i) {
    h.bench.run(1);
    const unsigned used = h.bench.fabric.sockets(15).target_side().queue(0).used();
    most = std::max(most, used);
    ASSERT_LE(used, 4u);
  }
  EXPECT_EQ(most, 4u);
  EXPECT_EQ(h.answered(), 600u);
  ASSERT_TRUE(h.bench.drain(1000));
  EXPECT_TRUE(h.bench.fabric.check_conservation().idle());
}

// Sources stop, and nothing is lost: when the target accepts at last, everything arrives.
TEST(TargetQueue, ATargetThatNeverAcceptsStopsItsSourcesAndLosesNothing) {
  HotSpot h(places(4), 2, 100000);
  h.target.refuses = true;
  h.bench.run(3000);
  const unsigned sent = h.sent();
  const std::uint64_t hops = h.bench.fabric.flit_hops();
  h.bench.run(3000);
  EXPECT_EQ(h.sent(), sent);
  EXPECT_EQ(h.bench.fabric.flit_hops(), hops);
  EXPECT_EQ(h.answered(), 0u);
  EXPECT_EQ(h.target.requests, 1u);
  EXPECT_LT(sent, 15u * 30);
  const ConservationReport report = h.bench.fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_EQ(report.credits_missing, 0u);
  EXPECT_GT(report.flits_in_network, 100u);
  EXPECT_FALSE(find_deadlock(h.bench.fabric));  // nobody waits in a cycle
  const auto stalled = stalled_elements(h.bench.fabric);
  ASSERT_EQ(stalled.size(), 1u);
  EXPECT_EQ(stalled[0].node, 15u);
  EXPECT_EQ(stalled[0].requests, 4u);
  EXPECT_EQ(describe(stalled, h.bench.fabric)
                .find("the target of router_3_3 has not accepted a request since cycle "),
            0u)
      << describe(stalled, h.bench.fabric);
  h.left = 0;
  h.target.accept();
  ASSERT_TRUE(h.bench.drain(20000));
  EXPECT_EQ(h.answered(), sent);
  EXPECT_EQ(h.target.requests, sent);
  EXPECT_EQ(h.failed, 0u);
  EXPECT_EQ(h.pool.in_use(), 0u);
}

// What is in the network is lost and answered with an error. What has arrived is still there.
TEST(TargetQueue, AResetAnswersWhatIsInTheNetworkAndKeepsWhatHasArrived) {
  HotSpot h(places(4), 2, 100000);
  h.target.refuses = true;
  h.bench.run(2000);
  h.left = 0;
  h.reset.write(true);
  h.bench.run(2);
  h.reset.write(false);
  h.bench.run(1);
  EXPECT_EQ(h.bench.fabric.check_conservation().flits_in_network, 0u);
  EXPECT_EQ(h.answered(), h.failed);
  EXPECT_GT(h.failed, 10u);
  h.target.accept();
  ASSERT_TRUE(h.bench.drain(20000));
  EXPECT_EQ(h.answered(), h.sent());
  EXPECT_EQ(h.target.requests, h.sent() - h.failed);
  EXPECT_EQ(h.pool.in_use(), 0u);
  EXPECT_TRUE(h.bench.fabric.check_conservation().idle());
  // The order goes on where it was.
  h.left = 100;
  for (auto& initiator : h.initiators) initiator->send();
  ASSERT_TRUE(h.bench.drain(20000));
  EXPECT_EQ(h.answered(), h.sent());
}

TEST(TargetQueue, RepliesPassRequestsThatWait) {
  HotSpot h(places(1), 2, 100000);
  h.target.refuses = true;
  h.bench.run(2000);
  // The reply comes to node 15 over the links on which requests wait.
  unsigned reads = 1;
  h.reader.next = [&](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
    return reads-- == 0 ? nullptr : h.pool.acquire(tlm::TLM_READ_COMMAND, 3 * kNodeBytes, 64);
  };
  h.reader.send();
  h.bench.run(200);
  EXPECT_EQ(h.reader.responses, 1u);
  EXPECT_EQ(h.answered(), 0u);
}

// Sources with any number of places in their queues stop as well.
TEST(TargetQueue, EndReqWaitsWhileTooManyTransactionsOfANodeAreUnanswered) {
  HotSpot h(places(4), 2, 100000, HardwareSettings{});
  h.target.refuses = true;
  h.bench.run(5000);
  for (const auto& initiator : h.initiators)
    EXPECT_EQ(initiator->sent, TransactionParameters{}.initiator_queue + 1);  // the last has no END_REQ
}

TEST(TargetQueue, EndReqWaitsWhileATransactionWaitsForItsTurn) {
  TransactionParameters parameters = places(4);
  parameters.initiator_queue = 0;
  parameters.reorder_depth = 5;
  HotSpot h(parameters, 2, 100000, HardwareSettings{});
  h.target.refuses = true;
  h.bench.run(5000);
  for (const auto& initiator : h.initiators) EXPECT_EQ(initiator->sent, 5u + 2);
}

class SeveralMessages : public testing::TestWithParam<Ordering> {};

// A part of a request that has a place must not wait behind a request that waits for a place.
TEST_P(SeveralMessages, RequestsOfSeveralMessagesDoNotBlockEachOther) {
  HardwareSettings hardware = short_queue();
  hardware.router.switching = "virtual-cut-through";  // 48 bytes per message
  TransactionParameters parameters = places(1);
  parameters.ordering = GetParam();
  HotSpot h(parameters, 2, 1500, hardware, 300);
  h.target.choose = [n = 0u]() mutable {
    return FormedTarget::Choice{TargetForm::request_ended, nanoseconds(1), nanoseconds(n++ % 40)};
  };
  for (int i = 0; i < 300 && h.answered() < 1500; ++i) {
    h.bench.run(1000);
    ASSERT_LE(h.bench.fabric.sockets(15).target_side().queue(0).used(), 1u);
  }
  EXPECT_EQ(h.answered(), 1500u);
  EXPECT_EQ(h.failed, 0u);
  ASSERT_TRUE(h.bench.drain(1000));
  EXPECT_TRUE(h.bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(Orders, SeveralMessages,
                         testing::Values(Ordering::per_target, Ordering::per_initiator, Ordering::per_address,
                                         Ordering::none),
                         [](const auto& about) {
                           return about.param == Ordering::per_target      ? "per_target"
                                  : about.param == Ordering::per_initiator ? "per_initiator"
                                  : about.param == Ordering::per_address   ? "per_address"
                                                                           : "none";
                         });

// A target slower than the network is what limits the throughput.
TEST(TargetQueue, ThroughputIsThatOfTheTarget) {
  HotSpot h(places(4), 2, 500);
  h.target.choose = [] { return FormedTarget::Choice{TargetForm::completed, {}, nanoseconds(25)}; };
  const sc_core::sc_time start = sc_core::sc_time_stamp();
  ASSERT_TRUE(h.bench.drain(100000));
  EXPECT_EQ(h.answered(), 500u);
  EXPECT_NEAR((sc_core::sc_time_stamp() - start).to_seconds() * 1e9 / 500, 25, 1.5);
}

/// Two nodes that read from each other, one virtual channel, one place: what a shared class does.
struct Crossfire {
  PayloadPool pool;
  FabricBench bench;
  CheckedBindings bindings;
  std::vector<std::unique_ptr<FormedInitiator>> initiators;
  std::vector<std::unique_ptr<FormedTarget>> targets;
  std::array<unsigned, 2> left{2000, 2000};

  explicit Crossfire(unsigned classes)
      : bench(mesh_network({2, 1}), hardware(), {}, "fabric", 1, nullptr, unordered(), classes) {
    for (NodeId node = 0; node < 2; ++node) {
      const std::string number = std::to_string(node);
      initiators.push_back(std::make_unique<FormedInitiator>(("initiator_" + number).c_str()));
      targets.push_back(std::make_unique<FormedTarget>(("target_" + number).c_str()));
      initiators[node]->next = [this, node](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
        if (left[node] == 0) return nullptr;
        --left[node];
        return pool.acquire(tlm::TLM_READ_COMMAND, (1 - node) * kNodeBytes, 200);
      };
      bindings.bind(initiators[node]->socket, bench.fabric.sockets(node).target_socket);
      bindings.bind(bench.fabric.sockets(node).initiator_socket, targets[node]->socket);
    }
    bench.run(1);
    for (auto& initiator : initiators) initiator->send();
  }
  /// With an order, requests of one initiator would wait in the reorder buffer and not in the network.
  static TransactionParameters unordered() {
    TransactionParameters p = places(1);
    p.ordering = Ordering::none;
    p.initiator_queue = 0;
    return p;
  }
  static HardwareSettings hardware() {
    HardwareSettings h;
    h.router.virtual_channels = 2;
    h.router.input_buffer = 2;
    return h;
  }
  unsigned answered() const { return initiators[0]->responses + initiators[1]->responses; }
};

TEST(MessageClasses, RequestsAndRepliesInTwoNetworksCannotDeadlock) {
  Crossfire c(2);
  ASSERT_TRUE(c.bench.drain(400000));
  EXPECT_EQ(c.answered(), 4000u);
}

TEST(MessageClasses, InOneNetworkRequestsBlockTheRepliesThatTheyWaitFor) {
  Crossfire c(1);
  EXPECT_FALSE(c.bench.drain(20000));
  const unsigned before = c.answered();
  c.bench.run(5000);
  EXPECT_EQ(c.answered(), before);
}

}  // namespace
}  // namespace flitmend
