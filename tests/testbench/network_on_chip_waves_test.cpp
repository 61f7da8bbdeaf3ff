// SPDX-License-Identifier: Apache-2.0
// The waves of a platform: any clock, any name of its modules, any end of the process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "support/address_sanitizer.h"
#include "support/collected_warnings.h"
#include "support/files.h"
#include "support/network_on_chip_bench.h"
#include "support/vcd_reader.h"
#include "testbench/network_on_chip.h"
#include "traces/waves/fst_sink.h"

namespace flitmend {
namespace {

using sc_core::sc_time;
using test::read_file;

constexpr const char* kMesh = "network: {topology: mesh, size: [2, 2]}\n";

/// A platform with waves of one router: an initiator writes to a memory and reads back.
struct Platform {
  test::TemporaryFolder folder;
  NetworkOnChip noc;
  PayloadPool pool;
  WriteAndRead initiator;
  FormedTarget memory{"memory"};
  std::vector<sc_time> edges;  ///< of the clock

  explicit Platform(const char* name = "noc", const std::string& waves = "scope: ['*.router_0_0']",
                    unsigned transactions = 20)
      : noc(name, platform(kMesh + ("waves: {enabled: true, " + waves + "}\n"))),
        initiator("initiator", pool, noc.address(3), transactions) {
    initiator.element.socket.bind(noc.sockets(0).target_socket);
    noc.sockets(3).initiator_socket.bind(memory.socket);
    noc.write_to(folder / "out");
  }
  void clock_by(sc_core::sc_signal_in_if<bool>& source) {
    noc.clock(source);
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&source.posedge_event());
    sc_core::sc_spawn([this] { edges.push_back(sc_core::sc_time_stamp()); }, "edges", &options);
  }
  VcdDump waves() const { return read_vcd(read_file(folder / "out/waves.vcd")); }
};

/// Every time step of the recording is an edge, the first step is the first edge, and there are changes
/// around the message that goes through the router.
void expect_times_of_edges(const Platform& p, const std::string& timescale, const sc_time& tick) {
  const VcdDump waves = p.waves();
  EXPECT_EQ(waves.timescale, timescale);
  ASSERT_GT(waves.times.size(), 100u);
  ASSERT_GT(p.edges.size(), 100u);
  EXPECT_EQ(waves.times.front() * tick.value(), p.edges.front().value());
  for (std::size_t i = 0; i + 1 < waves.times.size(); ++i)  // the last is the end
    EXPECT_TRUE(std::ranges::binary_search(p.edges, sc_time::from_value(waves.times[i] * tick.value())))
        << waves.times[i];
  EXPECT_GT(waves.times.back() * tick.value(), p.edges.back().value());
}

void simulate(Platform& p) {
  sc_core::sc_start(sc_time(20, sc_core::SC_NS));
  p.initiator.element.send();
  sc_core::sc_start(sc_time(20, sc_core::SC_US));
  EXPECT_EQ(p.initiator.element.responses, 20u);
  EXPECT_EQ(p.initiator.wrong, 0u);
  EXPECT_EQ(p.noc.finish().status.outcome, RunOutcome::complete);
}

TEST(NetworkOnChipWaves, OpenAtTheFirstFault) {
  test::TemporaryFolder folder;
  NetworkOnChip noc("noc",
                    platform(kMesh + std::string("waves: {enabled: true}\nrecovery: {protocol: sbrp-1}\n"
                                                 "faults: {events: [{cycle: 14, node: 1, duration: "
                                                 "30}]}\n")));
  PayloadPool pool;
  WriteAndRead initiator("initiator", pool, noc.address(3), 20);
  FormedTarget memory("memory");
  initiator.element.socket.bind(noc.sockets(0).target_socket);
  noc.sockets(3).initiator_socket.bind(memory.socket);
  noc.write_to(folder / "out");
  sc_core::sc_clock clock("clock", sc_time(4, sc_core::SC_NS));
  noc.clock(clock);
  sc_core::sc_start(sc_time(20, sc_core::SC_NS));
  initiator.element.send();
  sc_core::sc_start(sc_time(20, sc_core::SC_US));
  EXPECT_EQ(initiator.element.responses, 20u);
  EXPECT_GE(noc.finish().messages.hit, 1u);
  const std::string view = read_file(folder / "out/waves.gtkw");
  EXPECT_NE(view.find("The fault and message 0 of 0,0 to 1,1"), std::string::npos);
  EXPECT_NE(view.find("fault: message 0 of 0,0 to 1,1"), std::string::npos);
  EXPECT_NE(view.find("noc.fabric.router_1_0.down"), std::string::npos);
}

TEST(NetworkOnChipWaves, OfAClockWithAStartOffset) {
  Platform p;
  sc_core::sc_clock clock("clock", sc_time(4, sc_core::SC_NS), 0.5, sc_time(700, sc_core::SC_PS));
  p.clock_by(clock);
  simulate(p);
  expect_times_of_edges(p, "100 ps", sc_time(100, sc_core::SC_PS));
}

TEST(NetworkOnChipWaves, OfAClockThatBeginsWithItsFallingEdge) {
  Platform p;
  sc_core::sc_clock clock("clock", sc_time(10, sc_core::SC_NS), 0.3, sc_core::SC_ZERO_TIME, false);
  p.clock_by(clock);
  simulate(p);
  expect_times_of_edges(p, "1 ns", sc_time(1, sc_core::SC_NS));
}

/// A signal that is driven by hand, with pauses: high and low for the times that `next` gives.
struct DrivenClock : sc_core::sc_module {
  sc_core::sc_signal<bool> out{"out"};
  std::function<sc_time()> next;
  SC_HAS_PROCESS(DrivenClock);
  DrivenClock(sc_core::sc_module_name name, std::function<sc_time()> half)
      : sc_module(name), next(std::move(half)) {
    SC_THREAD(drive);
  }
  void drive() {
    for (;;) {
      out = true;
      wait(next());
      out = false;
      wait(next());
    }
  }
};

TEST(NetworkOnChipWaves, OfASignalThatIsDrivenByHand) {
  Platform p;
  DrivenClock clock("clock", [] { return sc_time(1250, sc_core::SC_PS); });
  p.clock_by(clock.out);
  simulate(p);
  expect_times_of_edges(p, "1 ps", sc_time(1, sc_core::SC_PS));
  // The view opens at the right place, with the spacing of the real edges.
  const std::string view = read_file(p.folder / "out/waves.gtkw");
  EXPECT_NE(view.find("*-14.124"), std::string::npos) << view.substr(0, 300);  // log2(28 / 200 / 2500)
}

// Its period changes, it stops for a while, and at one time it has two edges.
TEST(NetworkOnChipWaves, OfAClockWithoutAPeriod) {
  Platform p;
  DrivenClock clock("clock", [n = 0]() mutable {
    ++n;
    if (n == 60 || n == 61) return sc_core::SC_ZERO_TIME;
    return n == 100 ? sc_time(333, sc_core::SC_NS) : sc_time(1 + n % 7, sc_core::SC_NS);
  });
  p.clock_by(clock.out);
  simulate(p);
  expect_times_of_edges(p, "1 ps", sc_time(1, sc_core::SC_PS));
}

class NetworkOnChipNames : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// SystemC allows all characters but dots and white space, which it replaces.
TEST_P(NetworkOnChipNames, CanBeAnything) {
  const auto [name, in_waves] = GetParam();
  const CollectedWarnings replaced;
  for (const std::string format : {"vcd", "fst"})
    if (format == "vcd" || find_program("vcd2fst")) {
      const pid_t child = fork();  // a simulation each
      if (child == 0) {
        Platform p(name, "to: 300, format: " + format);
        sc_core::sc_clock clock("clock", sc_time(1, sc_core::SC_NS));
        p.clock_by(clock);
        simulate(p);
        const std::string fabric = p.noc.fabric().name();
        EXPECT_NE(sc_core::sc_find_object((fabric + ".router_0_0.east.vc1.route_fsm").c_str()), nullptr)
            << fabric;
        if (format == "vcd")
          EXPECT_TRUE(
              p.waves().signals.contains(std::string(in_waves) + ".fabric.router_0_0.east.vc1.route_fsm"));
        else
          EXPECT_TRUE(fst_complete(p.folder / "out/waves.fst"));
        EXPECT_NE(read_file(p.folder / "out/waves.gtkw")
                      .find(std::string(in_waves) + ".fabric.router_0_0.east.vc1."),
                  std::string::npos);
        EXPECT_NE(read_file(p.folder / "out/stats.json").find("\"outcome\": \"complete\""),
                  std::string::npos);
        _exit(testing::Test::HasFailure() ? 1 : 0);
      }
      int status = -1;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0) << name << ", " << format;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Names, NetworkOnChipNames,
    testing::Values(std::pair{"chip[3]", "chip_3_"}, std::pair{"a(b){c}<d>", "a_b__c__d_"},
                    std::pair{"a.b c", "a_b_c"}, std::pair{"$end", "_end"},
                    std::pair{"\"q\"\\n%s'", "_q__n_s_"}, std::pair{"Gerät", "Ger__t"},
                    std::pair{"a/b:c,d;e=f*g?h!i#j@k~l|m&n", "a_b_c_d_e_f_g_h_i_j_k_l_m_n"},
                    std::pair{"-x+y^z`", "_x_y_z_"}));

/// How a child process ended that ran `play` on the platform after 5000 cycles, in a process of the
/// simulation; what it wrote to standard error; its folder.
struct Ended {
  test::TemporaryFolder folder;
  int status = -1;
  std::string errors;
};

void end_by(Ended& ended, const std::string& format, const std::function<void(NetworkOnChip&)>& play) {
  const std::string errors = ended.folder / "errors";
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen(errors.c_str(), "w", stderr)) _exit(1);
    sc_core::sc_report_handler::set_handler(sc_core::sc_report_handler::default_handler);
    auto* const p =
        new Platform("noc", "scope: ['*.router_0_0'], format: " + format, 100000);  // as on sc_main's stack
    std::filesystem::create_symlink(p->folder / "out", ended.folder / "out");
    sc_core::sc_clock clock("clock", sc_time(1, sc_core::SC_NS));
    p->clock_by(clock);
    sc_core::sc_spawn(
        [&] {
          p->initiator.element.send();
          sc_core::wait(sc_time(5000, sc_core::SC_NS));
          play(p->noc);
        },
        "end");
    sc_core::sc_start(sc_time(6000, sc_core::SC_NS));
    p->noc.~NetworkOnChip();  // a return from sc_main without finish()
    _exit(0);
  }
  waitpid(child, &ended.status, 0);
  ended.errors = read_file(errors);
}

