// SPDX-License-Identifier: Apache-2.0
// Nine cores with b_transport, nb_transport and direct memory, killed, reset and given exceptions at random,
// with and without resets of the network: memory holds what each core has written, the contract holds, and
// everybody goes on.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <stdexcept>

#include "support/checked_bindings.h"
#include "support/leak_check.h"
#include "support/network_on_chip_bench.h"
#include "testbench/network_on_chip.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

constexpr unsigned kCores = 9;
constexpr unsigned kTargets = 3;  // at nodes 2, 5 and 8
constexpr unsigned kRegion =
    256;  // bytes of a target that belong to one core; half of them for direct access
constexpr unsigned kLongest = 100;
constexpr unsigned kBlows = 300;
constexpr unsigned kAfter = 20;  // accesses of each core after the last blow

struct Setting {
  const char* name;
  const char* tlm;
  bool network_resets;
  std::uint64_t seed;
};

void PrintTo(const Setting& s, std::ostream* out) {
  *out << s.name;
}

/// A memory that takes its time, and may be accessed directly.
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(kNodeBytes);
  RandomStream random;
  Memory(sc_core::sc_module_name name, std::uint64_t seed)
      : sc_module(name), random(seed, RandomPurpose::test) {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    sc_core::wait(nanoseconds(random.below(30)));
    delay += nanoseconds(random.below(5));
    access_bytes(p, bytes);
    p.set_dmi_allowed(true);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.init();
    dmi.set_dmi_ptr(bytes.data());
    dmi.set_end_address(kNodeBytes - 1);
    dmi.allow_read_write();
    return true;
  }
};

enum class Kind { blocking, non_blocking, direct };

/// Writes random bytes to its region of a random target and reads them back, forever. Its process may end
/// at any time, and begin again.
class Core : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Core> socket{"socket"};
  sc_core::sc_signal<bool> reset{"reset"};
  unsigned good = 0, wrong = 0, failed = 0;

  Core(sc_core::sc_module_name name, unsigned number, Kind kind, PayloadPool& pool, std::uint64_t seed)
      : sc_module(name),
        number_(number),
        kind_(kind),
        pool_(pool),
        random_(seed, RandomPurpose::test, number) {
    socket.register_nb_transport_bw(this, &Core::nb_transport_bw);
    start();
  }
  /// Ends what its process is doing, in one of four ways.
  void strike(unsigned way) {
    switch (way) {
      case 0:
        process_.kill();
        start();
        break;
      case 1:
        process_.reset();
        break;
      case 2:
        process_.throw_it(std::runtime_error("bus error"));
        break;
      default:  // at once, or when the process goes on
        reset.write(true);
        sc_core::wait(nanoseconds(1 + random_.below(40)));
        reset.write(false);
    }
  }
  void end() { process_.kill(); }

 private:
  void start() {
    sc_core::sc_spawn_options options;
    if (number_ % 2 == 0)
      options.async_reset_signal_is(reset, true);
    else
      options.reset_signal_is(reset, true);
    process_ = sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("process"), &options);
  }
  void run() {
    for (;;) {
      try {
        sc_core::wait(nanoseconds(1 + random_.below(6)));
        write_and_read();
      } catch (const std::runtime_error&) {
      }
    }
  }
  void write_and_read() {
    const bool direct = kind_ == Kind::direct && random_.below(4) > 0;
    const std::uint64_t address = (2 + 3 * random_.below(kTargets)) * kNodeBytes + number_ * kRegion +
                                  (direct ? kRegion / 2 : 0) + random_.below(kRegion / 2 - kLongest);
    std::vector<unsigned char> bytes(1 + random_.below(kLongest));
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random_.below(256));
    std::vector<unsigned char> back(bytes.size(), 0xEE);
    const auto access = direct                        ? &Core::direct
                        : kind_ == Kind::non_blocking ? &Core::non_blocking
                                                      : &Core::blocking;
    const bool written = (this->*access)(tlm::TLM_WRITE_COMMAND, address, bytes);
    const bool read = (this->*access)(tlm::TLM_READ_COMMAND, address, back);
    failed += !written + !read;
    if (!written || !read) return;
    wrong += back != bytes;
    ++good;
  }
  bool blocking(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload p;
    fill(p, command, address, bytes);
    sc_core::sc_time delay = nanoseconds(random_.below(4));
    socket->b_transport(p, delay);
    sc_core::wait(delay);
    return p.is_response_ok();
  }
  /// The payload has its own bytes, as it may outlive the process.
  bool non_blocking(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& bytes) {
    struct Reference {
      tlm::tlm_generic_payload& p;
      ~Reference() { p.release(); }
    };
    while (requesting_) sc_core::wait(phase_);  // of a process before
    Reference own{*pool_.acquire(command, address, bytes.size())};
    tlm::tlm_generic_payload& p = own.p;
    p.acquire();  // for the response
    std::copy(bytes.begin(), bytes.end(), p.get_data_ptr());
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const auto answer = socket->nb_transport_fw(p, phase, delay);
    if (answer == tlm::TLM_ACCEPTED) requesting_ = &p;
    while (answer != tlm::TLM_COMPLETED && p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      sc_core::wait(phase_);
    if (answer == tlm::TLM_COMPLETED) p.release();
    std::copy_n(p.get_data_ptr(), bytes.size(), bytes.begin());
    return p.is_response_ok();
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (requesting_ == &p) requesting_ = nullptr;
    phase_.notify(sc_core::SC_ZERO_TIME);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    p.release();
    return tlm::TLM_COMPLETED;
  }
  bool direct(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload p;
    fill(p, command, address, bytes);
    tlm::tlm_dmi dmi;
    if (!socket->get_direct_mem_ptr(p, dmi)) return false;
    unsigned char* const at = dmi.get_dmi_ptr() + (address - dmi.get_start_address());
    if (command == tlm::TLM_WRITE_COMMAND)
      std::copy(bytes.begin(), bytes.end(), at);
    else
      std::copy_n(at, bytes.size(), bytes.begin());
    sc_core::wait(nanoseconds(3));
    return true;
  }
  static void fill(tlm::tlm_generic_payload& p, tlm::tlm_command command, std::uint64_t address,
                   std::vector<unsigned char>& bytes) {
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes.data());
    p.set_data_length(static_cast<unsigned>(bytes.size()));
    p.set_streaming_width(static_cast<unsigned>(bytes.size()));
  }

  unsigned number_;
  Kind kind_;
  PayloadPool& pool_;
  RandomStream random_;
  sc_core::sc_process_handle process_;
  tlm::tlm_generic_payload* requesting_ = nullptr;  ///< its END_REQ has not arrived
  sc_core::sc_event phase_;
};

