// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <deque>
#include <map>

#include "protocols/recovery/registry.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "testbench/faults/fault_injector.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kRange = 4096;
constexpr NodeId kNodes = 16;
constexpr unsigned kSlots = 8;                              // writes per pair of nodes
constexpr std::size_t kBytes = kRange / (kNodes * kSlots);  // of the longest write
constexpr Cycle kStriking = 4000;
constexpr Cycle kLongestDrain = 400000;

/// A processing element: it writes, and has a memory that is written to.
struct Element : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Element> initiator;
  tlm_utils::simple_target_socket<Element> target;
  std::vector<unsigned char> memory = std::vector<unsigned char>(kRange);
  std::map<std::uint64_t, unsigned> writes;  ///< by address: how often it was written to
  struct Answer {
    sc_dt::uint64 address;
    tlm::tlm_response_status status;
    sc_core::sc_time at;
  };
  std::vector<Answer> answers;
  std::deque<tlm::tlm_generic_payload*> waiting;  ///< for END_REQ of the request before
  bool requesting = false;
  sc_core::sc_event request_ended;
  sc_core::sc_time latency;  ///< of its memory

  SC_HAS_PROCESS(Element);
  explicit Element(sc_core::sc_module_name name) : sc_module(name), initiator("initiator"), target("target") {
    initiator.register_nb_transport_bw(this, &Element::nb_transport_bw);
    target.register_b_transport(this, &Element::b_transport);
    SC_METHOD(request);
    sensitive << request_ended;
    dont_initialize();
  }
  void send(tlm::tlm_generic_payload& payload) {
    waiting.push_back(&payload);
    request();
  }
  void request() {
    while (!requesting && !waiting.empty()) {
      tlm::tlm_generic_payload& payload = *waiting.front();
      waiting.pop_front();
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      const tlm::tlm_sync_enum answer = initiator->nb_transport_fw(payload, phase, delay);
      requesting = answer == tlm::TLM_ACCEPTED;
      if (answer == tlm::TLM_COMPLETED) answered(payload);
    }
  }
  void answered(tlm::tlm_generic_payload& payload) {
    answers.push_back({payload.get_address(), payload.get_response_status(), sc_core::sc_time_stamp()});
    payload.release();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      requesting = false;
      request_ended.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answered(payload);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (latency != sc_core::SC_ZERO_TIME) sc_core::wait(latency);
    if (payload.is_write()) {
      std::copy_n(payload.get_data_ptr(), payload.get_data_length(),
                  memory.begin() + static_cast<std::ptrdiff_t>(payload.get_address()));
      ++writes[payload.get_address()];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct RecoveryBench {
  const RecoveryEntry& entry;
  std::unique_ptr<RecoveryProtocol> protocol;
  FabricBench bench;
  Fabric& fabric;
  PayloadPool pool;
  std::vector<std::unique_ptr<Element>> elements;
  CheckedBindings bindings{{.address_kept = true}};
  std::map<std::uint64_t, std::vector<unsigned char>> sent;  ///< by address
  RandomStream random{77, RandomPurpose::test};
  std::unique_ptr<FaultInjector> injector;

  explicit RecoveryBench(const std::string& name, const TransactionParameters& transactions = {},
                         unsigned message_classes = 1, const RecoverySettings& recovery = {})
      : entry(recovery_protocols().at(name)),
        protocol(entry.make(recovery, {})),
        bench(mesh_network({4, 4}), preset("iq"), {}, "fabric", 1, protocol.get(), transactions,
              message_classes),
        fabric(bench.fabric) {
    for (NodeId node = 0; node < kNodes; ++node) {
      elements.push_back(std::make_unique<Element>(("element_" + std::to_string(node)).c_str()));
      bindings.bind(elements[node]->initiator, fabric.sockets(node).target_socket);
      bindings.bind(fabric.sockets(node).initiator_socket, elements[node]->target);
    }
  }
  /// The address of a write from a node to another one, which no other write has.
  static std::uint64_t address(NodeId from, NodeId to, unsigned slot) {
    return to * kRange + (from * kSlots + slot) * kBytes;
  }
  void write(NodeId from, NodeId to, unsigned slot) {
    const std::size_t length = 1 + random.below(kBytes);
    auto* payload = pool.acquire(tlm::TLM_WRITE_COMMAND, address(from, to, slot), length);
    for (std::size_t i = 0; i < length; ++i)
      payload->get_data_ptr()[i] = static_cast<unsigned char>(random.below(256));
    sent[payload->get_address()].assign(payload->get_data_ptr(), payload->get_data_ptr() + length);
    elements[from]->send(*payload);
  }
  /// One write from every node to a random one; `round` makes the addresses unique.
  void write_everywhere(std::map<std::pair<NodeId, NodeId>, unsigned>& used) {
    for (NodeId from = 0; from < kNodes; ++from) {
      const NodeId to = random.below(kNodes);
      if (unsigned& slot = used[{from, to}]; slot < kSlots) write(from, to, slot++);
    }
  }
  /// Writes from everywhere while nodes and links fail. False if transactions are left.
  bool write_while_parts_fail() {
    FaultSettings settings;
    settings.node_rate = 1e-3;
    settings.link_rate = 5e-4;
    settings.duration = {15};
    FaultPlan plan(settings, fabric.topology(), 5);
    plan.last_strike_before(kStriking);
    injector = std::make_unique<FaultInjector>("faults", fabric, std::move(plan));
    std::map<std::pair<NodeId, NodeId>, unsigned> used;
    bench.run(1);  // before elaboration there is nobody to send to
    for (Cycle t = 0; t < kStriking; t += 50) {
      write_everywhere(used);
      bench.run(50);
    }
    const bool drained = bench.drain(kLongestDrain);
    injector->stop();
    return drained;
  }
  void expect_bytes() {
    for (const auto& [address, bytes] : sent) {
      const Element& target = *elements[address / kRange];
      const std::uint64_t at = address % kRange;
      const NodeId from = static_cast<NodeId>(at / (kSlots * kBytes));
      unsigned answers = 0;
      bool good = false;
      for (const Element::Answer& answer : elements[from]->answers)
        if (answer.address == address) {
          ++answers;
          good = answer.status == tlm::TLM_OK_RESPONSE;
          EXPECT_TRUE(good || answer.status == tlm::TLM_GENERIC_ERROR_RESPONSE) << answer.status;
        }
      EXPECT_EQ(answers, 1u) << "address " << address;
      EXPECT_TRUE(good || entry.may_lose({}, fabric.context().hardware) > 0) << "address " << address;
      const auto written = target.writes.find(at);
      const unsigned times = written == target.writes.end() ? 0u : written->second;
      EXPECT_TRUE(good ? times == 1u : times <= 1u) << times;  // it may have been written, and the reply lost
      if (good) {
        EXPECT_TRUE(
            std::equal(bytes.begin(), bytes.end(), target.memory.begin() + static_cast<std::ptrdiff_t>(at)))
            << "address " << address;
      }
    }
    EXPECT_EQ(pool.in_use(), 0u);
    for (NodeId node = 0; node < kNodes; ++node) EXPECT_EQ(fabric.sockets(node).corrupted_bytes(), 0u);
  }
};

/// What processing elements may rely on under every recovery protocol, by its name: whatever fails and is
/// repaired, each transaction is answered once, the bytes of one answered with TLM_OK_RESPONSE are in the
/// target once and unchanged, those of another one at most once, and a transaction to a permanently dead node
/// is answered with TLM_GENERIC_ERROR_RESPONSE in bounded time. If the protocol promises delivery, all are
/// answered with TLM_OK_RESPONSE while faults are transient.
class TransactionsUnderFaults : public testing::TestWithParam<std::string> {};

TEST_P(TransactionsUnderFaults, RandomBytesSurviveTransientFaults) {
  RecoveryBench b(GetParam());
  struct Hits : MessageObserver {
    unsigned hit = 0;
    void message_hit(MessageIndex, const Message&, Cycle) override { ++hit; }
  } hits;
  b.fabric.add_observer(hits);
  ASSERT_TRUE(b.write_while_parts_fail());
  EXPECT_GT(hits.hit, 20u);
  EXPECT_GT(b.sent.size(), 1000u);
  b.expect_bytes();
  EXPECT_TRUE(b.fabric.check_conservation().idle());
}

TEST_P(TransactionsUnderFaults, ATransactionToADeadNodeIsAnsweredWithAnErrorInBoundedTime) {
  constexpr NodeId kDead = 10;
  constexpr Cycle kBound = 20000;  // attempts that find no route take routing.head_wait_cycles each
  RecoveryBench b(GetParam());
  b.bench.run(1);
  // On the way when the node dies, and sent after it.
  for (NodeId from = 0; from < kNodes; ++from)
    if (from != kDead) b.write(from, kDead, 0);
  b.bench.run(12);
  b.fabric.fail_router(kDead, true);
  b.bench.run(kBound);
  for (NodeId from = 0; from < kNodes; ++from)
    if (from != kDead) b.write(from, kDead, 1);
  b.bench.run(kBound);
  for (NodeId from = 0; from < kNodes; ++from) {
    if (from == kDead) continue;
    const auto& answers = b.elements[from]->answers;
    ASSERT_EQ(answers.size(), 2u) << "node " << from;
    EXPECT_EQ(answers[1].status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "node " << from;
    if (!b.elements[kDead]->writes.contains(RecoveryBench::address(from, kDead, 0) % kRange)) {
      EXPECT_EQ(answers[0].status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "node " << from;
    }
  }
  EXPECT_EQ(b.pool.in_use(), 0u);
}

// A reply carries the acknowledgement of its request. That of the reply is carried only if a request to the
// same node follows in time.
TEST(DelayedAcknowledgement, IsCarriedByReplies) {
  RecoverySettings recovery;
  recovery.options.set("acknowledgement_delay", 32);
  RecoveryBench b("end-to-end", {}, 1, recovery);
  struct Messages : MessageObserver {
    unsigned delivered = 0;
    void message_delivered(MessageIndex, const Message&, NodeId, Cycle) override { ++delivered; }
  } messages;
  b.fabric.add_observer(messages);
  ASSERT_TRUE(b.write_while_parts_fail());
  EXPECT_GT(b.sent.size(), 1000u);
  b.expect_bytes();
  EXPECT_TRUE(b.fabric.check_conservation().idle());
  EXPECT_GT(messages.delivered, 2000u);
  EXPECT_LT(b.fabric.context().recovery_counters.control_messages, messages.delivered * 7 / 10);
}

// Without a protocol that sends messages again, requests may wait for places while parts fail: heads that
// wait, and requests that have a place, are cut, and no place is lost.
TEST(PlacesUnderFaults, AreGivenBackByRequestsThatAFaultCuts) {
  TransactionParameters transactions;
  transactions.target_queue = 1;
  RecoveryBench b("none", transactions, 2);
  for (auto& element : b.elements) element->latency = sc_core::sc_time(25, sc_core::SC_NS);
  ASSERT_TRUE(b.write_while_parts_fail());
  EXPECT_GT(b.sent.size(), 1000u);
  b.expect_bytes();
  EXPECT_TRUE(b.fabric.check_conservation().idle());
  for (NodeId node = 0; node < kNodes; ++node)
    EXPECT_EQ(b.fabric.sockets(node).target_side().queue(0).used(), 0u) << node;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const RecoveryEntry& entry : recovery_protocols().entries()) all.emplace_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, TransactionsUnderFaults, testing::ValuesIn(names()),
                         [](const auto& about) {
                           std::string name = about.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace flitmend
