// SPDX-License-Identifier: Apache-2.0
#include "testbench/network_on_chip.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "support/checked_bindings.h"
#include "support/collected_warnings.h"
#include "support/files.h"
#include "support/network_on_chip_bench.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

TEST(NetworkOnChip, TwoNetworksWithClocksOfTheirOwnAndAllFigures) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "network_on_chip";
  std::filesystem::remove_all(out);
  sc_core::sc_clock fast("fast", sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_clock slow("slow", sc_core::sc_time(3, sc_core::SC_NS));
  NetworkOnChip first("first", platform("network: {topology: mesh, size: [4, 4]}\n"
                                        "tlm: {target_queue: 2}\n"
                                        "waves: {enabled: true, scope: ['**.router_0_0.**']}\n"));
  NetworkOnChip second("second", platform("network: {topology: torus, size: [3, 3]}\n"));
  first.clock(fast);
  second.clock(slow);
  PayloadPool pool;
  WriteAndRead a("a", pool, first.address(15), 400), b("b", pool, second.address(8), 400);
  FormedTarget memory_a("memory_a"), memory_b("memory_b");
  CheckedBindings bindings;
  bindings.bind(a.element.socket, first.sockets("router_0_0").target_socket);
  bindings.bind(first.sockets(15).initiator_socket, memory_a.socket);
  bindings.bind(b.element.socket, second.sockets(0).target_socket);
  bindings.bind(second.sockets("router_2_2").initiator_socket, memory_b.socket);
  first.write_to(out / "first");
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  b.element.send();
  for (int i = 0; i < 10; ++i) sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
  EXPECT_TRUE(first.quiet());
  EXPECT_TRUE(second.quiet());
  EXPECT_EQ(a.element.responses, 400u);
  EXPECT_EQ(b.element.responses, 400u);
  EXPECT_EQ(a.wrong + b.wrong, 0u);
  const Results r = first.finish();
  EXPECT_EQ(r.status.outcome, RunOutcome::complete);
  EXPECT_TRUE(r.contract.holds);
  EXPECT_EQ(r.messages.generated, 800u);
  EXPECT_EQ(r.messages.delivered, 800u);
  EXPECT_EQ(r.latency.total.count, 800u);
  EXPECT_GT(*r.traffic.accepted, 0.0);
  EXPECT_DOUBLE_EQ(*r.hops.mean, 6.0);
  EXPECT_GT(r.simulation.cycles, 19000u);
  EXPECT_EQ(second.finish().messages.delivered, 800u);
  EXPECT_LT(second.fabric().cycles() * 2, first.fabric().cycles());
  EXPECT_TRUE(std::filesystem::exists(out / "first" / "stats.json"));
  EXPECT_TRUE(std::filesystem::exists(out / "first" / "config.yaml"));
  EXPECT_TRUE(std::filesystem::exists(out / "first" / "waves.gtkw"));
}

// An element stops the simulation in the middle of transactions: the results are those up to there.
TEST(NetworkOnChip, ResultsAfterStop) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\n"));
  noc.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(3), 1000);
  FormedTarget memory("memory");
  memory.choose = [&memory] {
    if (memory.requests == 25) sc_core::sc_stop();
    return FormedTarget::Choice{};
  };
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(noc.sockets(3).initiator_socket, memory.socket);
  for (int i = 0; i < 5; ++i) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_STOPPED);
  EXPECT_LE(memory.requests, 26u);
  const Results r = noc.finish();
  EXPECT_EQ(r.status.outcome, RunOutcome::limit);
  EXPECT_EQ(r.status.reason, "transactions are under way");
  EXPECT_TRUE(r.contract.holds);
  EXPECT_GE(r.messages.delivered, 25u);
  EXPECT_GT(r.messages.in_flight, 0u);
}

/// How often each initiator was answered, and when, if the simulation runs in slices of that many ns.
std::vector<double> answers(double slice) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [3, 3]}\n"));
  noc.clock(clock);
  PayloadPool pool;
  std::vector<double> times;
  std::vector<std::unique_ptr<WriteAndRead>> elements;
  FormedTarget memory("memory");
  CheckedBindings bindings;
  for (NodeId node = 0; node < 4; ++node) {
    elements.push_back(std::make_unique<WriteAndRead>(("e" + std::to_string(node)).c_str(), pool,
                                                      noc.address(8, 512 * node), 50));
    const auto check = elements.back()->element.answered;
    elements.back()->element.answered = [&times, check](tlm::tlm_generic_payload& p) {
      times.push_back(sc_core::sc_time_stamp().to_seconds());
      check(p);
    };
    bindings.bind(elements.back()->element.socket, noc.sockets(node).target_socket);
  }
  bindings.bind(noc.sockets(8).initiator_socket, memory.socket);
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
  for (auto& element : elements) element->element.send();
  for (double at = 0; at < 4000; at += slice) sc_core::sc_start(sc_core::sc_time(slice, sc_core::SC_NS));
  for (const auto& element : elements) EXPECT_EQ(element->wrong, 0u);
  EXPECT_EQ(noc.finish().status.outcome, RunOutcome::complete);
  return times;
}

