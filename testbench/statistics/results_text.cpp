// SPDX-License-Identifier: Apache-2.0
#include <boost/format.hpp>
#include <locale>

#include "base/text.h"
#include "testbench/statistics/results.h"

namespace flitmend {
namespace {

// Independent of the locale that the program runs in.
boost::format text(const char* pattern) {
  return boost::format(pattern, std::locale::classic());
}

std::string fixed(const std::optional<double>& number, int digits) {
  if (!number) return "-";
  const std::string pattern = "%." + std::to_string(digits) + "f";
  return (text(pattern.c_str()) % *number).str();
}

std::string whole(const std::optional<std::uint64_t>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string latency_row(const char* name, const LatencyResults& r) {
  return (text("%-16s %10d %10s %9s %8s %8s %8s %8s\n") % name % r.count % fixed(r.mean, 2) %
          fixed(r.ci95, 2) % whole(r.p50) % whole(r.p95) % whole(r.p99) % whole(r.max))
      .str();
}

/// A line that says why the mean has no interval; empty if it has one.
std::string interval_text(const char* name, const LatencyResults& r) {
  if (r.ci95 || r.count == 0) return "";
  return (text("             no interval of %s: %s\n") % name % r.ci95_reason).str();
}

std::string messages_text(const MessageResults& m) {
  std::string out =
      (text("messages     %d generated = %d delivered + %d lost + %d undeliverable + %d in flight\n") %
       m.generated % m.delivered % m.lost % m.undeliverable % m.in_flight)
          .str();
  if (m.discarded) out += (text("             %d of the lost discarded by a reset\n") % m.discarded).str();
  if (m.abandoned)
    out += (text("             %d of the undeliverable abandoned although they could have arrived later\n") %
            m.abandoned)
               .str();
  if (m.voided || m.hit) out += (text("             + %d void; %d hit by faults\n") % m.voided % m.hit).str();
  if (m.duplicated || m.corrupted)
    out += (text("             %d duplicated, %d corrupted\n") % m.duplicated % m.corrupted).str();
  if (m.absorptions)
    out += (text("             %s on the way to other nodes\n") % counted(m.absorptions, "absorption")).str();
  return out;
}

std::string management_text(const ManagementResults& m) {
  if (m.steps + m.restarts == 0) return "";
  return (text("management   %s, %s; sources stopped %s to drain and %s for new tables\n") %
          counted(m.steps, "step") % counted(m.restarts, "restart") % counted(m.drain_cycles, "cycle") %
          counted(m.recomputation_cycles, "cycle"))
      .str();
}

std::string vectors_text(const VectorResults& v) {
  return (text("vectors      %s, %s in all, the longest %d\n") % counted(v.exchanges, "exchange") %
          counted(v.cycles, "cycle") % v.longest)
      .str();
}

std::string traffic_text(const TrafficResults& t) {
  const std::optional<double> percent =
      t.normalised_accepted ? std::optional(*t.normalised_accepted * 100) : std::nullopt;
  return (text("traffic      offered %s, accepted %s flits per node per cycle (%s %% of capacity)\n") %
          fixed(t.offered, 4) % fixed(t.accepted, 4) % fixed(percent, 1))
      .str();
}

std::string latency_text(const LatencySection& l) {
  std::string out = (text("%-16s %10s %10s %9s %8s %8s %8s %8s\n") % "latency, cycles" % "messages" % "mean" %
                     "+-95 %" % "p50" % "p95" % "p99" % "max")
                        .str();
  out += latency_row("  total", l.total);
  out += latency_row("  network", l.network);
  if (l.corrupted.count) out += latency_row("  corrupted", l.corrupted);
  out += interval_text("total", l.total) + interval_text("network", l.network);
  return out;
}

std::string violation_text(const Violation& v) {
  std::string out = "             ";
  if (v.message) out += (text("message %d ") % *v.message).str();
  if (v.source) out += (text("of node %d ") % *v.source).str();
  if (v.destination) out += (text("to node %d") % *v.destination).str();
  if (v.message || v.source || v.destination) out += ": ";
  out += v.what;
  if (v.node) out += (text(", at node %d") % *v.node).str();
  if (v.cycle) out += (text(", cycle %d") % *v.cycle).str();
  return out + "\n";
}

std::string contract_text(const ContractResults& c) {
  if (c.holds) return "contract     holds\n";
  std::string out =
      (text("contract     BROKEN: %d violation%s\n") % c.violations % (c.violations == 1 ? "" : "s")).str();
  for (const Violation& v : c.first) out += violation_text(v);
  if (c.violations > c.first.size())
    out += (text("             … and %d more\n") % (c.violations - c.first.size())).str();
  return out;
}

std::string host_text(const HostResults& h) {
  const std::optional<double> millions =
      h.flit_hops_per_second ? std::optional(*h.flit_hops_per_second * 1e-6) : std::nullopt;
  return (text("host         %.2f s CPU, %s million flit-hops per second, %.1f MiB\n") % h.cpu_seconds %
          fixed(millions, 2) % (static_cast<double>(h.peak_rss_bytes) / (1 << 20)))
      .str();
}

}  // namespace

std::string to_text(const Results& r) {
  std::string out;
  if (r.status.outcome == RunOutcome::contract)
    out += "status       " + r.status.reason + "\n";
  else if (r.status.outcome != RunOutcome::complete)
    out += "status       cut short: " + r.status.reason + "\n";
  out += (text("simulation   %d cycles, %d of them measured; %d flit-hops\n") % r.simulation.cycles %
          r.simulation.measured_cycles % r.simulation.flit_hops)
             .str();
  out += messages_text(r.messages);
  out += traffic_text(r.traffic);
  out += (text("hops         %s channels per message\n") % fixed(r.hops.mean, 3)).str();
  out += latency_text(r.latency);
  if (r.management) out += management_text(*r.management);
  if (r.vectors) out += vectors_text(*r.vectors);
  for (const auto& statistic : r.optional) out += statistic->text();
  out += contract_text(r.contract);
  out += host_text(r.host);
  return out;
}

}  // namespace flitmend
