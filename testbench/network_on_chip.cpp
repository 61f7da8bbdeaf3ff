// SPDX-License-Identifier: Apache-2.0
#include "testbench/network_on_chip.h"

#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "base/checked_file.h"
#include "base/text.h"
#include "rtl_tlm/fabric/stalled_elements.h"
#include "testbench/checks/transaction_check.h"
#include "testbench/checks/validation.h"
#include "testbench/configuration/address_ranges.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/unused_keys.h"
#include "testbench/configuration/writer.h"
#include "testbench/elements/element_watchdog.h"
#include "testbench/files/input_files.h"
#include "testbench/files/run_folder.h"
#include "testbench/recording/event_log.h"
#include "testbench/recording/message_log.h"
#include "testbench/recording/wave_stories.h"
#include "testbench/scoreboard/contract.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/host_clock.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
NetworkOnChip::NetworkOnChip(sc_core::sc_module_name name, const std::filesystem::path& file,
                             const std::vector<std::string>& sets, const RouterFactory& foreign)
    : NetworkOnChip(name, load_configuration(file, sets), foreign) {
  file_ = file;
}

NetworkOnChip::NetworkOnChip(sc_core::sc_module_name name, Configuration configuration,
                             const RouterFactory& foreign)
    : sc_module(name), clock("clock"), configuration_(std::move(configuration)) {
  try {
    elaborate(foreign);
  } catch (const KeyError& error) {
    throw configuration_.located(error);
  }
}

NetworkOnChip::~NetworkOnChip() {
  finish_unasked();
}

void NetworkOnChip::elaborate(const RouterFactory& foreign) {
  Configuration& c = configuration_;
  settle_platform(c);
  validate_platform(c);
  inputs_ = digests_of(network_files(c));
  check_ = check_transactions(c, nullptr);
  if (check_.status != ExitStatus::done)
    throw KeyError("tlm.classes", check_.verdict + "; flitmend check says more", {"routing.algorithm"});
  const auto transactions = [&](const Topology& topology) {
    return c.tlm.parameters(static_cast<std::uint64_t>(c.network.node_address_bytes),
                            address_ranges(c.tlm.address_map, topology));
  };
  network_ = std::make_unique<ConfiguredNetwork>(
      c, ConfiguredNetwork::Use{
             .transactions = transactions, .separate_classes = c.tlm.separate(), .foreign = foreign});
  fabric().clock(clock);
  network_->add_faults();
  if (c.waves.enabled) {
    waves_ = std::make_unique<FabricWaves>(fabric());
    waves_->check(c.waves);
  }
  const ElementWatchdog::Limits limits{static_cast<Cycle>(c.tlm.accept_limit),
                                       static_cast<Cycle>(c.tlm.response_limit)};
  if (limits.any()) watchdog_ = std::make_unique<ElementWatchdog>(fabric(), limits);
  host_ = std::make_unique<HostClock>();
  for (const std::string& note : unused_keys_notes(unused_keys(c, KeyReader::platform)))
    SC_REPORT_WARNING("flitmend/configuration", (std::string(name()) + ": " + note).c_str());
}

NetworkSockets& NetworkOnChip::sockets(NodeId node) {
  if (node >= fabric().node_count())
    throw std::out_of_range(
        formatted("%1%: there is no node %2%; the last is %3%", name(), node, fabric().node_count() - 1));
  return fabric().sockets(node);
}

NetworkSockets& NetworkOnChip::sockets(const std::string& router_name) {
  for (NodeId node = 0; node < fabric().node_count(); ++node)
    if (topology().router_name(node) == router_name) return fabric().sockets(node);
  throw std::out_of_range(std::string(name()) + ": there is no node at \"" + router_name +
                          "\"; the first is " + topology().router_name(0));
}

AddressMap::Target NetworkOnChip::target_of(const std::string& range, std::size_t turn) const {
  const std::vector<AddressMap::Target> targets = fabric().addresses().targets(range);
  if (targets.empty())
    throw std::out_of_range(std::string(name()) + ": tlm.address_map has no range \"" + range + "\"");
  if (turn >= targets.size())
    throw std::out_of_range(formatted("%1%: \"%2%\" has %3%; index %4% is out of range (0-%5%)", name(),
                                      range, counted(targets.size(), "target"), turn, targets.size() - 1));
  return targets[turn];
}

std::uint64_t NetworkOnChip::address(NodeId node, std::uint64_t local) const {
  const auto address = fabric().addresses().address_of(AddressMap::Target{node, 0}, local);
  if (!address)
    throw std::out_of_range(formatted("%1%: no address leads to byte %2% of node %3%", name(), local, node));
  return *address;
}

std::uint64_t NetworkOnChip::address(const std::string& range, std::uint64_t offset) const {
  const auto address = fabric().addresses().address_in(range, offset);
  if (!address)
    throw std::out_of_range(
        formatted("%1%: the address map has no byte %2% of \"%3%\"", name(), offset, range));
  return *address;
}

void NetworkOnChip::refuse_call(const std::string& why) const {
  throw std::logic_error(std::string(name()) + ": " + why);
}