TEST(NetworkOnChip, SlicesOfTheSimulationChangeNothing) {
  // Every simulation needs a process of its own.
  const auto in_child = [](double slice) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const std::vector<double> times = answers(slice);
      const auto bytes = static_cast<ssize_t>(times.size() * sizeof(double));
      _exit(write(ends[1], times.data(), times.size() * sizeof(double)) == bytes &&
                    !testing::Test::HasFailure()
                ? 0
                : 1);
    }
    close(ends[1]);
    std::vector<double> times(1000);
    const ssize_t bytes = read(ends[0], times.data(), times.size() * sizeof(double));
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    times.resize(bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(double) : 0);
    return times;
  };
  const std::vector<double> whole = in_child(4000);
  EXPECT_EQ(whole.size(), 200u);
  EXPECT_EQ(in_child(1), whole);
  EXPECT_EQ(in_child(0.4), whole);
}

TEST(NetworkOnChip, TargetsByTheAddressMapOfTheConfiguration) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc",
                    platform("network: {topology: mesh, size: [2, 2]}\n"
                             "tlm: {address_map: [{name: ram, first: 0x8000, last: 0x8fff, node: [1, 0]},\n"
                             "                    {name: io, first: 0x100, last: 0x1ff, node: 3}]}\n"));
  noc.clock(clock);
  EXPECT_EQ(noc.address("ram", 8), 0x8008u);
  EXPECT_EQ(noc.address(1, 8), 0x8008u);
  EXPECT_EQ(noc.address(3), 0x100u);
  EXPECT_THROW(noc.address(2), std::out_of_range);
  EXPECT_THROW(noc.address("rom"), std::out_of_range);
  EXPECT_THROW(noc.address("io", 0x100), std::out_of_range);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address("ram"), 100);
  FormedTarget ram("ram");
  FormedTargetOf<64> io("io");
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(noc.initiator_socket("ram"), ram.socket);
  bindings.bind(noc.initiator_socket<64>("io"), io.socket);
  EXPECT_EQ(&noc.initiator_socket("ram"), &noc.sockets(1).initiator_socket);
  EXPECT_THROW(noc.initiator_socket("rom"), std::out_of_range);
  EXPECT_THROW(noc.initiator_socket("ram", 1), std::out_of_range);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
  EXPECT_EQ(a.element.responses, 100u);
  EXPECT_EQ(a.wrong, 0u);
  EXPECT_EQ(ram.requests, 100u);
  EXPECT_EQ(io.requests, 0u);
}

std::string refusal(const std::string& text) {
  try {
    NetworkOnChip noc(sc_core::sc_gen_unique_name("noc"), platform(text));
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

TEST(NetworkOnChip, RefusesWhatCannotWorkWithPlaceAndRemedy) {
  const std::string odd = refusal("router: {virtual_channels: 3}\n");
  EXPECT_NE(odd.find("set it to 4, or tlm.classes to shared"), odd.npos) << odd;
  EXPECT_NE(odd.find("noc.yaml:1"), odd.npos) << odd;
  const std::string shared = refusal("tlm: {classes: shared}\n");
  EXPECT_NE(shared.find("can deadlock"), shared.npos) << shared;
  const std::string unlimited = refusal("network_interface: {ejection: unlimited}\ntlm: {target_queue: 2}\n");
  EXPECT_NE(unlimited.find("tlm.target_queue"), unlimited.npos) << unlimited;
  EXPECT_EQ(refusal("tlm: {classes: shared, target_queue: 0}\nrouter: {virtual_channels: 1}\n"), "");
}

TEST(NetworkOnChip, NamesKeysWithoutEffect) {
  const CollectedWarnings warnings;
  const NetworkOnChip unused("noc", platform("network: {size: [2, 2]}\nwaves: {scope: ['*']}\n"
                                             "traffic: {load: 0.3}\nstatistics: {hits: true}\n"));
  ASSERT_EQ(warnings.texts().size(), 2u);
  EXPECT_NE(warnings.texts()[0].find("noc: "), std::string::npos);
  EXPECT_NE(warnings.texts()[1].find("waves.scope has no effect with waves.enabled false"), std::string::npos)
      << warnings.texts()[1];
  EXPECT_NE(warnings.texts()[0].find("statistics.hits has no effect without"), std::string::npos)
      << warnings.texts()[0];
}

TEST(NetworkOnChip, RefusesCallsThatComeAtTheWrongTime) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "wrong_time";
  std::filesystem::remove_all(out);
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [2, 2]}\n"));
  noc.clock(clock);
  EXPECT_EQ(test::message_of<std::logic_error>([&] { noc.finish(); }),
            "noc: finish is called before the simulation has started");
  noc.write_to(out);
  EXPECT_EQ(test::message_of<std::logic_error>([&] { noc.write_to(out / "again"); }),
            "noc: write_to is called twice; a network has one folder");
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
  EXPECT_EQ(test::message_of<std::logic_error>([&] { noc.write_to(out / "again"); }),
            "noc: write_to is called after the start of the simulation; call it before");
  EXPECT_EQ(noc.finish().status.outcome, RunOutcome::complete);
  EXPECT_EQ(test::message_of<std::logic_error>([&] { noc.finish(); }), "noc: finish is called twice");
}

