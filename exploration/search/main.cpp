// SPDX-License-Identifier: Apache-2.0
// The program flitmend-search: tries every fault of one network, for `flitmend campaign --exhaustive`, and
// prints what it found as JSON. Arguments: a configuration, and a FaultSpace as JSON.
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <systemc>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/search/search.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/writer.h"
#include "testbench/run_end.h"
#include "testbench/traffic/listed_messages.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

/// The configuration that repeats a case with `flitmend run`.
std::string repeated(Configuration c, const std::vector<FaultEvent>& events) {
  c.faults.events = events;
  return to_yaml(std::move(c));
}

std::int64_t last_cycle(const std::vector<FaultEvent>& events) {
  std::int64_t last = 0;
  for (const FaultEvent& event : events) last = std::max(last, event.cycle);
  return last;
}

Json json_of(const SearchTally& t, const Configuration& c, const Topology& topology) {
  Json counts = {{"cases", t.cases()},
                 {"single", t.single},
                 {"pairs", t.pairs},
                 {"permanent", t.permanent},
                 {"hit", t.hit},
                 {"untouched", t.untouched},
                 {"resent", t.resent},
                 {"guarded", t.guarded},
                 {"lost", t.lost},
                 {"abandoned", t.abandoned},
                 {"deadlocks", t.deadlocks},
                 {"fault_free_cycles", t.fault_free},
                 {"merged", t.merged},
                 {"verified", t.verified},
                 {"states", t.states},
                 {"edges", t.edges}};
  Json failures = Json::array();
  std::uint64_t failed = 0;
  const std::vector<SentMessage> messages = listed_messages(c.traffic, topology);
  std::uint64_t flits = 0;
  for (const SentMessage& sent : messages) flits += sent.message.length;
  for (unsigned kind = 0; kind < kFailureKinds; ++kind) {
    const FoundFailure& found = t.failures[kind];
    if (found.cases == 0) continue;
    failed += found.cases;
    failures.push_back({{"kind", to_word(static_cast<FailureKind>(kind))},
                        {"cases", found.cases},
                        {"what", found.what},
                        {"messages", messages.size()},
                        {"flits", flits},
                        {"faults", found.events.size()},
                        {"last_cycle", last_cycle(found.events)},
                        {"configuration", repeated(c, found.events)}});
  }
  counts["failures"] = failed;
  return {{"exhaustive", counts}, {"failures", failures}};
}

/// Refuses messages that a search cannot start from.
void check_messages(const Configuration& c, const Topology& topology) {
  constexpr Cycle kLatest = 100'000;
  const std::vector<SentMessage> messages = listed_messages(c.traffic, topology);
  if (messages.empty())
    throw c.located(
        KeyError("traffic.messages", "not set; an exhaustive search needs messages at known cycles"));
  if (messages.back().message.cycle > kLatest)
    throw c.located(
        KeyError("traffic.messages",
                 formatted("a message in cycle %1%; a search tries every cycle from 0 on, so let the "
                           "messages start in cycle %2% at the latest",
                           messages.back().message.cycle, kLatest)));
}

int search(const std::string& text, const std::string& space) {
  const Configuration configuration = parse_configuration(text, "the searched configuration", {});
  validate(configuration);
  check_messages(configuration, *make_topology(configuration.network));
  SearchedNetwork* network = nullptr;
  {
    Arena::Inside inside;
    network = std::make_unique<SearchedNetwork>(configuration).release();  // the process ends before it does
  }
  Arena::watch();
  const Json found =
      json_of(Search(*network, fault_space_of(Json::parse(space))).run(), configuration, network->topology());
  Arena::stop_watching();
  std::cout << found.dump() << std::endl;
  return 0;
}

}  // namespace
}  // namespace flitmend

int sc_main(int argc, char** argv) {
  using namespace flitmend;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // with the campaign that asks
  if (argc != 3) {
    std::cerr << "flitmend-search: works for flitmend campaign --exhaustive; use that\n";
    return to_int(ExitStatus::bad_usage);
  }
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  try {
    return search(argv[1], argv[2]);
  } catch (const ConfigurationError& error) {
    std::cerr << error.what() << '\n';
    return to_int(ExitStatus::bad_usage);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return to_int(ExitStatus::contract_broken);
  }
}

// Replaces the main function of the SystemC library, which prints the kernel's banner unless told not to.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
