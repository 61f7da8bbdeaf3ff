// SPDX-License-Identifier: Apache-2.0
// Requests and replies: traffic.mode closed-loop and batch.
#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "testbench/elements/message_player.h"
#include "testbench/traffic/closed_loop.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/permutation.h"
#include "testbench/workloads/refused_keys.h"
#include "testbench/workloads/workload.h"

namespace flitmend {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 53;
constexpr const char* kClosedModes = "closed-loop batch";
constexpr Choice kModes[] = {
    {"open-loop", "nodes create messages whether or not others have arrived"},
    {"closed-loop", "each node keeps requests outstanding, and sends the next one when a reply arrives"},
    {"batch", "the same for a number of requests of each node; the run lasts to the last reply"}};
constexpr OptionKey kModeOption{.key = {"mode", "", "What makes a node send; docs/workloads.md.", kAlways},
                                .values = OptionKey::Word{.initial = "open-loop", .choices = kModes}};
constexpr OptionKey kOutstandingOption{
    .key = {"outstanding", "requests", "Requests of a node without a reply, at most (closed-loop, batch).",
            KeyEffect::only_with("traffic.mode", kClosedModes)},
    .values = OptionKey::Number{.initial = 1, .range = {1, 65535}}};
constexpr OptionKey kReplyLengthOption{
    .key = {"reply_length", "flits",
            "Length of a reply (closed-loop, batch); 0: there are no replies, and a request ends when it "
            "arrives.",
            KeyEffect::only_with("traffic.mode", kClosedModes)},
    .values = OptionKey::Number{.initial = 5, .range = {0, kLongestMessage}}};
constexpr OptionKey kServiceOption{
    .key = {"service_time", "cycles", "From the arrival of a request to its reply (closed-loop, batch).",
            KeyEffect::only_with("traffic.mode", kClosedModes)},
    .values = OptionKey::Number{.initial = 0, .range = {0, kMostCount}}};
constexpr OptionKey kThinkOption{
    .key = {"think_time", "cycles", "From the arrival of a reply to the next request (closed-loop, batch).",
            KeyEffect::only_with("traffic.mode", kClosedModes)},
    .values = OptionKey::Number{.initial = 0, .range = {0, kMostCount}}};
constexpr OptionKey kRequestsOption{.key = {"requests", "", "Requests of each node that sends (batch).",
                                            KeyEffect::only_with("traffic.mode", "batch")},
                                    .values = OptionKey::Number{.initial = 1000, .range = {1, kMostCount}}};

std::string mode_of(const TrafficSettings& traffic) {
  return traffic.options.word(kModeOption);
}

ClosedLoopParameters parameters_of(const Configuration& c, MeasuredWindow window) {
  const OptionValues& options = c.traffic.options;
  const bool batch = mode_of(c.traffic) == "batch";
  return {.outstanding = static_cast<std::uint32_t>(options.number(kOutstandingOption)),
          .reply_length = static_cast<std::uint32_t>(options.number(kReplyLengthOption)),
          .service_time = static_cast<Cycle>(options.number(kServiceOption)),
          .think_time = static_cast<Cycle>(options.number(kThinkOption)),
          .requests = batch ? static_cast<std::uint64_t>(options.number(kRequestsOption)) : 0,
          .stop = !batch && c.simulation.drain ? window.end : kNever};
}

RoundTripResults round_trips_of(ClosedLoopCounts counts, NodeId requesters, std::uint64_t measured_cycles) {
  RoundTripResults r;
  r.requesters = requesters;
  r.finished = counts.finished_in_window;
  const double node_cycles = static_cast<double>(measured_cycles) * requesters;
  if (node_cycles > 0) {
    r.throughput = static_cast<double>(counts.finished_in_window) / node_cycles;
    r.outstanding = static_cast<double>(counts.outstanding_cycles) / node_cycles;
  }
  std::vector<std::uint64_t>& times = counts.round_trips;
  r.count = times.size();
  if (times.empty()) return r;
  std::ranges::sort(times);
  const auto percentile = [&](std::size_t percent) -> std::uint64_t {
    return times[(times.size() * percent + 99) / 100 - 1];
  };
  const auto number = static_cast<double>(times.size());
  r.mean = static_cast<double>(std::accumulate(times.begin(), times.end(), std::uint64_t{0})) / number;
  r.request_mean = static_cast<double>(counts.request_latencies) / number;
  r.reply_mean = static_cast<double>(counts.reply_latencies) / number;
  if (r.throughput) r.by_little = *r.throughput * (*r.mean + 1);  // outstanding to the end of its last cycle
  r.p50 = percentile(50);
  r.p95 = percentile(95);
  r.p99 = percentile(99);
  r.max = times.back();
  return r;
}

std::vector<FlowDescription> closed_loop_parts() {
  return {{.name = "requests", .message_class = "request"}, {.name = "replies", .message_class = "reply"}};
}

class ClosedLoopWorkload final : public Workload {
 public:
  explicit ClosedLoopWorkload(const WorkloadUse& use)
      : participants_(use.network.topology().node_count(), use.network.dead_nodes()),
        pattern_(make_pattern({use.network.topology(), use.configuration.traffic, participants_})),
        lengths_(length_distributions()
                     .at(use.configuration.traffic.length_distribution)
                     .make(use.configuration.traffic)),
        loop_(parameters_of(use.configuration, use.window), use.network.topology().node_count(), *pattern_,
              *lengths_, static_cast<std::uint64_t>(use.configuration.simulation.seed), use.window),
        player_("player", use.network.fabric(), use.payloads, loop_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)) {}

