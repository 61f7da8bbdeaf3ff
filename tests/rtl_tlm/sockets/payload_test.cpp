// SPDX-License-Identifier: Apache-2.0
// The whole payload crosses the network: status, delay, extensions, byte enables, streaming, any length.
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <numeric>
#include <span>

#include "support/allocation_counter.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

struct NoteExtension : tlm::tlm_extension<NoteExtension> {
  int note = 0;
  tlm_extension_base* clone() const override { return new NoteExtension(*this); }
  void copy_from(const tlm_extension_base& other) override {
    note = static_cast<const NoteExtension&>(other).note;
  }
};
struct AnswerExtension : tlm::tlm_extension<AnswerExtension> {
  static int alive;
  AnswerExtension() { ++alive; }
  ~AnswerExtension() override { --alive; }
  tlm_extension_base* clone() const override { return new AnswerExtension; }
  void copy_from(const tlm_extension_base&) override {}
};
int AnswerExtension::alive = 0;

/// A target that does what a test says, at once.
struct AnyTarget : sc_core::sc_module {
  tlm_utils::simple_target_socket<AnyTarget> socket{"socket"};
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> access =
      [](tlm::tlm_generic_payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_OK_RESPONSE); };
  std::function<bool(tlm::tlm_generic_payload&, tlm::tlm_dmi&)> grant = [](auto&, auto&) { return false; };
  explicit AnyTarget(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &AnyTarget::nb_transport_fw);
    socket.register_get_direct_mem_ptr(this, &AnyTarget::get_direct_mem_ptr);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& d) {
    if (phase == tlm::BEGIN_REQ) access(p, d);
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) { return grant(p, dmi); }
};

struct PayloadBench {
  PayloadPool pool;
  FabricBench bench;
  CheckedBindings bindings;
  FormedInitiator initiator{"initiator"};
  AnyTarget target{"target"};
  RingQueue<tlm::tlm_generic_payload*> to_send;
  std::vector<tlm::tlm_response_status> statuses;
  sc_core::sc_time answered_at;

