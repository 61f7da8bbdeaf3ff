// SPDX-License-Identifier: Apache-2.0
// Processes that are killed, reset or given an exception inside b_transport, in every phase of a transaction.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <stdexcept>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/leak_check.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

constexpr unsigned kBytes = 64;
constexpr unsigned char kDead = 0xDD;
constexpr unsigned kSweep = 220;  ///< ns; the longest call takes less

/// A call of b_transport. Its memory stays when it is over, so that the test sees who touches it then.
struct Call {
  std::array<unsigned char, kBytes> bytes{};
  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay;
  bool begun = false, returned = false;

  Call(tlm::tlm_command command, std::uint64_t address, unsigned char fill) {
    bytes.fill(fill);
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(kBytes);
    payload.set_streaming_width(kBytes);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  bool holds(unsigned char value) const {
    return std::ranges::all_of(bytes, [value](unsigned char byte) { return byte == value; });
  }
};

/// Calls b_transport for the process that is running.
struct CallingElement : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<CallingElement> socket{"socket"};
  explicit CallingElement(sc_core::sc_module_name name) : sc_module(name) {}
  void make(Call& call) {
    struct AtExit {
      Call& call;
      ~AtExit() {
        if (call.returned) return;
        call.bytes.fill(kDead);
        call.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      }
    } at_exit{call};
    call.begun = true;
    socket->b_transport(call.payload, call.delay);
    call.returned = true;
  }
};

/// How a process leaves b_transport before its answer.
enum class Exit : unsigned { killed, reset, thrown, synchronous_reset, asynchronous_reset };
constexpr std::array kExitNames{"killed", "reset", "thrown", "synchronous_reset", "asynchronous_reset"};

struct CallSetting {
  const char* name;
  Ordering ordering;
  unsigned initiator_queue;
  bool posted_writes;
  const char* switching;
};

void PrintTo(const CallSetting& s, std::ostream* out) {
  *out << s.name;
}

class AbandonedCalls : public testing::TestWithParam<std::tuple<Exit, CallSetting>> {
 protected:
  static const CallSetting& setting() { return std::get<CallSetting>(GetParam()); }
  static HardwareSettings hardware() {
    HardwareSettings h;
    h.router.switching = setting().switching;
    return h;
  }
  static TransactionParameters transactions() {
    TransactionParameters p;
    p.ordering = setting().ordering;
    p.initiator_queue = setting().initiator_queue;
    p.posted_writes = setting().posted_writes;
    p.target_queue = 1;
    return p;
  }

  FabricBench bench{mesh_network({2, 2}), hardware(), {}, "fabric", 1, nullptr, transactions(), 2};
  CheckedBindings bindings{{.address_kept = true}};
  CallingElement victim{"victim"}, neighbour{"neighbour"};  // of one node
  FormedTarget target{"target"};
  sc_core::sc_signal<bool> reset{"reset"};
  std::vector<std::unique_ptr<Call>> abandoned;
  unsigned returned = 0, next = 0, neighbours = 0, wrong = 0;