TEST(NetworkOnChip, OwnsItsFolder) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "own_folder";
  std::filesystem::remove_all(out);
  std::filesystem::create_directories(out);
  const std::string text = "network: {topology: mesh, size: [2, 2]}\n";
  test::write_file((out / "config.yaml").string(), text);
  test::write_file((out / "stats.json").string(), "old");
  NetworkOnChip same("same", out / "config.yaml");
  const std::string own = test::message_of<ConfigurationError>([&] { same.write_to(out); });
  EXPECT_NE(own.find("the run would write its effective configuration over its own"), own.npos) << own;
  EXPECT_EQ(test::read_file((out / "config.yaml").string()), text);
  NetworkOnChip first("first", platform(text)), second("second", platform(text));
  first.write_to(out);
  EXPECT_FALSE(std::filesystem::exists(out / "stats.json"));  // of an earlier run
  const std::string shared = test::message_of<ConfigurationError>([&] { second.write_to(out); });
  EXPECT_NE(shared.find("another run or sweep is writing to " + out.string()), shared.npos) << shared;
}

TEST(NetworkOnChip, WritesEvents) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "events";
  std::filesystem::remove_all(out);
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  NetworkOnChip noc("noc", platform("network: {topology: mesh, size: [4, 4]}\n"
                                    "faults: {events: [{cycle: 50, node: [2, 0], duration: 100}]}\n"
                                    "recovery: {protocol: end-to-end}\n"
                                    "statistics: {events: true}\n"));
  noc.clock(clock);
  PayloadPool pool;
  WriteAndRead a("a", pool, noc.address(3), 100);
  FormedTarget memory("memory");
  CheckedBindings bindings;
  bindings.bind(a.element.socket, noc.sockets(0).target_socket);
  bindings.bind(noc.sockets(3).initiator_socket, memory.socket);
  noc.write_to(out);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_US));
  EXPECT_EQ(a.element.responses, 100u);
  EXPECT_EQ(a.wrong, 0u);
  EXPECT_EQ(noc.finish().status.outcome, RunOutcome::complete);
  const std::string events = test::read_file((out / "events.csv").string());
  EXPECT_NE(events.find("50,fault,"), events.npos) << events;
  EXPECT_NE(events.find("150,repair,"), events.npos) << events;
}

// SystemC gives the second one another name, and says so. Both work.
TEST(NetworkOnChip, TwoOfTheSameName) {
  sc_core::sc_clock clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  const std::string text = "network: {topology: mesh, size: [2, 2]}\n";
  const CollectedWarnings warnings;
  NetworkOnChip first("noc", platform(text)), second("noc", platform(text));
  ASSERT_EQ(warnings.texts().size(), 1u);
  EXPECT_NE(warnings.texts()[0].find("renamed to noc_0"), std::string::npos);
  first.clock(clock);
  second.clock(clock);
  EXPECT_STREQ(second.name(), "noc_0");
  PayloadPool pool;
  WriteAndRead a("a", pool, first.address(3), 20), b("b", pool, second.address(3), 20);
  FormedTarget memory_a("memory_a"), memory_b("memory_b");
  CheckedBindings bindings;
  bindings.bind(a.element.socket, first.sockets(0).target_socket);
  bindings.bind(b.element.socket, second.sockets(0).target_socket);
  bindings.bind(first.sockets(3).initiator_socket, memory_a.socket);
  bindings.bind(second.sockets(3).initiator_socket, memory_b.socket);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  a.element.send();
  b.element.send();
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
  EXPECT_EQ(a.element.responses + b.element.responses, 40u);
  EXPECT_EQ(a.wrong + b.wrong, 0u);
  EXPECT_EQ(first.finish().messages.delivered, 40u);
  EXPECT_EQ(second.finish().messages.delivered, 40u);
}

}  // namespace
}  // namespace flitmend
