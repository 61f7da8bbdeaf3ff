// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 side of the network: phases, responses, bytes.
#include "rtl_tlm/sockets/network_sockets.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <numeric>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/leak_check.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kRange = 4096;
constexpr ProtocolCheckerOptions kChecks{.address_kept = true};

/// A memory with b_transport only, as most targets have.
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket;
  std::vector<unsigned char> bytes = std::vector<unsigned char>(kRange);
  explicit Memory(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    if (p.get_address() + p.get_data_length() > bytes.size()) {
      p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    unsigned char* at = bytes.data() + p.get_address();
    if (p.is_write()) std::copy_n(p.get_data_ptr(), p.get_data_length(), at);
    if (p.is_read()) std::copy_n(at, p.get_data_length(), p.get_data_ptr());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// An initiator that logs the phases it sees.
struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::vector<std::pair<int, sc_core::sc_time>> seen;
  std::vector<tlm::tlm_response_status> answers;
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
  }
  tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& p) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto answer = socket->nb_transport_fw(p, phase, delay);
    if (answer == tlm::TLM_UPDATED) seen.emplace_back(static_cast<unsigned>(phase), sc_core::sc_time_stamp());
    return answer;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    seen.emplace_back(static_cast<unsigned>(phase), sc_core::sc_time_stamp());
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    answers.push_back(p.get_response_status());
    p.release();
    return tlm::TLM_COMPLETED;
  }
};

struct Bench {
  FabricBench fabric_bench;
  Initiator initiator{"initiator"};
  Memory memory{"memory"};
  PayloadPool pool;
  CheckedBindings bindings{kChecks};
  explicit Bench(const HardwareSettings& hardware = {}, const TransactionParameters& transactions = {})
      : fabric_bench(mesh_network({4, 4}), hardware, {}, "fabric", 1, nullptr, transactions) {
    bindings.bind(initiator.socket, fabric_bench.fabric.sockets(0).target_socket);
    bindings.bind(fabric_bench.fabric.sockets(15).initiator_socket, memory.socket);
  }
};

TEST(NetworkSockets, APostedWriteIsAMessageAnsweredWhenItsTailHasBeenDelivered) {
  Bench b({}, TransactionParameters::one_way(kRange));
  b.fabric_bench.run(10);
  auto* p = b.pool.acquire(tlm::TLM_WRITE_COMMAND, 15 * kRange + 16, 20);
  std::iota(p->get_data_ptr(), p->get_data_ptr() + 20, 1);
  EXPECT_EQ(b.initiator.begin(*p), tlm::TLM_UPDATED);
  EXPECT_EQ(b.initiator.seen.back().first, tlm::END_REQ);
  ASSERT_TRUE(b.fabric_bench.drain(200));
  // 20 bytes are 3 data flits; 6 hops, 7 routers of 4 stages.
  const auto& d = b.fabric_bench.deliveries.at(0);
  EXPECT_EQ(d.length, 5u);
  EXPECT_EQ(d.delivered - d.created, 4 * 7 + 6 + 3 + 4u);
  ASSERT_EQ(b.initiator.answers, std::vector{tlm::TLM_OK_RESPONSE});
  EXPECT_EQ(b.initiator.seen.back().first, tlm::BEGIN_RESP);
  EXPECT_EQ(b.initiator.seen.back().second, b.fabric_bench.fabric.edge_time(d.delivered));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(b.memory.bytes[16 + i], i + 1);
  EXPECT_EQ(b.pool.in_use(), 0u);
}

TEST(NetworkSockets, AReadIsARequestAndAReply) {
  Bench b;
  std::iota(b.memory.bytes.begin(), b.memory.bytes.end(), 0);
  b.fabric_bench.run(3);
  auto* p = b.pool.acquire(tlm::TLM_READ_COMMAND, 15 * kRange + 100, 30);
  p->acquire();
  EXPECT_EQ(b.initiator.begin(*p), tlm::TLM_UPDATED);
  ASSERT_TRUE(b.fabric_bench.drain(400));
  ASSERT_EQ(b.fabric_bench.deliveries.size(), 2u);
  EXPECT_EQ(b.fabric_bench.deliveries[0].length, 2u);
  EXPECT_EQ(b.fabric_bench.deliveries[1].length, 2 + 4u);
  EXPECT_EQ(b.fabric_bench.deliveries[1].source, 15u);
  ASSERT_EQ(b.initiator.answers, std::vector{tlm::TLM_OK_RESPONSE});
  for (int i = 0; i < 30; ++i) EXPECT_EQ(p->get_data_ptr()[i], 100 + i);
  p->release();
  EXPECT_EQ(b.pool.in_use(), 0u);
}

