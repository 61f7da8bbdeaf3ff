// SPDX-License-Identifier: Apache-2.0

#include "testbench/statistics/results.h"

#include <algorithm>

#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {
namespace {

std::string fixed(const std::optional<double>& number, int digits) {
  return number ? formatted(formatted("%%.%1%f", digits), *number) : "-";
}

std::string whole(const std::optional<std::uint64_t>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string latency_row(const char* name, const LatencyResults& r) {
  return formatted("%-16s %10d %10s %9s %8s %8s %8s %8s\n", name, r.count, fixed(r.mean, 2), fixed(r.ci95, 2),
                   whole(r.p50), whole(r.p95), whole(r.p99), whole(r.max));
}

/// A line that says why the mean has no interval; empty if it has one.
std::string interval_text(const char* name, const LatencyResults& r) {
  if (r.ci95 || r.count == 0) return "";
  return formatted("             no interval of %s: %s\n", name, r.ci95_reason);
}

std::string messages_text(const MessageResults& m) {
  std::string out =
      formatted("messages     %d generated = %d delivered + %d lost + %d undeliverable + %d in flight\n",
                m.generated, m.delivered, m.lost, m.undeliverable, m.in_flight);
  if (m.discarded) out += formatted("             %d of the lost discarded by a reset\n", m.discarded);
  if (m.abandoned)
    out +=
        formatted("             %d of the undeliverable abandoned although they could have arrived later\n",
                  m.abandoned);
  if (m.voided || m.hit) out += formatted("             + %d void; %d hit by faults\n", m.voided, m.hit);
  if (m.duplicated || m.corrupted)
    out += formatted("             %d duplicated, %d corrupted\n", m.duplicated, m.corrupted);
  if (m.absorptions)
    out += formatted("             %s on the way to other nodes\n", counted(m.absorptions, "absorption"));
  return out;
}

std::string management_text(const ManagementResults& m) {
  if (m.steps + m.restarts == 0) return "";
  return formatted("management   %s, %s; sources stopped %s to drain and %s for new tables\n",
                   counted(m.steps, "step"), counted(m.restarts, "restart"), counted(m.drain_cycles, "cycle"),
                   counted(m.recomputation_cycles, "cycle"));
}

std::string vectors_text(const VectorResults& v) {
  return formatted("vectors      %s, %s in all, the longest %d\n", counted(v.exchanges, "exchange"),
                   counted(v.cycles, "cycle"), v.longest);
}

std::string traffic_text(const TrafficResults& t) {
  const std::optional<double> percent =
      t.normalised_accepted ? std::optional(*t.normalised_accepted * 100) : std::nullopt;
  return formatted("traffic      offered %s, accepted %s flits per node per cycle (%s %% of capacity)\n",
                   fixed(t.offered, 4), fixed(t.accepted, 4), fixed(percent, 1));
}

std::string latency_text(const LatencySection& l) {
  std::string out = formatted("%-16s %10s %10s %9s %8s %8s %8s %8s\n", "latency, cycles", "messages", "mean",
                              "+-95 %", "p50", "p95", "p99", "max");
  out += latency_row("  total", l.total);
  out += latency_row("  network", l.network);
  if (l.corrupted.count) out += latency_row("  corrupted", l.corrupted);
  out += interval_text("total", l.total) + interval_text("network", l.network);
  return out;
}

/// The first flows, or the classes.
std::string waits_text(const FlowResults& r) {
  if (!r.waits) return "";
  std::string text = formatted("  %-14s longest wait %d grants, bound %s", escaped_text(r.name),
                               r.waits->longest, whole(r.waits->bound));
  if (r.waits->starvations > 0) text += formatted("; starved %d times", r.waits->starvations);
  return text + "\n";
}

std::string flows_text(const char* called, const std::vector<FlowResults>& all) {
  if (all.empty()) return "";
  constexpr std::size_t kMost = 20;
  std::string out = formatted("%-16s %10s %9s %9s %10s %8s %8s %8s\n", called, "messages", "offered",
                              "accepted", "mean", "p50", "p99", "max");
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    const FlowResults& r = all[i];
    out += formatted("  %-14s %10d %9s %9s %10s %8s %8s %8s%s\n", escaped_text(r.name), r.messages,
                     fixed(r.offered, 4), fixed(r.accepted, 4), fixed(r.mean, 2), whole(r.p50), whole(r.p99),
                     whole(r.max), r.missed.empty() ? "" : " missed its target");
  }
  if (all.size() > kMost) out += formatted("             … and %d more in stats.json\n", all.size() - kMost);
  for (const FlowResults& r : all) out += waits_text(r);
  return out;
}

std::string round_trips_text(const RoundTripResults& r) {
  return formatted(
      "round trips  %d, mean %s, p50 %s, p99 %s cycles; %s per requester per cycle, %s outstanding\n",
      r.count, fixed(r.mean, 2), whole(r.p50), whole(r.p99), fixed(r.throughput, 5), fixed(r.outstanding, 3));
}

std::string collectives_text(const std::vector<CollectiveResults>& all) {
  std::string out = formatted("%-16s %-24s %8s %10s %10s %10s %10s %10s\n", "collectives", "", "members",
                              "bytes", "completed", "cycles", "bytes/cyc", "bus");
  for (const CollectiveResults& r : all)
    out += formatted("  %-14s %-24s %8d %10d %10s %10s %10s %10s%s\n", escaped_text(r.name),
                     r.algorithm + " " + r.collective, r.members, r.bytes,
                     formatted("%d/%d", r.completed, r.repetitions), fixed(r.time, 1),
                     fixed(r.algorithm_bandwidth, 3), fixed(r.bus_bandwidth, 3),
                     r.wrong > 0         ? " wrong results"
                     : r.missing.empty() ? ""
                                         : " incomplete");
  return out;
}

std::string violation_text(const Violation& v) {
  std::string out = "             ";
  if (v.message) out += formatted("message %d ", *v.message);
  if (v.source) out += formatted("of node %d ", *v.source);
  if (v.destination) out += formatted("to node %d", *v.destination);
  if (v.message || v.source || v.destination) out += ": ";
  out += v.what;
  if (v.node) out += formatted(", at node %d", *v.node);
  if (v.cycle) out += formatted(", cycle %d", *v.cycle);
  return out + "\n";
}

std::string contract_text(const ContractResults& c) {
  if (c.holds) return "contract     holds\n";
  std::string out =
      formatted("contract     BROKEN: %d violation%s\n", c.violations, c.violations == 1 ? "" : "s");
  for (const Violation& v : c.first) out += violation_text(v);
  if (c.violations > c.first.size())
    out += formatted("             … and %d more\n", c.violations - c.first.size());
  return out;
}

std::string host_text(const HostResults& h) {
  const std::optional<double> millions =
      h.flit_hops_per_second ? std::optional(*h.flit_hops_per_second * 1e-6) : std::nullopt;
  return formatted("host         %.2f s CPU, %s million flit-hops per second, %.1f MiB\n", h.cpu_seconds,
                   fixed(millions, 2), static_cast<double>(h.peak_rss_bytes) / (1 << 20));
}

}  // namespace

