// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/memory_limit.h"
#include "base/text.h"
#include "protocols/deadlock/deadlock_counter.h"
#include "protocols/deadlock/watchdog.h"
#include "testbench/checks/deadlock_check.h"
#include "testbench/elements/traffic_sink.h"
#include "testbench/faults/hit_ledger.h"
#include "testbench/files/input_files.h"
#include "testbench/recording/wave_stories.h"
#include "testbench/run_end.h"
#include "testbench/scoreboard/contract.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/class_waits.h"
#include "testbench/statistics/flow_statistic.h"
#include "testbench/statistics/host_clock.h"
#include "testbench/traffic/flow.h"

namespace flitmend {
namespace {

constexpr Cycle kWatchdogPeriod = 4096;    // cycles between two deadlock checks
constexpr Cycle kEmptyPeriod = 64;         // evaluated cycles after which an empty network is looked at
constexpr unsigned kMostLooksInHope = 25;  // deadlock checks: about 100,000 cycles
constexpr std::size_t kReserve =
    32 << 20;  // bytes: enough for one cycle, in which a vector may double, and for the results

/// Cycles that are evaluated between two checks for signals and limits: few in a large network, where each
/// takes a long time. The number never depends on the clock, so neither does the cycle where a run pauses.
Cycle look_period(const Topology& topology) {
  constexpr Cycle kRouterCycles = 1 << 18;
  return std::clamp<Cycle>(kRouterCycles / topology.router_count(), 1, kWatchdogPeriod);
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

MeasuredWindow measured_window(const WorkloadEntry& workload, const SimulationSettings& simulation) {
  MeasuredWindow window;
  if (workload.to_its_end) return window;
  window.begin = static_cast<Cycle>(simulation.warmup);
  window.end = window.begin + static_cast<Cycle>(simulation.measure);
  return window;
}

}  // namespace

Simulation::Simulation(const Configuration& c)
    : configuration_(c),
      inputs_(digests_of(input_files(c))),
      clock_("clock", sc_core::sc_time(1, sc_core::SC_NS)),
      workload_kind_(workload_of(c.traffic)),
      window_(measured_window(workload_kind_, c.simulation)),
      network_(c, ConfiguredNetwork::Use{.window = window_, .traffic_classes = true}),
      progress_limit_(static_cast<Cycle>(c.simulation.progress_limit)) {
  if (!workload_kind_.to_its_end) expected_end_ = window_.end;
  clock_.drive(fabric());
  for (NodeId node = 0; !workload_kind_.receives && node < topology().node_count(); ++node) {
    sinks_.push_back(std::make_unique<TrafficSink>((topology().router_name(node) + "_sink").c_str()));
    fabric().sockets(node).initiator_socket.bind(sinks_.back()->socket);
  }
  workload_ = workload_kind_.make({c, network_, payloads_, window_});
  if (!network_.classes().empty()) workload_->set_classes(classes_of(workload_->flows(), network_.classes()));
  elaborate_flows();
  elaborate_faults();
  if (c.deadlock.watchdog == "count") {
    counter_ = std::make_unique<DeadlockCounter>(fabric());
    fabric().add_observer(*counter_);
    fabric().context().shared<TokenObservers>().push_back(counter_.get());
  }
}

Simulation::~Simulation() = default;

void Simulation::elaborate_flows() {
  const std::span<const FlowDescription> flows = workload_->flows();
  const bool has_target = std::ranges::any_of(flows, &FlowDescription::has_target);
  const bool has_classes = !network_.classes().empty();
  if (flows.empty() || !(has_target || has_classes || configuration_.statistics.flows)) return;
  flows_ = std::make_unique<FlowStatistic>(
      flows, [this](NodeId node) { return workload_->flow_sent(node); },
      [this](NodeId node) { return workload_->bytes_sent(node); }, window_,
      fabric().context().hardware.link.flit_bytes, configuration_.traffic.options.real(kClockOption) * 1e6);
  network_.scoreboard().add_observer(*flows_);
}

void Simulation::elaborate_faults() {
  if (!network_.plan()) return;
  if (!workload_kind_.to_its_end && configuration_.simulation.drain && !configuration_.faults.strike_in_drain)
    network_.plan()->last_strike_before(window_.end);
  network_.add_faults();
  network_.faults()->add_observer(*this);
  network_.statistics().set_processing_elements(living_nodes(), 0);
  if (!configuration_.statistics.hits) return;
  hits_ = std::make_unique<HitLedger>(fabric());
  network_.faults()->add_observer(*hits_);
  network_.scoreboard().add_observer(*hits_);
}

NodeId Simulation::living_nodes() const {
  NodeId living = 0;
  for (NodeId node = 0; node < topology().node_count(); ++node) living += !fabric().context().node_dead(node);
  return living;
}

void Simulation::part_failed(const FaultyPart& part, bool permanent, Cycle cycle) {
  if (!permanent || !part.is_router()) return;
  network_.statistics().set_processing_elements(living_nodes(), cycle + 1);
  if (part.router >= topology().node_count()) return;
  workload_->node_died(part.router, cycle);
  // With the last sender dead, no response will arrive that pauses the run.
  if (workload_kind_.to_its_end && workload_->done()) fabric().pause_at(0);
}

void Simulation::look_for_deadlock() {
  // Nothing has changed since a look that found none.
  if (blocked_looks_ == 0 && fabric().idle_since() <= last_look_) return;
  last_look_ = fabric().cycles();
  if (!watchdog_)
    watchdog_ = std::make_unique<DeadlockWatchdog>(fabric(), [this](RouterId router, PortId port) {
      const FaultInjector* const faults = network_.faults();
      return faults && faults->will_be_repaired(router, port);
    });
  const auto found = watchdog_->look();
  if (!found) {
    blocked_looks_ = 0;
    return;
  }
  const Cycle now = fabric().cycles();
  if (blocked_looks_++ == 0)
    deadlock_time_.since = found->since > 0 ? found->since : now - std::min(now, kWatchdogPeriod);
  // A repair anywhere may give blocked heads other candidates. Random faults can go on forever,
  // though.
  const FaultInjector* const faults = network_.faults();
  const bool hope = faults && network_.routing().knows_all_faults() && faults->repairs_pending();
  if (hope && (!configuration_.faults.drawn() || blocked_looks_ < kMostLooksInHope)) return;
  deadlock_ = formatted(
      "deadlock found in cycle %1%: %2% virtual channels can never move again, "
      "%3% of them in a cycle",
      fabric().cycles(), found->blocked, found->cycle.size());
  deadlock_text_ = describe(*found, fabric());
  deadlock_cycle_ = waiting_vcs(*found, fabric());
  deadlock_time_.found = now;
}

void Simulation::look_for_progress() {
  const FaultInjector* const faults = network_.faults();
  const bool endless_faults =
      configuration_.faults.drawn() && (configuration_.faults.strike_in_drain || workload_kind_.to_its_end);
  const bool repair_comes = faults && faults->repairs_pending() && !endless_faults;
  std::optional<MessageProgress> progress = workload_->progress();
  if (!progress || !progress->waiting) {
    const MessageResults& m = network_.scoreboard().messages();
    const std::uint64_t ended = m.delivered + m.undeliverable + m.voided + m.lost;
    progress = {.steps = m.generated + ended, .waiting = !fabric().quiet()};
    if (ended == m.generated)
      progress->standstill = "every message has ended, but recovery units have been busy for %1% cycles";
  }
  progress->waiting = progress->waiting && !repair_comes;
  progress_limit_.look(*progress, fabric().cycles());
}

bool Simulation::deadlock_is_final(bool draining) const {
  const DeadlockSettings& deadlock = configuration_.deadlock;
  return deadlock.watchdog == "stop" ||
         (deadlock.watchdog == "count" && deadlock.recovery == "none" && draining);
}

StatusResults Simulation::ending(const std::atomic<bool>& stop) const {
  const auto limit = static_cast<Cycle>(configuration_.simulation.max_cycles);
  const auto in_this_cycle = [&](const std::string& what) {
    return formatted("%1% in cycle %2%", what, fabric().cycles());
  };
  if (stop) return {RunOutcome::interrupted, in_this_cycle("stopped by a signal")};
  if (reserve_->used()) return {RunOutcome::limit, in_this_cycle("out of memory")};
  if (!deadlock_.empty()) return {RunOutcome::deadlock, deadlock_};
  if (limit > 0 && fabric().cycles() >= limit)
    return {RunOutcome::limit, in_this_cycle(formatted("simulation.max_cycles = %1% reached", limit))};
  if (!progress_limit_.reason().empty()) return {RunOutcome::limit, in_this_cycle(progress_limit_.reason())};
  if (deadline_seconds_ > 0 && steady_seconds() >= deadline_seconds_)
    return {RunOutcome::limit, in_this_cycle(formatted("simulation.time_limit_seconds = %1% reached",
                                                       configuration_.simulation.time_limit_seconds))};
  return {};
}

bool Simulation::advance(Cycle cycle, Until until, ProgressSink* progress, const std::atomic<bool>& stop) {
  const auto limit = static_cast<Cycle>(configuration_.simulation.max_cycles);
  const Cycle period = look_period(topology());
  Cycle watchdog = fabric().cycles() + kWatchdogPeriod;
  const auto over = [&] {
    return until != Until::cycle && (until == Until::workload_done || fabric().quiet()) && workload_->done();
  };
  fabric().pause_when_empty(until == Until::empty);
  while (fabric().cycles() < cycle) {
    ending_ = ending(stop);
    if (ending_.outcome != RunOutcome::complete) return false;
    if (over()) return true;
    // Without messages there is no deadlock to look for, and an idle clock may pass any number of cycles.
    const bool empty = fabric().messages_in_network() == 0;
    fabric().pause_after(empty ? std::min(period, kEmptyPeriod) : period,
                         std::min({cycle, empty ? kNever : watchdog, limit > 0 ? limit : kNever}));
    sc_core::sc_start();
    const Cycle now = fabric().cycles();
    if (now >= watchdog || now >= cycle || now == limit || over()) {
      watchdog += ((now - std::min(now, watchdog)) / kWatchdogPeriod + 1) * kWatchdogPeriod;
      if (deadlock_is_final(until != Until::cycle)) look_for_deadlock();
    }
    if (until != Until::cycle) look_for_progress();
    if (progress) progress->update({now, expected_end_, fabric().messages_in_network()});
  }
  return true;
}

std::uint64_t Simulation::unexplained_failures(const Results& r) const {
  const std::uint64_t failed = workload_->failed();
  const std::uint64_t explained = r.messages.undeliverable + r.messages.lost + r.messages.voided;
  return failed > explained ? failed - explained : 0;
}

Outcome Simulation::run(ProgressSink* progress, const std::atomic<bool>& stop) {
  HostClock host;
  // The cycle is completed first, so that the results are those of whole cycles.
  reserve_ = std::make_unique<MemoryReserve>(kReserve, [this] { fabric().pause_at(0); });
  if (const double seconds = configuration_.simulation.time_limit_seconds; seconds > 0)
    deadline_seconds_ = steady_seconds() + seconds;
  host.start();
  bool complete = advance(window_.begin, Until::cycle, progress, stop);
  network_.statistics().window_begins(fabric());
  const Until end = workload_kind_.to_its_end ? Until::workload_done : Until::cycle;
  complete = complete && advance(window_.end, end, progress, stop);
  network_.statistics().window_ends(fabric());
  if (flows_) flows_->window_ends(fabric().cycles());
  bool drained = false;
  if (complete && (workload_kind_.to_its_end || configuration_.simulation.drain)) {
    complete = advance(kNever, Until::empty, progress, stop);
    drained = complete;
    if (FaultInjector* const faults = network_.faults()) faults->stop();
    // Lets the last credits return.
    const Cycle rest = fabric().cycles() + 2 * fabric().context().hardware.ring;
    if (complete) complete = advance(rest, Until::cycle, progress, stop);
  }
  host.stop();

  Outcome outcome;
  outcome.drained = drained;
  outcome.results = results(drained, host);
  StatusResults& status = outcome.results.status;
  if (!deadlock_.empty()) ending_ = {RunOutcome::deadlock, deadlock_};
  status = ending_;
  if (!outcome.results.contract.holds)
    status = {RunOutcome::contract, "the contract was broken: see contract in stats.json"};
  else if (const std::uint64_t unexplained = unexplained_failures(outcome.results); unexplained > 0)
    status = {RunOutcome::contract,
              formatted("%1% messages were refused by the network for no recorded reason", unexplained)};
  else if (const std::string why = workload_->incomplete(); complete && !why.empty())
    status = {RunOutcome::incomplete, why};
  tell_end(outcome);
  reserve_.reset();
  return outcome;
}

void Simulation::tell_end(Outcome& outcome) const {
  const StatusResults& end = outcome.results.status;
  outcome.status = exit_status(end.outcome);
  outcome.why = end.reason;
  if (end.outcome == RunOutcome::deadlock) outcome.deadlock = deadlock_time_;
  if (end.outcome == RunOutcome::deadlock)
    outcome.why +=
        ":\n" + deadlock_text_ + "The results are those up to this cycle. " + deadlock_remedy(configuration_);
  else if (outcome.status == ExitStatus::unfinished && end.outcome != RunOutcome::incomplete)
    outcome.why += "; the results are those up to this cycle";
  if (end.outcome == RunOutcome::limit && !progress_limit_.reason().empty())
    outcome.why += ". If they only wait that long, raise simulation.progress_limit";
  if (end.outcome == RunOutcome::limit && reserve_->used()) outcome.why += std::string(". ") + kMemoryRemedy;
}

void Simulation::tell_held_back() {
  fabric().tell_held_back();
  workload_->tell_held_back(network_.scoreboard());
}

Results Simulation::results(bool drained, const HostClock& host) {
  Results r;
  network_.finish(drained);
  tell_held_back();
  network_.fill(r);
  if (counter_) {
    r.deadlock.deadlocks = counter_->deadlocks();
    r.deadlock.right_captures = counter_->right_captures();
  }
  r.deadlock.cycle = deadlock_cycle_;
  if (configuration_.statistics.hits) r.hits = hits_ ? hits_->results(drained) : std::vector<HitResults>{};
  workload_->fill(r);
  if (flows_) r.flows = flows_->results(r.simulation.measured_cycles);
  if (r.flows) fill_class_waits(fabric(), network_.classes(), *r.flows);
  const auto counts_flows = [&] {
    return configuration_.statistics.flows ||
           std::ranges::any_of(workload_->flows(), &FlowDescription::has_target);
  };
  if (r.flows && !counts_flows()) r.flows->flows.clear();
  judge_contract(r, drained);
  r.host = host.results(r.simulation.flit_hops);
  r.host.inputs = inputs_;
  return r;
}

}  // namespace flitmend