  /// `checked`: a checker of the base protocol at both ends.
  explicit PayloadBench(const TransactionParameters& parameters = {}, bool checked = true)
      : bench(mesh_network({4, 4}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters) {
    if (checked) {
      bindings.bind(initiator.socket, bench.fabric.sockets(0).target_socket);
      bindings.bind(bench.fabric.sockets(15).initiator_socket, target.socket);
    } else {
      initiator.socket.bind(bench.fabric.sockets(0).target_socket);
      bench.fabric.sockets(15).initiator_socket.bind(target.socket);
    }
    initiator.next = [this](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
      if (to_send.empty()) return nullptr;
      auto* const p = to_send.front();
      to_send.pop();
      return p;
    };
    initiator.answered = [this](tlm::tlm_generic_payload& p) {
      statuses.push_back(p.get_response_status());
      answered_at = sc_core::sc_time_stamp();
    };
    bench.run(1);
  }
  tlm::tlm_generic_payload* payload(tlm::tlm_command command, std::size_t bytes, std::uint64_t address = 0) {
    return pool.acquire(command, 15 * kNodeBytes + address, bytes);
  }
  /// Sends it and waits for its answer.
  tlm::tlm_response_status run(tlm::tlm_generic_payload& p, Cycle limit = 2000) {
    to_send.push(&p);
    initiator.send();
    EXPECT_TRUE(bench.drain(limit));
    return statuses.empty() ? tlm::TLM_INCOMPLETE_RESPONSE : statuses.back();
  }
};

TEST(Payload, TheStatusOfAWriteIsTheTargets) {
  PayloadBench b;
  b.target.access = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);  // read-only memory
  };
  EXPECT_EQ(b.run(*b.payload(tlm::TLM_WRITE_COMMAND, 8)), tlm::TLM_COMMAND_ERROR_RESPONSE);
  ASSERT_EQ(b.bench.deliveries.size(), 2u);
  EXPECT_EQ(b.bench.deliveries[1].source, 15u);
  EXPECT_EQ(b.bench.deliveries[1].length, 2u);
  EXPECT_EQ(b.run(*b.payload(tlm::TLM_READ_COMMAND, 8)), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST(Payload, ThePostedStatusIsTheTargetsIfItIsKnownAtOnce) {
  TransactionParameters parameters;
  parameters.posted_writes = true;
  PayloadBench b(parameters);
  b.target.access = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  };
  EXPECT_EQ(b.run(*b.payload(tlm::TLM_WRITE_COMMAND, 8)), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(b.bench.deliveries.size(), 1u);
}

// Request: created in cycle 1 + latency of 3 flits over 6 hops. Reply: created one cycle after the target's
// answer is due, 2 flits over 6 hops. A delay of n clock cycles comes in between.
TEST(Payload, TheTargetsDelayIsAddedToTheTimeOfTheAnswer) {
  std::vector<sc_core::sc_time> taken;
  PayloadBench b;
  for (const double delay : {0.0, 7.0, 7.5, 40.0}) {
    b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& d) {
      d += nanoseconds(delay);
      p.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    b.run(*b.payload(tlm::TLM_WRITE_COMMAND, 8));
    taken.push_back(b.answered_at - start);
  }
  EXPECT_EQ(taken[1] - taken[0], nanoseconds(7));
  EXPECT_EQ(taken[2] - taken[0],
            nanoseconds(7));  // due between two edges: the reply is created at the second
  EXPECT_EQ(taken[3] - taken[0], nanoseconds(40));
}

TEST(Payload, ExtensionsOfEveryKindReachTheTargetAndLeaveNothingBehind) {
  PayloadBench b;
  NoteExtension sticky;
  int seen = 0;
  b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    auto* const note = p.get_extension<NoteExtension>();
    ASSERT_TRUE(note);
    EXPECT_EQ(p.get_extension<MessageExtension>()->tag, 9u);
    EXPECT_EQ(p.get_extension<MessageExtension>()->created, kNever);  // it was a cycle of this network
    seen = note->note;
    note->note = 77;  // by reference: the initiator sees it
    p.set_auto_extension(new AnswerExtension);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  auto* p = b.payload(tlm::TLM_READ_COMMAND, 8);
  p->acquire();
  p->get_extension<MessageExtension>()->tag = 9;
  p->get_extension<MessageExtension>()->created = 0;
  sticky.note = 5;
  p->set_extension(&sticky);
  b.run(*p);
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(sticky.note, 77);
  EXPECT_EQ(p->get_extension<NoteExtension>(), &sticky);
  EXPECT_EQ(AnswerExtension::alive, 0);
  p->clear_extension<NoteExtension>();
  p->release();
  // The payloads handed to targets come from a pool: the next one is clean.
  b.target.access = [&](tlm::tlm_generic_payload& q, sc_core::sc_time&) {
    EXPECT_FALSE(q.get_extension<NoteExtension>());
    EXPECT_FALSE(q.get_extension<AnswerExtension>());
    q.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  EXPECT_EQ(b.run(*b.payload(tlm::TLM_WRITE_COMMAND, 8)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.statuses.size(), 2u);
}

TEST(Payload, ByteEnablesOfWritesAndReads) {
  PayloadBench b;
  std::vector<unsigned char> memory(kNodeBytes, 0x55);
  b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) { access_bytes(p, memory); };
  unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
  const auto enable = [&](tlm::tlm_generic_payload& p) {
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(3);
  };
  auto* write = b.payload(tlm::TLM_WRITE_COMMAND, 7, 100);
  std::iota(write->get_data_ptr(), write->get_data_ptr() + 7, 1);
  enable(*write);
  EXPECT_EQ(b.run(*write), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(std::ranges::equal(std::span(memory).subspan(100, 8),
                                 std::vector<unsigned char>{1, 0x55, 3, 4, 0x55, 6, 7, 0x55}));
  auto* read = b.payload(tlm::TLM_READ_COMMAND, 7, 100);
  std::fill_n(read->get_data_ptr(), 7, 0xAA);
  enable(*read);
  read->acquire();
  EXPECT_EQ(b.run(*read), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(std::ranges::equal(std::span(read->get_data_ptr(), 7),
                                 std::vector<unsigned char>{1, 0xAA, 3, 4, 0xAA, 6, 7}));
  read->set_byte_enable_ptr(nullptr);
  read->release();
}

// The bytes of the initiator come back, and not those of another transaction.
TEST(Payload, AReadBeginsWithTheInitiatorsBytes) {
  PayloadBench b;
  const auto fill = [](tlm::tlm_generic_payload& p, unsigned char value) {
    std::fill_n(p.get_data_ptr(), p.get_data_length(), value);
  };
  auto* const before = b.payload(tlm::TLM_WRITE_COMMAND, 12);
  fill(*before, 0xEF);
  EXPECT_EQ(b.run(*before), tlm::TLM_OK_RESPONSE);
  unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  for (const bool some : {false, true})
    for (const unsigned width : {12u, 4u}) {
      SCOPED_TRACE(std::to_string(width) + (some ? " with byte enables" : ""));
      b.target.access = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
        for (unsigned i = 0; i < 12; ++i) EXPECT_EQ(p.get_data_ptr()[i], 0x11);
        p.get_data_ptr()[4] = p.get_data_ptr()[5] = 0x22;  // and leaves the rest
        p.set_response_status(tlm::TLM_OK_RESPONSE);
      };
      auto* const read = b.payload(tlm::TLM_READ_COMMAND, 12);
      fill(*read, 0x11);
      read->set_streaming_width(width);
      if (some) read->set_byte_enable_ptr(enables), read->set_byte_enable_length(2);
      read->acquire();
      EXPECT_EQ(b.run(*read), tlm::TLM_OK_RESPONSE);
      const unsigned char fifth = some ? 0x11 : 0x22;
      EXPECT_TRUE(std::ranges::equal(std::span(read->get_data_ptr(), 12),
                                     std::vector<unsigned char>{0x11, 0x11, 0x11, 0x11, 0x22, fifth, 0x11,
                                                                0x11, 0x11, 0x11, 0x11, 0x11}));
      read->set_byte_enable_ptr(nullptr);
      read->release();
    }
}

TEST(Payload, AStreamingWidthBelowTheLengthStaysWithinItsBytes) {
  PayloadBench b;
  std::vector<unsigned char> memory(kNodeBytes);
  b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    EXPECT_EQ(p.get_streaming_width(), 4u);
    EXPECT_EQ(p.get_data_length(), 32u);
    access_bytes(p, memory);
  };
  auto* p = b.payload(tlm::TLM_WRITE_COMMAND, 32, kNodeBytes - 4);  // a FIFO register at the end of the range
  std::iota(p->get_data_ptr(), p->get_data_ptr() + 32, 1);
  p->set_streaming_width(4);
  EXPECT_EQ(b.run(*p), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(memory[kNodeBytes - 4], 29);
  EXPECT_EQ(memory[kNodeBytes - 1], 32);
}

TEST(Payload, AnIgnoredCommandTakesItsDataThereAndBack) {
  PayloadBench b;
  b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    ASSERT_EQ(p.get_command(), tlm::TLM_IGNORE_COMMAND);
    ASSERT_EQ(p.get_data_length(), 20u);
    for (unsigned i = 0; i < 20; ++i)
      p.get_data_ptr()[i] = static_cast<unsigned char>(p.get_data_ptr()[i] * 2);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  auto* p = b.payload(tlm::TLM_IGNORE_COMMAND, 20);
  std::iota(p->get_data_ptr(), p->get_data_ptr() + 20, 1);
  p->acquire();
  EXPECT_EQ(b.run(*p), tlm::TLM_OK_RESPONSE);
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(p->get_data_ptr()[i], 2 * (i + 1));
  p->release();
}

TEST(Payload, AMegabyteIsSentInSeveralMessages) {
  constexpr std::size_t kMegabyte = 1 << 20;
  TransactionParameters parameters;
  parameters.node_address_bytes = 2 * kMegabyte;
  PayloadBench b(parameters);
  std::vector<unsigned char> memory(2 * kMegabyte);
  b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) { access_bytes(p, memory); };
  const auto payload = [&](tlm::tlm_command command) {
    return b.pool.acquire(command, 15 * parameters.node_address_bytes + 5, kMegabyte);
  };
  auto* write = payload(tlm::TLM_WRITE_COMMAND);
  for (std::size_t i = 0; i < kMegabyte; ++i)
    write->get_data_ptr()[i] = static_cast<unsigned char>(i * 7 / 3);
  write->acquire();
  EXPECT_EQ(b.run(*write, 300000), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.bench.deliveries.size(), 3 + 1u);  // 131,072 data flits
  auto* read = payload(tlm::TLM_READ_COMMAND);
  read->acquire();
  EXPECT_EQ(b.run(*read, 300000), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(std::equal(write->get_data_ptr(), write->get_data_ptr() + kMegabyte, read->get_data_ptr()));
  EXPECT_EQ(b.bench.fabric.sockets(15).corrupted_bytes(), 0u);
  write->release();
  read->release();
}

struct DirectMemory {
  FabricBench bench;
  FormedInitiator initiator{"initiator"};
  AnyTarget target{"target"};
  CheckedBindings bindings;
  std::vector<unsigned char> memory = std::vector<unsigned char>(kNodeBytes);
  PayloadPool pool;

  explicit DirectMemory(bool configured)
      : bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, with_dmi(configured)) {
    bindings.bind(initiator.socket, bench.fabric.sockets(0).target_socket);
    bindings.bind(bench.fabric.sockets(3).initiator_socket, target.socket);
    target.grant = [this](tlm::tlm_generic_payload& p, tlm::tlm_dmi& region) {
      EXPECT_EQ(p.get_address(), 40u);
      region.set_start_address(16);
      region.set_end_address(kNodeBytes + 999);  // more than the node's range
      region.set_dmi_ptr(memory.data() + 16);
      region.allow_read_write();
      return true;
    };
    bench.run(1);
  }
  static TransactionParameters with_dmi(bool configured) {
    TransactionParameters parameters;
    parameters.dmi = configured;
    return parameters;
  }
  bool ask(tlm::tlm_dmi& region) {
    auto* const p = pool.acquire(tlm::TLM_READ_COMMAND, 3 * kNodeBytes + 40, 4);
    const bool granted = initiator.socket->get_direct_mem_ptr(*p, region);
    EXPECT_EQ(p->get_address(), 3 * kNodeBytes + 40);
    p->release();
    return granted;
  }
};

TEST(Payload, DirectMemoryIsPassedOnIfConfigured) {
  DirectMemory d(true);
  tlm::tlm_dmi region;
  ASSERT_TRUE(d.ask(region));
  EXPECT_EQ(region.get_start_address(), 3 * kNodeBytes + 16);
  EXPECT_EQ(region.get_end_address(), 4 * kNodeBytes - 1);
  EXPECT_EQ(region.get_dmi_ptr(), d.memory.data() + 16);
  d.target.socket->invalidate_direct_mem_ptr(100, ~sc_dt::uint64{0});
  EXPECT_EQ(
      d.initiator.invalidated,
      (std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>>{{3 * kNodeBytes + 100, 4 * kNodeBytes - 1}}));
}

// The target takes back its grant while it is handed a request, with others under way.
TEST(Payload, DirectMemoryIsTakenBackDuringTransactions) {
  DirectMemory d(true);
  tlm::tlm_dmi region;
  ASSERT_TRUE(d.ask(region));
  unsigned accesses = 0, hints = 0;
  d.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    if (++accesses == 5) d.target.socket->invalidate_direct_mem_ptr(0, 63);
    p.set_dmi_allowed(accesses < 5);
    access_bytes(p, d.memory);
  };
  unsigned left = 12;
  d.initiator.next = [&](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
    if (left == 0) return nullptr;
    --left;
    return d.pool.acquire(tlm::TLM_WRITE_COMMAND, 3 * kNodeBytes + 8 * left, 8);
  };
  d.initiator.answered = [&](tlm::tlm_generic_payload& p) {
    hints += p.is_dmi_allowed();
    EXPECT_TRUE(p.is_response_ok());
  };
  d.initiator.send();
  ASSERT_TRUE(d.bench.drain(2000));
  EXPECT_EQ(accesses, 12u);
  EXPECT_EQ(hints, 4u);
  EXPECT_EQ(d.initiator.invalidated,
            (std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>>{{3 * kNodeBytes, 3 * kNodeBytes + 63}}));
}

TEST(Payload, DirectMemoryIsDeniedByDefault) {
  DirectMemory d(false);
  tlm::tlm_dmi region;
  EXPECT_FALSE(d.ask(region));
}

// The write is accepted 3 ns ahead of its time, and the read comes at that time: it sees the write.
TEST(Payload, ARequestAcceptedAheadOfItsTimeIsNotOvertaken) {
  PayloadBench b;
  for (const double gap : {3.0, 3.2, 10.0}) {
    SCOPED_TRACE(gap);
    std::vector<unsigned char> memory(kNodeBytes);
    b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) { access_bytes(p, memory); };
    std::vector<tlm::tlm_command> order;
    b.initiator.answered = [&](tlm::tlm_generic_payload& p) {
      order.push_back(p.get_command());
      if (p.is_read()) {
        EXPECT_EQ(p.get_data_ptr()[7], 0x42);
      }
    };
    const double delay_ns = gap == 3.2 ? 3.1 : 3.0;
    b.initiator.next = [&](sc_core::sc_time& delay) -> tlm::tlm_generic_payload* {
      if (b.to_send.empty()) return nullptr;
      auto* const p = b.to_send.front();
      b.to_send.pop();
      delay = nanoseconds(p->is_write() ? delay_ns : 0);
      return p;
    };
    auto* const write = b.payload(tlm::TLM_WRITE_COMMAND, 8);
    std::fill_n(write->get_data_ptr(), 8, 0x42);
    b.to_send.push(write);
    b.initiator.send();
    sc_core::sc_start(nanoseconds(gap));
    b.to_send.push(b.payload(tlm::TLM_READ_COMMAND, 8));
    b.initiator.send();
    ASSERT_TRUE(b.bench.drain(400));
    EXPECT_EQ(order, (std::vector{tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}));
  }
}

