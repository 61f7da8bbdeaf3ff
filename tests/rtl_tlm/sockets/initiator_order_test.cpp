// SPDX-License-Identifier: Apache-2.0
// The order of an initiator's answers across targets.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/leak_check.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kSlow = 1 * kNodeBytes, kFast = 3 * kNodeBytes, kNowhere = 4 * kNodeBytes;

TransactionParameters ordered(Ordering ordering) {
  TransactionParameters p;
  p.ordering = ordering;
  p.initiator_queue = 0;
  p.target_queue = 4;
  return p;
}

/// Node 0 of a 2x2 mesh has initiators; the target of node 1 takes 60 ns for each request, that of node 3
/// none.
struct Node {
  PayloadPool pool;
  FabricBench bench;
  CheckedBindings bindings{{.address_kept = true}};
  FormedTarget slow{"slow"}, fast{"fast"};

  explicit Node(Ordering ordering)
      : bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, flitmend::ordered(ordering),
              2) {
    slow.choose = [] { return TargetChoice{TargetForm::completed, {}, nanoseconds(60)}; };
    bindings.bind(bench.fabric.sockets(1).initiator_socket, slow.socket);
    bindings.bind(bench.fabric.sockets(3).initiator_socket, fast.socket);
  }
  /// Sends `count` transactions to these places in turn. `answers` gets their numbers as they are answered,
  /// `statuses` what with.
  void play(FormedInitiator& initiator, std::vector<std::uint64_t> places, unsigned count,
            std::vector<std::uint64_t>& answers, std::vector<tlm::tlm_response_status>& statuses) {
    initiator.next = [this, places, count, n = 0u](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
      if (n == count) return nullptr;
      auto* const p = pool.acquire(n % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
                                   places[n % places.size()] + 8 * n, 8);
      ++n;
      return p;
    };
    initiator.answered = [&answers, &statuses](tlm::tlm_generic_payload& p) {
      answers.push_back(p.get_address() % kNodeBytes / 8);
      statuses.push_back(p.get_response_status());
    };
  }
};

/// A socket for any number of threads.
struct InitiatorThreads : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<InitiatorThreads> socket{"socket"};
  explicit InitiatorThreads(sc_core::sc_module_name name) : sc_module(name) {}
};

class InitiatorOrder : public testing::TestWithParam<Ordering> {
 protected:
  static bool in_order() { return GetParam() == Ordering::per_initiator; }
};

