// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include <algorithm>

#include "base/text.h"
#include "exploration/report/stored_stats.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBars = 60;      // of faults, and of messages, on the time line
constexpr std::size_t kMostPoints = 4000;  // in the picture of latencies

std::string mean_of(const StoredStats& stats, const char* latency) {
  return stats.text(std::string("latency.") + latency + ".mean", 4);
}

void add_fault_tiles(ReportPage& page, const StoredStats& stats) {
  page.tiles({
      {"Node faults", stats.text("faults.nodes"), "during the run"},
      {"Channel faults", stats.text("faults.channels"), "a link has two channels"},
      {"Hit", stats.text("messages.hit"), "messages"},
      {"Recovered", stats.text("messages.recovered"), "of them"},
      {"Lost", stats.text("messages.lost"),
       stats.text("messages.undeliverable") + " undeliverable, " + stats.text("messages.void") + " void"},
      {"Recovery time", mean_of(stats, "recovery"), "cycles from fault to delivery, mean"},
  });
}

/// Mean latency of the messages that no fault hit.
std::optional<double> mean_of_others(const StoredStats& stats) {
  const auto all = stats.number("latency.total.count"), mean = stats.number("latency.total.mean");
  if (!all || !mean) return std::nullopt;
  const double hit = stats.number("latency.corrupted.count").value_or(0);
  if (*all <= hit) return std::nullopt;
  return (*all * *mean - hit * stats.number("latency.corrupted.mean").value_or(0)) / (*all - hit);
}

void add_latency_table(ReportPage& page, const StoredStats& stats) {
  Table table{"Latency of hit messages and of the others, in cycles",
              {{"messages"},
               {"count", Table::right},
               {"mean", Table::right},
               {"50th percentile", Table::right},
               {"95th percentile", Table::right},
               {"99th percentile", Table::right},
               {"largest", Table::right}},
              {}};
  const auto row = [&](const std::string& name, const std::string& section) {
    std::vector<std::string> cells{name};
    for (const char* key : {"count", "mean", "p50", "p95", "p99", "max"})
      cells.push_back(stats.text("latency." + section + "." + key));
    table.rows.push_back(std::move(cells));
  };
  row("all", "total");
  const auto others = mean_of_others(stats);
  const double all = stats.number("latency.total.count").value_or(0);
  table.rows.push_back({"not hit", rounded_text(all - stats.number("latency.corrupted.count").value_or(0)),
                        others ? rounded_text(*others) : "–", "–", "–", "–", "–"});
  row("hit, from their creation", "corrupted");
  row("the same without those that the guard sent again", "corrupted_unguarded");
  row("hit, from the fault", "recovery");
  page.table(table, false);
}

std::string first_of(std::size_t shown, std::size_t all, const char* what) {
  return shown == all ? "" : formatted(" The first %1% of %2% %3%.", shown, all, what);
}

void add_time_line(ReportPage& page, const StoredStats& stats, const FaultEvents& events) {
  // Up to the last event, or over the whole run if all faults are there from the start and hit nothing.
  const std::uint64_t last = events.last > 0
                                 ? events.last
                                 : static_cast<std::uint64_t>(stats.number("simulation.cycles").value_or(0));
  Json outages = Json::array(), hits = Json::array();
  const std::size_t bars = std::min(events.outages.size(), kMostBars);
  const std::size_t messages = std::min(events.hits.size(), kMostBars);
  for (std::size_t i = 0; i < bars; ++i) {
    const FaultEvents::Outage& o = events.outages[i];
    outages.push_back({{"part", o.part}, {"from", o.from}, {"to", o.to.value_or(last)}, {"dead", o.dead}});
  }
  for (std::size_t i = 0; i < messages; ++i) {
    const FaultEvents::Hit& h = events.hits[i];
    hits.push_back({{"name", h.name},
                    {"from", h.hit},
                    {"to", h.end.value_or(last)},
                    {"fate", h.fate.empty() ? "open" : h.fate},
                    {"resends", h.resends}});
  }
  page.figure("timeline", "Time line of faults and recoveries",
              "Above: when parts of the network were out of action. Below: messages from the fault that hit "
              "them to their end, with a mark where they were sent again." +
                  first_of(bars, events.outages.size(), "faults") +
                  first_of(messages, events.hits.size(), "messages"),
              {{"outages", std::move(outages)}, {"hits", std::move(hits)}, {"last", last}});
}