/// Everything up to cycle `last` - 1 is in the recording, which can be read.
void expect_whole_waves(const Ended& ended, const std::string& format, std::uint64_t last) {
  const std::string dump = ended.folder / "out/waves." + format;
  if (format == "fst") {
    EXPECT_TRUE(fst_complete(dump));
    const std::string vcd = ended.folder / "waves.vcd";
    ASSERT_EQ(std::system(("fst2vcd -f " + dump + " -o " + vcd + " 2>/dev/null").c_str()), 0);
    const std::string text = read_file(vcd);
    EXPECT_GT(std::ranges::count(text, '#'), 3000);
    EXPECT_NE(text.find("\n#" + std::to_string(last) + "\n"), std::string::npos);
    return;
  }
  const VcdDump waves = read_vcd(read_file(dump));
  EXPECT_EQ(waves.times.back(), last);
  const auto& flits = waves["noc.fabric.router_0_0.local.input_flit.kind"].changes;
  ASSERT_GT(flits.size(), 100u);
  EXPECT_GT(flits.back().time, last - 40);  // the initiator has always something under way
}

class EndOfProcess : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("fst") && !(find_program("vcd2fst") && find_program("fst2vcd")))
      GTEST_SKIP() << "vcd2fst is not installed";
  }
};
INSTANTIATE_TEST_SUITE_P(Formats, EndOfProcess, testing::Values("vcd", "fst"));