std::string to_text(const Results& r) {
  std::string out;
  if (r.status.outcome == RunOutcome::contract)
    out += "status       " + r.status.reason + "\n";
  else if (r.status.outcome == RunOutcome::incomplete)
    out += "status       incomplete: " + r.status.reason + "\n";
  else if (r.status.outcome != RunOutcome::complete)
    out += "status       cut short: " + r.status.reason + "\n";
  out += formatted("simulation   %d cycles, %d of them measured; %d flit-hops\n", r.simulation.cycles,
                   r.simulation.measured_cycles, r.simulation.flit_hops);
  out += messages_text(r.messages);
  out += traffic_text(r.traffic);
  out += formatted("hops         %s channels per message\n", fixed(r.hops.mean, 3));
  out += latency_text(r.latency);
  if (r.management) out += management_text(*r.management);
  if (r.vectors) out += vectors_text(*r.vectors);
  for (const auto& statistic : r.optional) out += statistic->text();
  if (r.round_trips) out += round_trips_text(*r.round_trips);
  if (r.task_graph) out += r.task_graph->text();
  if (r.collectives) out += collectives_text(r.collectives->list);
  if (r.flows) out += flows_text("flows", r.flows->flows) + flows_text("classes", r.flows->classes);
  out += contract_text(r.contract);
  out += host_text(r.host);
  return out;
}

}  // namespace flitmend