/// A clock that is not an sc_clock, and whose period nobody knows.
struct AnyClock : sc_core::sc_module {
  sc_core::sc_signal<bool> clock{"clock"};
  SC_HAS_PROCESS(AnyClock);
  explicit AnyClock(sc_core::sc_module_name name) : sc_module(name) { SC_METHOD(toggle); }
  void toggle() {
    clock.write(!clock.read());
    next_trigger(nanoseconds(clock.read() ? 0.7 : 0.3));
  }
};

TEST(Payload, DelaysCountWithAClockThatIsNoScClock) {
  const auto topology = make_topology(mesh_network({2, 2}));
  const auto routing = make_routing(*topology, 4, RoutingSettings{});
  const auto selection = make_selection(*topology, RoutingSettings{});
  Fabric fabric("fabric", *topology, *routing, *selection, HardwareParameters::from(HardwareSettings{}));
  AnyClock clock("any");
  fabric.clock(clock.clock);
  FormedInitiator initiator("initiator");
  FormedTarget target("target");
  CheckedBindings bindings;
  bindings.bind(initiator.socket, fabric.sockets(0).target_socket);
  bindings.bind(fabric.sockets(3).initiator_socket, target.socket);
  PayloadPool pool;
  const std::vector<double> delays = {0, 20.25};
  unsigned sent = 0;
  initiator.next = [&](sc_core::sc_time& delay) -> tlm::tlm_generic_payload* {
    if (sent == 2) return nullptr;
    delay = nanoseconds(delays[sent++]);
    return pool.acquire(tlm::TLM_READ_COMMAND, 3 * kNodeBytes, 8);
  };
  std::vector<double> answers;
  initiator.answered = [&](tlm::tlm_generic_payload&) {
    answers.push_back(sc_core::sc_time_stamp().to_seconds() * 1e9);
  };
  sc_core::sc_start(nanoseconds(5.1));
  initiator.send();
  sc_core::sc_start(nanoseconds(200));
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_NEAR(answers[1] - answers[0], 20, 1.01);
  EXPECT_TRUE(fabric.quiet());
}