void add_hit_latencies(ReportPage& page, const StoredStats& stats, const FaultEvents& events) {
  Json points = Json::array();
  std::size_t recovered = 0;
  for (const FaultEvents::Hit& h : events.hits) {
    if (h.fate != "recovered" || !h.end || *h.end < h.created) continue;
    if (recovered++ < kMostPoints)
      points.push_back({{"created", h.created},
                        {"latency", *h.end - h.created},
                        {"resends", h.resends.size()},
                        {"name", h.name}});
  }
  if (points.empty()) return;
  Json data{{"points", std::move(points)}, {"others", Json()}};
  if (const auto others = mean_of_others(stats)) data["others"] = *others;
  page.figure("hit_latency", "Latency of the messages that faults hit",
              "Each point is a message that a fault hit and that was delivered. The line is the mean latency "
              "of the others." +
                  first_of(std::min(recovered, kMostPoints), recovered, "messages"),
              std::move(data));
}

void add_sender_memory(ReportPage& page, const StoredStats& stats) {
  const Json* const bytes = stats.find("recovery.sender_memory.bytes");
  const auto cycles = stats.number("recovery.sender_memory.slice_cycles");
  if (!bytes || !bytes->is_array() || bytes->empty() || !cycles) return;
  Json slices = Json::array();
  for (std::size_t i = 0; i < bytes->size(); ++i)
    slices.push_back({{"cycle", static_cast<double>(i) * *cycles}, {"bytes", (*bytes)[i]}});
  slices.push_back({{"cycle", static_cast<double>(bytes->size()) * *cycles}, {"bytes", bytes->back()}});
  page.figure("sender_memory", "Memory of the senders",
              "What all nodes together kept to be able to send again: means of slices of the run.",
              {{"slices", std::move(slices)}});
}

void add_outages(ReportPage& page, const Topology* topology,
                 const std::vector<FaultEvents::Outage>& outages) {
  if (topology && !outages.empty()) add_fault_map(page, *topology, outages);
  Table table{"Faults", {{"part"}, {"from cycle", Table::right}, {"to cycle", Table::right}}, {}};
  constexpr std::size_t kMostOutages = 2000;
  for (std::size_t i = 0; i < std::min(outages.size(), kMostOutages); ++i) {
    const FaultEvents::Outage& o = outages[i];
    table.rows.push_back({o.part, std::to_string(o.from), o.to ? std::to_string(*o.to) : "–"});
  }
  page.table(table, true);
}

}  // namespace

void add_faults(ReportPage& page, const StoredStats& stats, const Topology* topology,
                const std::optional<FaultEvents>& events, const std::vector<FaultEvents::Outage>& certain) {
  page.heading("Faults");
  add_fault_tiles(page, stats);
  if (!events) {
    page.paragraph(
        "The run did not record when faults struck; statistics: {events: true} in the configuration does.");
    add_latency_table(page, stats);
    add_sender_memory(page, stats);
    if (certain.empty()) return;
    page.paragraph(
        "The faults below are those from the start and those that the configuration lists, without the "
        "random faults of the run.");
    add_outages(page, topology, certain);
    return;
  }
  if (events->unreadable_lines > 0)
    page.warning(formatted("Lines of events.csv that cannot be read: %1%.", events->unreadable_lines));
  if (!events->outages.empty()) add_time_line(page, stats, *events);
  add_hit_latencies(page, stats, *events);
  add_latency_table(page, stats);
  add_sender_memory(page, stats);
  add_outages(page, topology, events->outages);
}

}  // namespace flitmend