TEST_P(EndOfProcess, WithoutFinishWritesEverythingAndSaysSo) {
  Ended ended;
  end_by(ended, GetParam(), [](NetworkOnChip&) {});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  expect_whole_waves(ended, GetParam(), 6000);
  EXPECT_NE(read_file(ended.folder / "out/stats.json").find("\"cycles\": 6000"), std::string::npos);
}

TEST_P(EndOfProcess, ByExitInAProcessOfTheSimulation) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  Ended ended;
  end_by(ended, GetParam(), [](NetworkOnChip&) { std::exit(3); });
  EXPECT_EQ(ended.status, 3 << 8) << ended.errors;
  expect_whole_waves(ended, GetParam(), 5000);
  EXPECT_NE(read_file(ended.folder / "out/stats.json").find("\"cycles\": 500"), std::string::npos);
}

TEST_P(EndOfProcess, ByAFatalReport) {
  Ended ended;
  end_by(ended, GetParam(), [](NetworkOnChip&) { SC_REPORT_FATAL("user", "something is wrong"); });
  EXPECT_EQ(ended.status & 0x7f, SIGABRT);
  expect_whole_waves(ended, GetParam(), 5000);
  EXPECT_FALSE(std::filesystem::exists(ended.folder / "out/stats.json"));
  EXPECT_NE(ended.errors.find("flitmend: noc: a signal ended the process before finish(), so "),
            std::string::npos)
      << ended.errors;
}