/// The times of docs/tlm.md: over 6 hops, request and response of 8 bytes.
TEST(Payload, TimesAreThoseOfTheTimeDiagrams) {
  FabricBench bench(mesh_network({4, 4}), HardwareSettings{}, {}, "fabric", 1, nullptr,
                    TransactionParameters{});
  PayloadPool pool;
  CheckedBindings bindings;
  FormedInitiator initiator("initiator");
  FormedTarget target("target");
  bindings.bind(initiator.socket, bench.fabric.sockets(0).target_socket);
  bindings.bind(bench.fabric.sockets(15).initiator_socket, target.socket);
  const auto now = [] { return sc_core::sc_time_stamp().to_seconds() * 1e9; };
  double started = 0, begin_request = 0, begin_response = 0;
  tlm::tlm_generic_payload* to_send = nullptr;
  FormedTarget::Choice choice;
  initiator.next = [&](sc_core::sc_time&) { return std::exchange(to_send, nullptr); };
  initiator.answered = [&](tlm::tlm_generic_payload&) { begin_response = now() - started; };
  target.choose = [&] {
    begin_request = now() - started;
    return choice;
  };
  const auto play = [&](tlm::tlm_command command) {
    started = now();
    to_send = pool.acquire(command, 15 * kNodeBytes, 8);
    initiator.send();
  };
  sc_core::sc_spawn([&] {
    sc_core::wait(nanoseconds(10.001));  // directly after an edge
    play(tlm::TLM_WRITE_COMMAND);
    sc_core::wait(nanoseconds(200));
    EXPECT_NEAR(begin_request, 40, 0.01);
    EXPECT_NEAR(begin_response, 79, 0.01);
    choice = {TargetForm::four_phases, nanoseconds(2),
              nanoseconds(4.5)};  // BEGIN_RESP after 2 + 0.5 + 4.5 ns
    play(tlm::TLM_READ_COMMAND);
    sc_core::wait(nanoseconds(200));
    EXPECT_NEAR(begin_request, 39, 0.01);
    EXPECT_NEAR(begin_response, 86, 0.01);
  });
  bench.run(500);
  EXPECT_EQ(initiator.responses, 2u);
}