class RandomKills : public testing::TestWithParam<Setting> {
 protected:
  sc_core::sc_clock clock{"clock", nanoseconds(1)};
  sc_core::sc_signal<bool> network_reset{"network_reset"};
  NetworkOnChip noc{"noc", platform(std::string("network: {topology: mesh, size: [3, 3]}\ntlm: {dmi: true") +
                                    GetParam().tlm + "}\n")};
  PayloadPool pool;
  CheckedBindings bindings{{.address_kept = true}};
  RandomStream random{GetParam().seed, RandomPurpose::test};
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<Memory>> memories;
  bool struck = false;

  void SetUp() override {
    skip_leak_check();
    noc.clock(clock);
    noc.fabric().reset(network_reset);
    for (unsigned i = 0; i < kCores; ++i) {
      cores.push_back(std::make_unique<Core>(("core_" + std::to_string(i)).c_str(), i,
                                             static_cast<Kind>(i % 3), pool, GetParam().seed));
      bindings.bind(cores[i]->socket, noc.sockets(i).target_socket);
    }
    for (unsigned i = 0; i < kTargets; ++i) {
      memories.push_back(
          std::make_unique<Memory>(("memory_" + std::to_string(i)).c_str(), GetParam().seed + i));
      bindings.bind(noc.sockets(2 + 3 * i).initiator_socket, memories[i]->socket);
    }
  }
  void strike() {
    for (unsigned i = 0; i < kBlows; ++i) {
      sc_core::wait(nanoseconds(1 + random.below(60)));
      for (unsigned deltas = random.below(3); deltas > 0; --deltas) sc_core::wait(sc_core::SC_ZERO_TIME);
      cores[random.below(kCores)]->strike(random.below(4));
      if (GetParam().network_resets && i % 10 == 0) {
        network_reset.write(true);
        sc_core::wait(nanoseconds(1 + random.below(4)));
        network_reset.write(false);
      }
    }
    struck = true;
  }
  bool all_go_on() {
    std::vector<unsigned> goal;
    for (const auto& core : cores) goal.push_back(core->good + kAfter);
    const auto reached = [&] {
      for (unsigned i = 0; i < kCores; ++i)
        if (cores[i]->good < goal[i]) return false;
      return true;
    };
    for (unsigned i = 0; i < 100 && !reached(); ++i) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    return reached();
  }
};

TEST_P(RandomKills, NobodyIsStuckAndMemoryHoldsWhatWasWritten) {
  sc_core::sc_spawn([this] { strike(); });
  for (unsigned i = 0; i < 100 && !struck; ++i) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  ASSERT_TRUE(struck);
  ASSERT_TRUE(all_go_on()) << noc.why_not_quiet();
  sc_core::sc_spawn([this] {
    for (auto& core : cores) core->end();
  });
  sc_core::sc_start(sc_core::sc_time(5, sc_core::SC_US));
  EXPECT_TRUE(noc.quiet()) << noc.why_not_quiet();
  unsigned good = 0, failed = 0;
  for (const auto& core : cores) {
    EXPECT_EQ(core->wrong, 0u) << core->name();
    good += core->good;
    failed += core->failed;
  }
  EXPECT_GT(good, 500u);
  EXPECT_EQ(failed > 0, GetParam().network_resets);
  EXPECT_EQ(pool.in_use(), 0u);
  EXPECT_EQ(bindings.underway(), 0u);
  const Results r = noc.finish();
  EXPECT_TRUE(r.contract.holds) << to_text(r);
  EXPECT_EQ(exit_status(r.status.outcome), ExitStatus::done) << r.status.reason;
  EXPECT_EQ(r.messages.generated, r.messages.delivered + r.messages.lost);
  EXPECT_EQ(r.messages.discarded, r.messages.lost);
  EXPECT_EQ(r.messages.lost > 0, GetParam().network_resets);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RandomKills,
    testing::Values(Setting{"per_target", ", initiator_queue: 2, target_queue: 1", false, 1},
                    Setting{"per_initiator", ", ordering: per-initiator", false, 2},
                    Setting{"posted_per_address", ", ordering: per-address, posted_writes: true", false, 3},
                    Setting{"per_target_with_resets", ", initiator_queue: 2, target_queue: 1", true, 4},
                    Setting{"per_initiator_with_resets", ", ordering: per-initiator, posted_writes: true",
                            true, 5}),
    [](const auto& about) { return about.param.name; });

}  // namespace
}  // namespace flitmend
