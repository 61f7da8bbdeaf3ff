// SPDX-License-Identifier: Apache-2.0
// traffic.collectives, also while flows are sent.
#include <algorithm>

#include "base/escaped_text.h"
#include "base/text.h"
#include "testbench/collectives/collective_run.h"
#include "testbench/elements/message_player.h"
#include "testbench/elements/message_receiver.h"
#include "testbench/traffic/background.h"
#include "testbench/workloads/flows_workload.h"

namespace flitmend {
namespace {

std::vector<PlannedCollective> planned(const Configuration& c, const Topology& topology,
                                       std::uint32_t flit_bytes) {
  try {
    return planned_collectives(c, topology, flit_bytes);
  } catch (const KeyError&) {
    throw;
  } catch (const ConfigurationError& error) {
    if (error.place()) throw;
    throw KeyError("traffic.collectives", error.what());
  }
}

std::string place_prefix(const Place& place) {
  return place.source.empty() ? "" : place.text() + ": ";
}

/// What messages are counted by: the collectives, then the flows that are sent meanwhile; one that would have
/// the name of a collective is called "flow NAME". `flows`: null: none.
std::vector<FlowDescription> descriptions(const std::vector<PlannedCollective>& collectives,
                                          const FlowTraffic* flows) {
  std::vector<FlowDescription> all;
  for (const PlannedCollective& c : collectives)
    all.push_back(
        {.name = c.name, .message_class = std::string(c.kind->operation->name), .bytes = c.piece_bytes});
  if (!flows) return all;
  for (FlowDescription flow : flows->descriptions()) {
    if (std::ranges::find(collectives, flow.name, &PlannedCollective::name) != collectives.end())
      flow.name = "flow " + flow.name;
    all.push_back(std::move(flow));
  }
  return all;
}

/// The flows that are sent meanwhile.
struct OverlappedFlows {
  OverlappedFlows(const WorkloadUse& use, CollectiveRun& run)
      : traffic(use.configuration, use.network.topology(), use.network.fabric().context().hardware,
                use.network.dead_nodes()),
        schedule(run, sources(use), static_cast<std::uint32_t>(run.collectives().size()),
                 use.network.fabric().context().hardware.link.flit_bytes) {}

  FlowTraffic traffic;
  WithBackground schedule;

 private:
  std::vector<std::unique_ptr<MessageSource>> sources(const WorkloadUse& use) const {
    std::vector<std::unique_ptr<MessageSource>> sources;
    for (NodeId node = 0; node < use.network.topology().node_count(); ++node)
      sources.push_back(traffic.source(node, static_cast<std::uint64_t>(use.configuration.simulation.seed)));
    return sources;
  }
};

class CollectivesWorkload final : public Workload {
 public:
  explicit CollectivesWorkload(const WorkloadUse& use)
      : configuration_(use.configuration),
        network_(use.network),
        fabric_(use.network.fabric()),
        clock_hz_(use.configuration.traffic.options.real(kClockOption) * 1e6),
        run_(planned(use.configuration, use.network.topology(), flit_bytes()), fabric_.node_count(),
             static_cast<std::uint64_t>(use.configuration.simulation.seed)),
        overlapped_(has_flows(use.configuration.traffic) ? std::make_unique<OverlappedFlows>(use, run_)
                                                         : nullptr),
        player_("player", fabric_, use.payloads,
                overlapped_ ? static_cast<MessageSchedule&>(overlapped_->schedule) : run_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)),
        receiver_("receiver", fabric_, [this](std::uint32_t handle, std::optional<std::uint64_t> content) {
          if (handle >= WithBackground::kHandle) return;
          const Cycle next = fabric_.next_cycle();
          run_.received(handle, content, next > 0 ? next - 1 : 0);
          player_.wake();
        }) {
    flows_ = descriptions(run_.collectives(), overlapped_ ? &overlapped_->traffic : nullptr);
    for (const NodeId node : use.network.dead_nodes()) run_.stop_node(node, 0);
  }