TEST_P(EndOfProcess, ByAFatalReportOfTheNetwork) {
  Ended ended;
  end_by(ended, GetParam(), [](NetworkOnChip& noc) {
    tlm::tlm_generic_payload p;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay;
    noc.sockets(3).target_side().nb_transport_bw(0, p, phase, delay);
  });
  EXPECT_EQ(ended.status & 0x7f, SIGABRT);
  expect_whole_waves(ended, GetParam(), 5000);
}

TEST_P(EndOfProcess, ByASignal) {
  Ended ended;
  end_by(ended, GetParam(), [](NetworkOnChip&) { raise(SIGTERM); });
  EXPECT_EQ(ended.status & 0x7f, SIGTERM);
  expect_whole_waves(ended, GetParam(), 5000);
}

// A report of an element within a cycle leaves the network in the middle of it: no figures hold.
TEST(EndOfProcess, ByAnErrorWithinACycleWritesNoStatistics) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  Ended ended;
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen((ended.folder / "errors").c_str(), "w", stderr)) _exit(1);
    sc_core::sc_report_handler::set_handler(sc_core::sc_report_handler::default_handler);
    bool thrown = false;
    {
      Platform p;
      std::filesystem::create_directory(ended.folder / "out");
      sc_core::sc_clock clock("clock", sc_time(1, sc_core::SC_NS));
      p.clock_by(clock);
      p.memory.choose = [&]() -> TargetChoice {
        if (p.memory.requests == 5) SC_REPORT_ERROR("memory", "broken");
        return {};
      };
      sc_core::sc_start(sc_time(20, sc_core::SC_NS));
      p.initiator.element.send();
      try {
        sc_core::sc_start(sc_time(5, sc_core::SC_US));
      } catch (const sc_core::sc_report&) {
        thrown = true;
      }
      p.noc.~NetworkOnChip();
      _exit(thrown && !std::filesystem::exists(p.folder / "out/stats.json") ? 0 : 1);
    }
  }
  waitpid(child, &ended.status, 0);
  EXPECT_EQ(ended.status, 0);
}

}  // namespace
}  // namespace flitmend