  void SetUp() override {
    skip_leak_check();
    bindings.bind(victim.socket, bench.fabric.sockets(0).target_socket);
    bindings.bind(neighbour.socket, bench.fabric.sockets(0).target_socket);
    bindings.bind(bench.fabric.sockets(3).initiator_socket, target.socket);
    target.choose = [form = 0u]() mutable {
      return TargetChoice{static_cast<TargetForm>(form++ % kTargetForms), nanoseconds(2), nanoseconds(11)};
    };
  }
  /// Writes its bytes and reads them back.
  void access(CallingElement& caller, std::uint64_t address, unsigned& count) {
    const auto value = static_cast<unsigned char>(count++);
    Call write(tlm::TLM_WRITE_COMMAND, address, value), read(tlm::TLM_READ_COMMAND, address, 0xEE);
    caller.make(write);
    caller.make(read);
    wrong += !write.payload.is_response_ok() || !read.payload.is_response_ok() || !read.holds(value);
  }
  void leave(sc_core::sc_process_handle process) {
    switch (std::get<Exit>(GetParam())) {
      case Exit::killed:
        process.kill();
        return;
      case Exit::reset:
        process.reset();
        return;
      case Exit::thrown:
        if (!process.terminated()) process.throw_it(std::runtime_error("bus error"));
        return;
      case Exit::synchronous_reset:  // takes effect when the process goes on
        reset.write(true);
        sc_core::wait(nanoseconds(200));
        break;
      case Exit::asynchronous_reset:
        reset.write(true);
        sc_core::wait(nanoseconds(1));
        break;
    }
    reset.write(false);
  }
  /// A call that its process leaves `after` it has begun.
  void interrupt(double after, unsigned deltas) {
    constexpr std::uint64_t kAddress = 3 * kNodeBytes;
    const bool read = static_cast<unsigned>(after) % 2 == 0;
    abandoned.push_back(
        std::make_unique<Call>(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, kAddress, 0x11));
    Call& call = *abandoned.back();
    if (static_cast<unsigned>(after) % 3 == 0) call.delay = nanoseconds(4);
    sc_core::sc_spawn_options options;
    if (std::get<Exit>(GetParam()) == Exit::synchronous_reset) options.reset_signal_is(reset, true);
    if (std::get<Exit>(GetParam()) == Exit::asynchronous_reset) options.async_reset_signal_is(reset, true);
    const sc_core::sc_process_handle process = sc_core::sc_spawn(
        [this, &call] {
          if (call.begun) return;  // it has been reset
          try {
            victim.make(call);
          } catch (const std::runtime_error&) {
          }
        },
        sc_core::sc_gen_unique_name("process"), &options);
    sc_core::wait(nanoseconds(after + 0.001));  // it has begun
    sc_core::wait(nanoseconds(0.999));
    for (; deltas > 0; --deltas) sc_core::wait(sc_core::SC_ZERO_TIME);
    leave(process);
    access(victim, kAddress + 256, next);  // at once
    if (!call.returned) return;
    ++returned;
    abandoned.pop_back();
  }
};