  bool done() const override { return run_.finished() || overloaded(); }
  std::optional<MessageProgress> progress() const override { return run_.progress(); }
  std::uint64_t failed() const override {
    return run_.failed() + (overlapped_ ? overlapped_->schedule.failed() : 0);
  }
  void node_died(NodeId node, Cycle cycle) override {
    run_.stop_node(node, cycle + 1);
    if (overlapped_) overlapped_->schedule.stop_node(node, cycle + 1);
  }
  std::vector<std::string> notes() const override;
  std::vector<std::string> end_notes() const override;
  std::span<const FlowDescription> flows() const override { return flows_; }
  std::uint32_t flow_sent(NodeId node) const override { return player_.flow_sent(node); }
  void set_classes(const std::vector<std::uint8_t>& by_flow) override { player_.set_classes(by_flow); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }
  void fill(Results&) const override;
  std::string incomplete() const override;

 private:
  bool overloaded() const { return overlapped_ && overlapped_->schedule.overloaded(); }
  std::uint32_t flit_bytes() const { return fabric_.context().hardware.link.flit_bytes; }
  CollectiveResults results_of(std::size_t collective) const;

  const Configuration& configuration_;
  ConfiguredNetwork& network_;
  Fabric& fabric_;
  double clock_hz_;
  std::vector<FlowDescription> flows_;
  CollectiveRun run_;
  std::unique_ptr<OverlappedFlows> overlapped_;  ///< null: none
  MessagePlayer player_;
  MessageReceiver receiver_;
};

CollectiveResults CollectivesWorkload::results_of(std::size_t collective) const {
  const PlannedCollective& c = run_.collectives()[collective];
  const CollectiveCounts& counts = run_.counts(collective);
  CollectiveResults r;
  r.name = c.name;
  r.collective = c.kind->operation->name;
  r.algorithm = c.kind->algorithm;
  r.members = c.members.size();
  r.bytes = c.bytes;
  r.repetitions = c.repetitions;
  r.completed = counts.completed;
  r.messages = counts.messages;
  r.lost = counts.failed;
  r.wrong = counts.wrong_slots;
  r.missing = run_.missing(collective, [&](NodeId node) { return fabric_.topology().router_name(node); });
  if (counts.begin != kNever) r.begin = counts.begin;
  if (counts.completed == 0) return r;
  r.end = counts.end;
  r.time = static_cast<double>(counts.time_sum) / static_cast<double>(counts.completed);
  r.time_max = counts.time_max;
  if (counts.time_sum == 0) return r;
  r.algorithm_bandwidth = static_cast<double>(c.bytes) / *r.time;
  r.bus_bandwidth = *r.algorithm_bandwidth * c.kind->operation->bus_factor(static_cast<double>(r.members));
  r.bus_flits = *r.bus_bandwidth / flit_bytes();
  r.algorithm_bytes_per_second = *r.algorithm_bandwidth * clock_hz_;
  r.bus_bytes_per_second = *r.bus_bandwidth * clock_hz_;
  return r;
}

void CollectivesWorkload::fill(Results& results) const {
  results.collectives.emplace();
  for (std::size_t i = 0; i < run_.collectives().size(); ++i) {
    results.collectives->list.push_back(results_of(i));
    results.contract.violations += results.collectives->list.back().wrong;
  }
  for (const WrongContents& wrong : run_.wrong()) {
    Violation v;
    v.what = formatted(
        "collective %1%, repetition %2%: slot %3% is not the result; a contribution is missing or "
        "counted twice",
        run_.collectives()[wrong.collective].name, wrong.repetition, wrong.slot);
    v.node = wrong.node;
    v.cycle = wrong.cycle;
    results.contract.first.push_back(std::move(v));
  }
}

std::vector<std::string> CollectivesWorkload::notes() const {
  std::vector<std::string> notes;
  if (overlapped_) notes = flows_notes(overlapped_->traffic, configuration_, network_, kNever);
  for (const ListedFields::Field& group : unnamed_groups(configuration_))
    notes.push_back(place_prefix(group.place) + "traffic.groups: " + escaped_text(shown_value(group.key)) +
                    " has no effect, because no collective names it; remove it");
  return notes;
}

std::vector<std::string> CollectivesWorkload::end_notes() const {
  std::vector<std::string> notes;
  if (!overlapped_) return notes;
  for (const auto& flow : overlapped_->traffic.flows())
    if (flow->start >= fabric_.next_cycle())
      notes.push_back(formatted(
          "%1%flow %2% starts in cycle %3%, but the run ended in cycle %4%, with the last "
          "message of the collectives: it sent nothing; let it start earlier",
          place_prefix(flow->descriptions.front().class_place),
          escaped_text(shown_value(flow->descriptions.front().name)), flow->start, fabric_.next_cycle() - 1));
  return notes;
}

std::string CollectivesWorkload::incomplete() const {
  if (overloaded())
    return formatted(
        "flows overload the network: more than %1% of their messages per node have not arrived, and "
        "collectives wait behind them; lower the rates of the flows",
        WithBackground::kMostWaiting);
  std::uint64_t open = 0, all = 0;
  std::string first;
  for (std::size_t i = 0; i < run_.collectives().size(); ++i) {
    const CollectiveResults r = results_of(i);
    all += r.repetitions;
    open += r.repetitions - r.completed;
    if (first.empty() && !r.missing.empty()) first = escaped_text(r.name) + ", " + r.missing;
  }
  if (open == 0) return "";
  return formatted("%1% of %2% of collectives %3% not complete; %4%", open, counted(all, "repetition"),
                   all == 1 ? "is" : "are", first);
}

std::string collectives_description(const TrafficSettings& traffic) {
  const std::string collectives =
      counted(traffic.options.collectives(kCollectivesOption).size(), "collective");
  return has_flows(traffic) ? collectives + " over " + flows_description(traffic) : collectives;
}

LongestMessage check_collectives(const Configuration& c, const Topology& topology,
                                 const HardwareParameters& hardware) {
  GivenKeys given;
  if (has_flows(c.traffic)) given = flow_keys();
  given.erase("traffic.noxim_table");  // its cycles are those of the measured window
  for (const char* const key : {"traffic.collectives", "traffic.groups", "traffic.clock_mhz"}) given[key];
  given["traffic.load"] = "0";
  refuse_keys(c, c.traffic, given, "with traffic.collectives, which say what is sent");
  refuse_phases(c, "with traffic.collectives: a run lasts and is measured from cycle 0 to the last message");
  std::uint32_t longest = 1;
  for (const PlannedCollective& one : planned(c, topology, hardware.link.flit_bytes))
    longest = std::max(longest, one.length);
  const LongestMessage of_collectives = {longest, "traffic.collectives",
                                         "lower the bytes of the collectives"};
  if (!has_flows(c.traffic)) return of_collectives;
  const std::uint32_t of_flows = FlowTraffic(c, topology, hardware).longest();
  if (of_flows <= longest) return of_collectives;
  return {of_flows, "traffic.flows", "shorten the messages of the flows"};
}

}  // namespace

WorkloadEntry collectives_workload() {
  return {.to_its_end = true,
          .receives = true,
          .options = {&kCollectivesOption, &kGroupsOption},
          .file_keys = flow_file_keys(),
          .chosen =
              [](const TrafficSettings& traffic) {
                return !traffic.options.collectives(kCollectivesOption).empty();
              },
          .description = collectives_description,
          .files = flows_files,
          .check = check_collectives,
          .flows =
              [](const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
                const std::vector<PlannedCollective> collectives =
                    planned(c, topology, hardware.link.flit_bytes);
                if (!has_flows(c.traffic)) return descriptions(collectives, nullptr);
                const FlowTraffic flows(c, topology, hardware);
                return descriptions(collectives, &flows);
              },
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<CollectivesWorkload>(use);
          }};
}

}  // namespace flitmend