void NetworkOnChip::write_to(const std::filesystem::path& folder) {
  if (sc_core::sc_get_status() >= sc_core::SC_START_OF_SIMULATION)
    refuse_call("write_to is called after the start of the simulation; call it before");
  if (folder_) refuse_call("write_to is called twice; a network has one folder");
  folder_ = std::make_unique<RunFolder>(folder, file_, network_files(configuration_));
  folder_->remove_results();
  write_checked(folder_->file("config.yaml"), to_yaml(configuration_));
  write_checked(folder_->file(kCheckFile), check_.text());
  if (configuration_.statistics.messages) {
    messages_ = std::make_unique<MessageLog>(folder_->file("messages.csv"),
                                             std::span<const FlowDescription>(), [](NodeId) { return 0u; });
    network_->scoreboard().add_observer(*messages_);
  }
  if (!configuration_.statistics.events) return;
  events_ = std::make_unique<EventLog>(folder_->file("events.csv"), topology());
  network_->record_events(*events_);
}

void NetworkOnChip::start_of_simulation() {
  if (waves_ && folder_) {
    waves_->start(configuration_.waves, folder_->file("").string(),
                  WaveClock(dynamic_cast<const sc_core::sc_clock*>(clock.get_interface())));
  }
  if ((waves_ || configuration_.statistics.events || configuration_.statistics.messages) && !folder_)
    SC_REPORT_WARNING(
        "flitmend/folder",
        (std::string(name()) + ": waves, events.csv and messages.csv need a folder; call write_to, or "
                               "remove waves.enabled, statistics.events and statistics.messages")
            .c_str());
  started_ = true;
  if (folder_) {
    unfinished_ = "flitmend: " + std::string(name()) + ": a signal ended the process before finish(), so " +
                  folder_->file("stats.json").string() + " is missing\n";
    watch();
  }
  if (waves_ && folder_) recorded_fault_ = network_->record_fault();
  network_->statistics().window_begins(fabric());
  host_->start();
}

std::string NetworkOnChip::why_not_quiet() const {
  if (watchdog_ && !watchdog_->reason().empty()) return watchdog_->reason();
  if (quiet()) return "";
  const std::string kept = describe(stalled_elements(fabric()), fabric());
  return kept.empty() ? "transactions are under way" : kept;
}

void NetworkOnChip::finish_files(const Results& r) {
  const auto warn = [this](const std::string& failure) {
    if (!failure.empty())
      SC_REPORT_WARNING("flitmend/folder", (std::string(name()) + ": " + failure).c_str());
  };
  if (waves_) {
    waves_->finish();
    if (recorded_fault_) waves_->mark(recorded_fault_->story());
    warn(waves_->recorder().failure());
  }
  if (events_) warn(events_->failure());
  if (messages_) {
    messages_->finish(r.messages.in_flight == r.messages.held_back);
    warn(messages_->failure());
  }
  if (folder_) write_checked(folder_->file("stats.json"), to_json(r));
}

Results NetworkOnChip::finish() {
  if (!started_) refuse_call("finish is called before the simulation has started");
  if (finished_) refuse_call("finish is called twice");
  finished_ = true;
  unwatch();
  host_->stop();
  const bool within_cycle = fabric().evaluating();
  const bool drained = !within_cycle && quiet();
  const Cycle now = fabric().cycles();
  network_->statistics().window_ends(fabric());
  network_->finish(drained);
  fabric().tell_held_back();
  Results r;
  network_->fill(r);
  if (within_cycle)  // sums do not match in the middle of a cycle; the scoreboard's findings are valid
    r.contract.holds = r.contract.violations == 0;
  else
    judge_contract(r, false);  // a platform need not let the last credits return
  r.host = host_->results(r.simulation.flit_hops);
  r.host.inputs = inputs_;
  if (!r.contract.holds)
    r.status = {RunOutcome::contract, "the contract was broken: see contract in stats.json"};
  else if (within_cycle)
    r.status = {RunOutcome::limit, formatted("the simulation ended within cycle %1%: the figures are not "
                                             "those of whole cycles, and do not add up",
                                             now)};
  else if (const std::string why = why_not_quiet(); !why.empty())
    r.status = {RunOutcome::limit, why};
  r.status.platform = true;
  finish_files(r);
  return r;
}

void NetworkOnChip::finish_unasked() noexcept {
  if (!folder_ || !started_ || finished_) return;
  try {
    const std::string folder = folder_->file("").string();
    std::string what = formatted("; the files in %1% are those up to cycle %2%", folder, fabric().cycles());
    if (fabric().evaluating()) {
      unwatch();
      finished_ = true;
      what = formatted(", and the simulation ended within cycle %1%: %2%stats.json is missing",
                       fabric().cycles(), folder);
    } else {
      finish();
    }
    SC_REPORT_WARNING("flitmend/finish", (std::string(name()) + ": finish() was not called" + what).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "flitmend: %s: finish() was not called, and failed at the end: %s\n", name(),
                 error.what());
  }
}

void NetworkOnChip::dying() noexcept {
  // All that could be done about a failure to write is what is being done.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, unfinished_.data(), unfinished_.size());
}

}  // namespace flitmend