class PayloadAllocations : public testing::TestWithParam<bool> {};

TEST_P(PayloadAllocations, NoneInSteadyState) {
  PayloadBench b({}, false);
  b.initiator.blocks = [] { return GetParam(); };
  unsigned left = 0, rounds = 0;
  std::vector<unsigned char> bytes(kNodeBytes);
  b.target.access = [&](tlm::tlm_generic_payload& p, sc_core::sc_time&) { access_bytes(p, bytes); };
  b.initiator.next = [&](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
    if (left == 0) return nullptr;
    --left;
    return b.payload(left % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, 64, 64 * (left % 32));
  };
  b.initiator.answered = [&](tlm::tlm_generic_payload&) { ++rounds; };
  const auto play = [&](unsigned transactions) {
    left = transactions;
    b.initiator.send();
    for (int i = 0; i < 1000 && rounds < b.initiator.sent + left; ++i) b.bench.run(50);
  };
  b.bench.deliveries.reserve(10000);
  play(200);
  const std::uint64_t before = allocations();
  play(200);
  EXPECT_EQ(rounds, 400u);
  EXPECT_EQ(allocations() - before, 0u);
}

INSTANTIATE_TEST_SUITE_P(Transports, PayloadAllocations, testing::Bool(),
                         [](const auto& about) { return about.param ? "b_transport" : "nb_transport"; });

}  // namespace
}  // namespace flitmend