TEST_P(AbandonedCalls, LeaveNothingBehindAndTouchNothing) {
  bool done = false;
  sc_core::sc_spawn([this, &done] {
    for (unsigned after = 0; after < kSweep; ++after)
      for (unsigned deltas = 0; deltas < 3; ++deltas) interrupt(after, deltas);
    done = true;
  });
  sc_core::sc_spawn([this, &done] {
    while (!done) access(neighbour, 3 * kNodeBytes + 512, neighbours);
  });
  for (unsigned i = 0; i < 1000 && !done; ++i) bench.run(1000);
  ASSERT_TRUE(done) << next;
  ASSERT_TRUE(bench.drain(1000));
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(next, 3 * kSweep);
  EXPECT_GT(neighbours, 3 * kSweep);
  EXPECT_GT(returned, 10u);
  EXPECT_GT(abandoned.size(), 100u);
  for (const auto& call : abandoned) {
    EXPECT_TRUE(call->holds(kDead));
    EXPECT_EQ(call->payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  }
  EXPECT_EQ(bindings.underway(), 0u);
  EXPECT_EQ(bench.fabric.sockets(3).corrupted_bytes(), 0u);
  EXPECT_EQ(bench.fabric.sockets(3).target_side().queue(0).used(), 0u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(
    Settings, AbandonedCalls,
    testing::Combine(
        testing::Values(Exit::killed, Exit::reset, Exit::thrown, Exit::synchronous_reset,
                        Exit::asynchronous_reset),
        testing::Values(CallSetting{"one_at_a_time", Ordering::per_target, 1, false, "wormhole"},
                        CallSetting{"per_initiator", Ordering::per_initiator, 0, false, "wormhole"},
                        CallSetting{"posted_per_address", Ordering::per_address, 2, true, "wormhole"},
                        CallSetting{"several_messages", Ordering::per_target, 0, false,
                                    "virtual-cut-through"})),
    [](const auto& about) {
      return std::string(kExitNames[static_cast<unsigned>(std::get<Exit>(about.param))]) + "_" +
             std::get<CallSetting>(about.param).name;
    });

struct Note : tlm::tlm_extension<Note> {
  int note = 0;
  tlm_extension_base* clone() const override { return new Note(*this); }
  void copy_from(const tlm_extension_base& other) override { note = static_cast<const Note&>(other).note; }
};

/// A target that answers after 50 ns, and only then looks at the request.
struct LateTarget : sc_core::sc_module {
  tlm_utils::simple_target_socket<LateTarget> socket{"socket"};
  std::vector<int> notes;
  explicit LateTarget(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &LateTarget::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    sc_core::wait(nanoseconds(50));
    const Note* const note = p.get_extension<Note>();
    notes.push_back(note ? note->note : -1);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// The victim's requests, which carry a note, are at the target or in front of it when it is killed, or when
/// a posted write has been answered.
void expect_notes(bool posted_writes) {
  TransactionParameters parameters;
  parameters.posted_writes = posted_writes;
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters);
  CheckedBindings bindings;
  CallingElement victim("victim");
  LateTarget target("target");
  bindings.bind(victim.socket, bench.fabric.sockets(0).target_socket);
  bindings.bind(bench.fabric.sockets(3).initiator_socket, target.socket);
  std::array<Note, 3> notes;
  std::vector<std::unique_ptr<Call>> calls;
  std::vector<sc_core::sc_process_handle> processes;
  bench.run(1);
  for (int i = 0; i < 3; ++i) {
    notes[i].note = i + 1;
    calls.push_back(std::make_unique<Call>(tlm::TLM_WRITE_COMMAND, 3 * kNodeBytes, 0x11));
    calls.back()->payload.set_extension(&notes[i]);
    processes.push_back(sc_core::sc_spawn([&victim, &notes, i, call = calls.back().get()] {
      struct AtExit {
        Note& note;
        ~AtExit() { note.note = 99; }
      } at_exit{notes[i]};
      victim.make(*call);
    }));
    bench.run(1);
  }
  bench.run(60);
  sc_core::sc_spawn([&] {
    for (auto& process : processes) process.kill();
  });
  ASSERT_TRUE(bench.drain(1000));
  bench.run(200);  // what has been posted
  EXPECT_EQ(target.notes, (std::vector{1, 2, 3}));
  for (auto& call : calls) call->payload.clear_extension<Note>();
}

TEST(AbandonedCall, TheTargetSeesItsExtensionsAsTheyWere) {
  skip_leak_check();
  expect_notes(false);
}

TEST(AbandonedCall, SoItDoesWithAPostedWriteThatIsAnsweredBefore) {
  skip_leak_check();
  expect_notes(true);
}

/// A register that kills the process that accesses it, in the call of the network.
struct KillRegister : sc_core::sc_module {
  tlm_utils::simple_target_socket<KillRegister> socket{"socket"};
  sc_core::sc_process_handle victim;
  explicit KillRegister(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &KillRegister::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::BEGIN_REQ) victim.kill();
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
};

class KilledByItsTarget : public testing::TestWithParam<bool> {};

TEST_P(KilledByItsTarget, InTheMiddleOfTheHandOver) {
  skip_leak_check();
  TransactionParameters parameters;
  parameters.posted_writes = GetParam();
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters);
  CheckedBindings bindings;
  CallingElement core("core");
  KillRegister target("target");
  bindings.bind(core.socket, bench.fabric.sockets(0).target_socket);
  bindings.bind(bench.fabric.sockets(3).initiator_socket, target.socket);
  bench.run(1);
  for (int i = 0; i < 20; ++i) {
    Call call(tlm::TLM_WRITE_COMMAND, 3 * kNodeBytes, 0x11);
    target.victim = sc_core::sc_spawn([&] { core.make(call); });
    bench.run(1);
    ASSERT_TRUE(bench.drain(1000));
    EXPECT_TRUE(target.victim.terminated());
    EXPECT_FALSE(call.returned);
    EXPECT_TRUE(call.holds(kDead));
  }
}

INSTANTIATE_TEST_SUITE_P(Writes, KilledByItsTarget, testing::Bool(),
                         [](const auto& about) { return about.param ? "posted" : "answered"; });

}  // namespace
}  // namespace flitmend