TEST_P(InitiatorOrder, AnswersAcrossTargetsAndAddressErrors) {
  Node node(GetParam());
  FormedInitiator initiator("initiator"), other("other");
  node.bindings.bind(initiator.socket, node.bench.fabric.sockets(0).target_socket);
  node.bindings.bind(other.socket, node.bench.fabric.sockets(0).target_socket);
  initiator.choose = [turn = 0u]() mutable { return static_cast<InitiatorForm>(turn++ % kInitiatorForms); };
  std::vector<std::uint64_t> answers, others;
  std::vector<tlm::tlm_response_status> statuses, ignored;
  node.play(initiator, {kSlow, kFast, kNowhere, kFast}, 80, answers, statuses);
  node.play(other, {kFast}, 20, others, ignored);
  node.bench.run(1);
  initiator.send();
  other.send();
  for (int i = 0; i < 200 && others.size() < 20; ++i) node.bench.run(10);
  EXPECT_LT(answers.size(), 80u);  // the other initiator of the node does not wait for the slow target
  ASSERT_TRUE(node.bench.drain(10000));
  ASSERT_EQ(answers.size(), 80u);
  EXPECT_EQ(std::ranges::is_sorted(answers), in_order());
  EXPECT_TRUE(std::ranges::is_sorted(others));
  for (unsigned i = 0; i < 80; ++i)
    EXPECT_EQ(statuses[i], answers[i] % 4 == 2 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(node.slow.requests, 20u);
  EXPECT_EQ(node.fast.requests, 60u);
  EXPECT_EQ(node.pool.in_use(), 0u);
}

TEST_P(InitiatorOrder, CallsOfSeveralThreads) {
  skip_leak_check();
  Node node(GetParam());
  InitiatorThreads threads("threads");
  node.bindings.bind(threads.socket, node.bench.fabric.sockets(0).target_socket);
  std::vector<sc_core::sc_time> returned(12);
  std::vector<tlm::tlm_response_status> statuses(12);
  node.bench.run(1);
  for (unsigned i = 0; i < 12; ++i) {
    sc_core::sc_spawn([&, i] {
      auto* const p = node.pool.acquire(tlm::TLM_WRITE_COMMAND,
                                        (i % 3 == 0   ? kSlow
                                         : i % 3 == 1 ? kFast
                                                      : kNowhere) +
                                            8 * i,
                                        8);
      sc_core::sc_time delay;
      threads.socket->b_transport(*p, delay);
      returned[i] = sc_core::sc_time_stamp();
      statuses[i] = p->get_response_status();
      p->release();
    });
    node.bench.run(2);
  }
  ASSERT_TRUE(node.bench.drain(2000));
  EXPECT_EQ(std::ranges::is_sorted(returned), in_order());
  for (unsigned i = 0; i < 12; ++i)
    EXPECT_EQ(statuses[i], i % 3 == 2 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
}

// An address error alone is answered at once.
TEST_P(InitiatorOrder, AnAddressErrorWithNothingBeforeIt) {
  Node node(GetParam());
  FormedInitiator initiator("initiator");
  node.bindings.bind(initiator.socket, node.bench.fabric.sockets(0).target_socket);
  std::vector<std::uint64_t> answers;
  std::vector<tlm::tlm_response_status> statuses;
  node.play(initiator, {kNowhere}, 5, answers, statuses);
  node.bench.run(1);
  initiator.send();
  EXPECT_EQ(statuses, std::vector(5, tlm::TLM_ADDRESS_ERROR_RESPONSE));
  EXPECT_TRUE(node.bench.fabric.quiet());
}

// The answers of both targets are there, and the initiator has not ended the first response.
TEST_P(InitiatorOrder, AnAddressErrorWhileAResponseIsBeingGiven) {
  Node node(GetParam());
  FormedInitiator initiator("initiator");
  node.bindings.bind(initiator.socket, node.bench.fabric.sockets(0).target_socket);
  std::vector<std::uint64_t> answers;
  std::vector<tlm::tlm_response_status> statuses;
  node.play(initiator, {kSlow, kFast, kNowhere}, 3, answers, statuses);
  unsigned allowed = 2, begun = 0;
  initiator.next = [&allowed,
                    all = initiator.next](sc_core::sc_time& delay) mutable -> tlm::tlm_generic_payload* {
    if (allowed == 0) return nullptr;
    --allowed;
    return all(delay);
  };
  initiator.choose = [&begun] {
    ++begun;
    return InitiatorForm::later;
  };
  node.bench.run(1);
  initiator.send();
  for (int i = 0; i < 500 && begun == 0; ++i) node.bench.run(1);
  ASSERT_EQ(begun, 1u);
  ASSERT_TRUE(answers.empty());
  allowed = 1;
  initiator.send();
  ASSERT_TRUE(node.bench.drain(2000));
  node.bench.run(10);  // until the last response has ended
  EXPECT_EQ(answers,
            in_order() ? std::vector<std::uint64_t>({0, 1, 2}) : std::vector<std::uint64_t>({2, 1, 0}));
  ASSERT_EQ(statuses.size(), 3u);
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(statuses[i], answers[i] == 2 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(node.pool.in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Orders, InitiatorOrder,
                         testing::Values(Ordering::per_initiator, Ordering::per_target),
                         [](const auto& about) {
                           return about.param == Ordering::per_initiator ? "per_initiator" : "per_target";
                         });

}  // namespace
}  // namespace flitmend