  bool done() const override { return loop_.finished(); }
  std::uint64_t failed() const override { return loop_.failed(); }
  void node_died(NodeId node, Cycle cycle) override { loop_.stop_node(node, cycle + 1); }
  std::span<const FlowDescription> flows() const override { return parts_; }
  std::uint32_t flow_sent(NodeId node) const override { return player_.flow_sent(node); }
  void set_classes(const std::vector<std::uint8_t>& by_flow) override { player_.set_classes(by_flow); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }
  void fill(Results& results) const override {
    results.round_trips = round_trips_of(loop_.counts(results.simulation.cycles), loop_.requesters(),
                                         results.simulation.measured_cycles);
  }

 private:
  const std::vector<FlowDescription> parts_ = closed_loop_parts();
  Participants participants_;
  std::unique_ptr<DestinationPattern> pattern_;
  std::unique_ptr<LengthDistribution> lengths_;
  ClosedLoop loop_;
  MessagePlayer player_;
};

std::string closed_loop_description(const TrafficSettings& traffic) {
  std::string text =
      formatted("%1% requests, %2% outstanding", traffic.pattern, traffic.options.number(kOutstandingOption));
  if (mode_of(traffic) == "batch")
    text += formatted(", %1% of each node", traffic.options.number(kRequestsOption));
  return text;
}

LongestMessage check_closed_loop(const Configuration& c, const Topology& topology,
                                 const HardwareParameters&) {
  const std::string mode = "traffic.mode " + mode_of(c.traffic);
  GivenKeys given = {
      {"traffic.mode", {}},         {"traffic.outstanding", {}},    {"traffic.reply_length", {}},
      {"traffic.service_time", {}}, {"traffic.think_time", {}},     {"traffic.pattern", {}},
      {"traffic.load", "0"},        {"traffic.message_length", {}}, {"traffic.length_distribution", {}},
      {"traffic.clock_mhz", {}}};
  if (mode_of(c.traffic) == "batch") given["traffic.requests"];
  for (const LengthEntry& lengths : length_distributions().entries())
    for (const OptionKey* option : lengths.options) given["traffic." + std::string(option->name())];
  for (const PatternEntry& pattern : traffic_patterns().entries())
    for (const OptionKey* option : pattern.options) given["traffic." + std::string(option->name())];
  refuse_keys(c, c.traffic, given, "with " + mode + ", in which a reply makes room for the next request");
  if (mode_of(c.traffic) == "batch")
    refuse_phases(c, "with " + mode + ": a run lasts and is measured from cycle 0 to the last reply");
  const Participants all(topology.node_count());
  make_pattern({topology, c.traffic, all});
  const std::uint32_t longest =
      length_distributions().at(c.traffic.length_distribution).make(c.traffic)->longest();
  const auto reply = static_cast<std::uint32_t>(c.traffic.options.number(kReplyLengthOption));
  if (reply > longest) return {reply, "traffic.reply_length", "shorten traffic.reply_length"};
  return {longest, "traffic.message_length", "shorten traffic.message_length"};
}

WorkloadEntry closed_loop_entry() {
  return {.file_keys = {"traffic.permutation_file"},
          .description = closed_loop_description,
          .files =
              [](const TrafficSettings& traffic) {
                const std::string file = traffic.options.word(kPermutationFileOption);
                return traffic.pattern != "permutation" || file.empty()
                           ? std::vector<InputFile>()
                           : std::vector<InputFile>{{"traffic.permutation_file", file}};
              },
          .check = check_closed_loop,
          .flows =
              [](const Configuration& c, const Topology&, const HardwareParameters&) {
                std::vector<FlowDescription> parts = closed_loop_parts();
                if (c.traffic.options.number(kReplyLengthOption) == 0) parts.pop_back();
                return parts;
              },
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<ClosedLoopWorkload>(use);
          }};
}

}  // namespace

WorkloadEntry closed_loop_workload() {
  WorkloadEntry entry = closed_loop_entry();
  entry.options = {&kModeOption, &kOutstandingOption, &kReplyLengthOption, &kServiceOption, &kThinkOption};
  entry.chosen = [](const TrafficSettings& traffic) { return mode_of(traffic) == "closed-loop"; };
  return entry;
}

WorkloadEntry batch_workload() {
  WorkloadEntry entry = closed_loop_entry();
  entry.to_its_end = true;
  entry.options = {&kRequestsOption};
  entry.chosen = [](const TrafficSettings& traffic) { return mode_of(traffic) == "batch"; };
  return entry;
}

}  // namespace flitmend