TEST(NetworkSockets, RefusesWhatCannotBecomeAMessage) {
  Bench b;
  b.bindings.expect(ProtocolRule::initial_values);  // a command that is none
  b.fabric_bench.run(1);
  const auto status = [&](tlm::tlm_generic_payload* p) {
    EXPECT_EQ(b.initiator.begin(*p), tlm::TLM_COMPLETED);
    const auto answer = p->get_response_status();
    p->release();
    return answer;
  };
  EXPECT_EQ(status(b.pool.acquire(tlm::TLM_WRITE_COMMAND, 16 * kRange, 4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(b.pool.acquire(tlm::TLM_WRITE_COMMAND, 4 * kRange - 2, 4)),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  auto* enabled = b.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 4);
  unsigned char enables[4] = {0xff, 0, 0xff, 0};
  enabled->set_byte_enable_ptr(enables);
  enabled->set_byte_enable_length(0);
  EXPECT_EQ(status(enabled), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  auto* stream = b.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 8);
  stream->set_streaming_width(0);
  EXPECT_EQ(status(stream), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(status(b.pool.acquire_message(0, 70000)), tlm::TLM_BURST_ERROR_RESPONSE);
  auto* strange = b.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, 4);
  strange->set_command(static_cast<tlm::tlm_command>(3));
  EXPECT_EQ(status(strange), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(b.fabric_bench.fabric.messages_in_network(), 0u);
}

TEST(NetworkSockets, UnderCutThroughWhatFitsNoBufferIsSentInSeveralMessages) {
  HardwareSettings hardware;
  hardware.router.switching = "virtual-cut-through";  // buffers of 8 flits: 6 of data
  Bench b(hardware);
  std::iota(b.memory.bytes.begin(), b.memory.bytes.end(), 7);
  b.fabric_bench.run(1);
  auto* fits = b.pool.acquire(tlm::TLM_READ_COMMAND, 15 * kRange, 48);
  EXPECT_EQ(b.initiator.begin(*fits), tlm::TLM_UPDATED);
  ASSERT_TRUE(b.fabric_bench.drain(400));
  EXPECT_EQ(b.fabric_bench.deliveries.size(), 1 + 1u);
  auto* longer = b.pool.acquire(tlm::TLM_READ_COMMAND, 15 * kRange, 49);
  longer->acquire();
  EXPECT_EQ(b.initiator.begin(*longer), tlm::TLM_UPDATED);
  ASSERT_TRUE(b.fabric_bench.drain(400));
  EXPECT_EQ(b.fabric_bench.deliveries.size(), 2 + 1 + 2u);
  EXPECT_EQ(b.initiator.answers, std::vector(2, tlm::TLM_OK_RESPONSE));
  EXPECT_TRUE(std::equal(b.memory.bytes.begin(), b.memory.bytes.begin() + 49, longer->get_data_ptr()));
  longer->release();
  // A message without data cannot be divided.
  auto* too_long = b.pool.acquire_message(15 * kRange, 9);
  EXPECT_EQ(b.initiator.begin(*too_long), tlm::TLM_COMPLETED);
  EXPECT_EQ(too_long->get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  too_long->release();
}

// An initiator that changes its buffer while the message is in flight does not change the message.
TEST(NetworkSockets, BytesTravelInTheirFlitsAndAreComparedAtTheEnd) {
  Bench b;
  b.bindings.expect(ProtocolRule::data);
  b.fabric_bench.run(3);
  auto* p = b.pool.acquire(tlm::TLM_WRITE_COMMAND, 15 * kRange, 20);
  std::iota(p->get_data_ptr(), p->get_data_ptr() + 20, 1);
  p->acquire();
  b.initiator.begin(*p);
  b.fabric_bench.run(8);
  p->get_data_ptr()[3] = 99;
  ASSERT_TRUE(b.fabric_bench.drain(200));
  EXPECT_EQ(b.memory.bytes[3], 4);
  EXPECT_GT(b.fabric_bench.fabric.sockets(15).corrupted_bytes(), 0u);
  p->release();
}

TEST(NetworkSockets, ABrokenMessageIsNotDeliveredAndBringsNoByte) {
  Bench b;
  Fabric& fabric = b.fabric_bench.fabric;
  b.fabric_bench.run(3);
  std::fill(b.memory.bytes.begin(), b.memory.bytes.end(), static_cast<unsigned char>(0x55));
  auto* p = b.pool.acquire(tlm::TLM_WRITE_COMMAND, 15 * kRange, 24);  // three data flits
  std::iota(p->get_data_ptr(), p->get_data_ptr() + 24, 1);
  b.initiator.begin(*p);
  MessageIndex index = kNoMessage;
  fabric.context().messages.for_each_in_use([&](MessageIndex i) { index = i; });
  ASSERT_TRUE(fabric.context().messages[index].carries_bytes);
  // The receiver gets the head, the first data flit, and a broken tail.
  fabric.network_interface(0).injector.clear();
  Receiver& receiver = fabric.network_interface(15).receiver;
  const std::pair<FlitKind, std::uint16_t> flits[] = {
      {FlitKind::head, 0}, {FlitKind::data, 1}, {FlitKind::broken_tail, 2}};
  for (const auto& [kind, number] : flits) {
    Flit flit;
    flit.message = index;
    flit.kind = kind;
    flit.number = number;
    receiver.consume(fabric.cycles(), flit);
  }
  b.fabric_bench.run(3);
  EXPECT_TRUE(b.fabric_bench.deliveries.empty());
  for (unsigned i = 0; i < 24; ++i) EXPECT_EQ(b.memory.bytes[i], 0x55) << i;
  EXPECT_EQ(fabric.sockets(15).corrupted_bytes(), 0u);
}

/// A target for debug access only.
struct Debugged : sc_core::sc_module {
  tlm_utils::simple_target_socket<Debugged> socket{"socket"};
  unsigned asked = 0;
  explicit Debugged(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_transport_dbg(this, &Debugged::transport_dbg);
    socket.register_b_transport(this, &Debugged::b_transport);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) { return asked = p.get_data_length(); }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) {}
};

TEST(NetworkSockets, DebugAccessEndsWithTheNodesRange) {
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{});
  Initiator initiator("initiator");
  Debugged debugged("debugged");
  PayloadPool pool;
  CheckedBindings bindings(kChecks);
  bindings.bind(initiator.socket, bench.fabric.sockets(0).target_socket);
  bindings.bind(bench.fabric.sockets(3).initiator_socket, debugged.socket);
  bench.run(1);
  auto* p = pool.acquire(tlm::TLM_READ_COMMAND, 4 * kRange - 10, 32);
  EXPECT_EQ(initiator.socket->transport_dbg(*p), 10u);
  EXPECT_EQ(debugged.asked, 10u);
  EXPECT_EQ(p->get_data_length(), 32u);
  EXPECT_EQ(p->get_address(), 4 * kRange - 10);
  p->release();
}

TEST(NetworkSockets, AResetLosesWhatIsUnderWayAndTellsTheSenders) {
  sc_core::sc_signal<bool> reset("reset");
  Bench b;
  Fabric& fabric = b.fabric_bench.fabric;
  fabric.reset.bind(reset);
  b.fabric_bench.run(3);
  for (int i = 0; i < 4; ++i) b.initiator.begin(*b.pool.acquire(tlm::TLM_WRITE_COMMAND, 15 * kRange, 40));
  b.fabric_bench.run(15);
  EXPECT_GT(fabric.messages_in_network(), 0u);
  reset.write(true);
  b.fabric_bench.run(2);
  reset.write(false);
  EXPECT_EQ(fabric.messages_in_network(), 0u);
  EXPECT_EQ(b.initiator.answers, std::vector(4, tlm::TLM_GENERIC_ERROR_RESPONSE));
  EXPECT_TRUE(fabric.check_conservation().idle());
  EXPECT_TRUE(fabric.check_conservation().flits_conserved());
  EXPECT_EQ(b.pool.in_use(), 0u);
  b.fabric_bench.run(2);
  b.initiator.begin(*b.pool.acquire(tlm::TLM_WRITE_COMMAND, 15 * kRange, 40));
  EXPECT_TRUE(b.fabric_bench.drain(200));
  EXPECT_EQ(b.initiator.answers.back(), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(fabric.check_conservation().idle());
}

TEST(NetworkSockets, AFullSourceQueueKeepsBackEndReq) {
  HardwareSettings hardware;
  hardware.network_interface.source_queue = 1;
  Bench b(hardware);
  b.fabric_bench.run(2);
  EXPECT_EQ(b.initiator.begin(*b.pool.acquire_message(15 * kRange, 5)), tlm::TLM_UPDATED);
  EXPECT_EQ(b.initiator.begin(*b.pool.acquire_message(15 * kRange, 5)), tlm::TLM_ACCEPTED);
  b.initiator.seen.clear();
  b.fabric_bench.run(2);
  ASSERT_FALSE(b.initiator.seen.empty());
  EXPECT_EQ(b.initiator.seen.front().first, tlm::END_REQ);
  ASSERT_TRUE(b.fabric_bench.drain(400));
  EXPECT_EQ(b.initiator.answers.size(), 2u);
}

struct HeldBackLog : MessageObserver {
  std::vector<Message> messages;
  void message_held_back(const Message& m) override { messages.push_back(m); }
};

// With that many classes of messages, each with a queue of its own.
class RequestCreation : public testing::TestWithParam<unsigned> {};

// The latency of a request counts from its BEGIN_REQ; until it gets room it is one of those held back.
TEST_P(RequestCreation, IsTheBeginOfTheRequest) {
  HardwareSettings hardware;
  hardware.network_interface.source_queue = 1;
  FabricBench bench(mesh_network({4, 4}), hardware, {}, "fabric", 1, nullptr,
                    TransactionParameters::one_way(kRange), GetParam());
  std::vector<std::unique_ptr<Initiator>> initiators;
  CheckedBindings bindings{kChecks};
  HeldBackLog log;
  bench.fabric.add_observer(static_cast<MessageObserver&>(log));
  PayloadPool pool;
  constexpr unsigned kElements = 4;
  for (unsigned i = 0; i < kElements; ++i) {
    initiators.push_back(std::make_unique<Initiator>(("initiator" + std::to_string(i)).c_str()));
    bindings.bind(initiators.back()->socket, bench.fabric.sockets(0).target_socket);
  }
  bench.run(20);
  const Cycle now = bench.fabric.next_cycle();
  for (auto& initiator : initiators) initiator->begin(*pool.acquire_message(15 * kRange, 40));
  bench.run(10);
  bench.fabric.tell_held_back();
  ASSERT_EQ(log.messages.size(), kElements - 2) << "one leaves, and one is in the queue";
  for (const Message& m : log.messages) {
    EXPECT_EQ(m.created, now);
    EXPECT_EQ(m.length, 40u);
    EXPECT_EQ(m.source, 0u);
    EXPECT_EQ(m.destination, 15u);
  }
  ASSERT_TRUE(bench.drain(2000));
  ASSERT_EQ(bench.deliveries.size(), kElements);
  for (unsigned i = 0; i < kElements; ++i) {
    EXPECT_EQ(bench.deliveries[i].created, now);
    EXPECT_EQ(bench.deliveries[i].injected, now + 40 * i);
  }
  log.messages.clear();
  bench.fabric.tell_held_back();
  EXPECT_TRUE(log.messages.empty());
}

INSTANTIATE_TEST_SUITE_P(Classes, RequestCreation, testing::Values(1u, 2u));

// A request whose time is still to come when it finds no room is created at that time.
TEST(NetworkSockets, ADelayedRequestIsCreatedWhenItsTimeComes) {
  HardwareSettings hardware;
  hardware.network_interface.source_queue = 1;
  Bench b(hardware, TransactionParameters::one_way(kRange));
  Initiator other("other");
  b.bindings.bind(other.socket, b.fabric_bench.fabric.sockets(0).target_socket);
  Initiator third("third");
  b.bindings.bind(third.socket, b.fabric_bench.fabric.sockets(0).target_socket);
  HeldBackLog log;
  b.fabric_bench.fabric.add_observer(static_cast<MessageObserver&>(log));
  b.fabric_bench.run(20);
  const Cycle now = b.fabric_bench.fabric.next_cycle();
  b.initiator.begin(*b.pool.acquire_message(15 * kRange, 40));
  other.begin(*b.pool.acquire_message(15 * kRange, 40));
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay(10.5, sc_core::SC_NS);
  EXPECT_EQ(third.socket->nb_transport_fw(*b.pool.acquire_message(15 * kRange, 4), phase, delay),
            tlm::TLM_ACCEPTED);
  b.fabric_bench.run(5);
  b.fabric_bench.fabric.tell_held_back();
  EXPECT_TRUE(log.messages.empty()) << "it is created later";
  b.fabric_bench.run(10);
  b.fabric_bench.fabric.tell_held_back();
  EXPECT_EQ(log.messages.size(), 1u);
  ASSERT_TRUE(b.fabric_bench.drain(2000));
  ASSERT_EQ(b.fabric_bench.deliveries.size(), 3u);
  EXPECT_EQ(b.fabric_bench.deliveries[2].length, 4u);
  EXPECT_NEAR(static_cast<double>(b.fabric_bench.deliveries[2].created), static_cast<double>(now) + 10.5,
              1.0);
  EXPECT_EQ(b.fabric_bench.deliveries[2].injected, now + 80);
}

struct BlockingElement : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<BlockingElement> socket;
  SC_HAS_PROCESS(BlockingElement);
  explicit BlockingElement(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    SC_THREAD(run);
  }
  void run() {
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_address(15 * kRange + 8);
    p.set_data_ptr(bytes);
    p.set_data_length(8);
    p.set_streaming_width(8);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, delay);
    written = sc_core::sc_time_stamp();
    ok = p.is_response_ok();
    unsigned char back[8] = {};
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_data_ptr(back);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(p, delay);
    ok = ok && p.is_response_ok() && std::equal(bytes, bytes + 8, back);
    finished = true;
  }
  sc_core::sc_time written;
  bool ok = false, finished = false;
};

TEST(NetworkSockets, BlockingTransportReturnsAtDelivery) {
  skip_leak_check();
  FabricBench bench(mesh_network({4, 4}), HardwareSettings{});
  BlockingElement element("element");
  Memory memory("memory");
  CheckedBindings bindings(kChecks);
  bindings.bind(element.socket, bench.fabric.sockets(3).target_socket);
  bindings.bind(bench.fabric.sockets(15).initiator_socket, memory.socket);
  bench.run(400);
  ASSERT_TRUE(element.finished);
  EXPECT_TRUE(element.ok);
  EXPECT_EQ(element.written, bench.fabric.edge_time(bench.deliveries.at(0).delivered));
  EXPECT_EQ(bench.deliveries.size(), 3u);
}

/// A routing function that has no route to one node.
struct NoWayTo : RoutingFunction {
  NodeId unreachable;
  std::unique_ptr<RoutingFunction> other;
  NoWayTo(const Topology& t, NodeId node)
      : RoutingFunction(t), unreachable(node), other(make_routing(t, 4, RoutingSettings{})) {}
  void route(const RouteRequest& r, CandidateList& list) const override {
    if (r.destination != unreachable) other->route(r, list);
  }
  unsigned max_candidates() const override { return other->max_candidates(); }
  VcMask class_vcs(RouterId r, PortId p, unsigned c) const override { return other->class_vcs(r, p, c); }
  unsigned classes() const override { return other->classes(); }
};

TEST(NetworkSockets, AnUndeliverableMessageAnswersWithAGenericError) {
  const auto topology = make_topology(mesh_network({4, 4}));
  NoWayTo routing(*topology, 15);
  const auto selection = make_selection(*topology, RoutingSettings{});
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  Fabric fabric("fabric", *topology, routing, *selection, HardwareParameters::from(HardwareSettings{}));
  fabric.clock(clock);
  Initiator initiator("initiator");
  CheckedBindings bindings(kChecks);
  bindings.bind(initiator.socket, fabric.sockets(0).target_socket);
  PayloadPool pool;
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
  initiator.begin(*pool.acquire_message(15 * kRange, 20));
  initiator.begin(*pool.acquire_message(14 * kRange, 5));
  sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
  EXPECT_EQ(initiator.answers, (std::vector{tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE}));
  EXPECT_EQ(fabric.messages_in_network(), 0u);
  const ConservationReport report = fabric.check_conservation();
  EXPECT_TRUE(report.flits_conserved());
  EXPECT_TRUE(report.idle());
  EXPECT_EQ(report.flits_discarded, 20u);
}

}  // namespace
}  // namespace flitmend
