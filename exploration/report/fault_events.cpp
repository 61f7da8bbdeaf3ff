// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/fault_events.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <string_view>

#include "base/errors.h"
#include "testbench/faults/fault_plan.h"
#include "testbench/workloads/workload.h"

namespace flitmend {
namespace {

enum Column : std::size_t {
  kCycle,
  kEvent,
  kPart,
  kFault,
  kSource,
  kMessage,
  kDestination,
  kFlits,
  kCreated
};
using Cells = std::array<std::string_view, kCreated + 1>;

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                    : std::nullopt;
}

std::optional<Cells> split(std::string_view line) {
  Cells cells;
  for (std::string_view& cell : cells) {
    const std::size_t comma = line.find(',');
    if (comma == line.npos) return std::nullopt;
    cell = line.substr(0, comma);
    line.remove_prefix(comma + 1);
  }
  return cells;
}

class EventReader {
 public:
  FaultEvents read(std::istream& in) {
    std::string line;
    std::getline(in, line);  // the columns
    while (std::getline(in, line)) {
      const std::optional<Cells> cells = split(line);
      if (!cells || !take(*cells)) ++events_.unreadable_lines;
    }
    return std::move(events_);
  }

 private:
  bool take(const Cells& cells) {
    const std::optional<std::uint64_t> cycle = number(cells[kCycle]);
    if (!cycle) return false;
    events_.last = std::max(events_.last, *cycle);
    const std::string_view event = cells[kEvent];
    if (event == "fault" || event == "repair") return take_part(*cycle, event, cells);
    if (event == "violation") return true;
    return take_message(*cycle, event, cells);
  }
  bool take_part(std::uint64_t cycle, std::string_view event, const Cells& cells) {
    const std::string part(cells[kPart]);
    if (part.empty()) return false;
    const auto open = open_.find(part);
    if (event == "fault") {
      open_[part] = events_.outages.size();
      events_.outages.push_back({part, cycle, std::nullopt, cells[kFault] != "transient"});
      return true;
    }
    if (open == open_.end()) return false;
    events_.outages[open->second].to = cycle;
    open_.erase(open);
    return true;
  }
  bool take_message(std::uint64_t cycle, std::string_view event, const Cells& cells) {
    const auto created = number(cells[kCreated]);
    if (!created || cells[kSource].empty() || !number(cells[kMessage])) return false;
    const std::string key = std::string(cells[kSource]) + '/' + std::string(cells[kMessage]);
    const auto known = hits_.find(key);
    if (event == "hit") {
      hits_[key] = events_.hits.size();
      events_.hits.push_back({"message " + std::string(cells[kMessage]) + " of " +
                                  std::string(cells[kSource]) + " to " + std::string(cells[kDestination]),
                              *created,
                              cycle,
                              {},
                              std::nullopt,
                              ""});
      return true;
    }
    if (event != "resend" && event != "recovered" && event != "lost" && event != "undeliverable" &&
        event != "void")
      return false;
    if (known == hits_.end()) return true;  // no fault hit it
    FaultEvents::Hit& hit = events_.hits[known->second];
    if (event == "resend") {
      if (!hit.end) hit.resends.push_back(cycle);
    } else {
      hit.end = cycle;
      hit.fate = event;
    }
    return true;
  }

  FaultEvents events_;
  std::map<std::string, std::size_t> open_;  ///< outages that have not ended
  std::map<std::string, std::size_t> hits_;
};

/// The part of the plan that needs neither rates nor traffic. Random static faults have a stream of their
/// own.
FaultPlan certain_plan(const Configuration& c, const Topology& topology) {
  FaultSettings faults = c.faults;
  faults.node_rate = faults.link_rate = 0;
  faults.aim = {};
  FaultPlan plan(faults, topology, static_cast<std::uint64_t>(c.simulation.seed));
  if (!workload_of(c.traffic).to_its_end && c.simulation.drain && !faults.strike_in_drain)
    plan.last_strike_before(static_cast<std::uint64_t>(c.simulation.warmup + c.simulation.measure));
  return plan;
}

}  // namespace

std::optional<FaultEvents> read_fault_events(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return EventReader().read(in);
}

std::vector<FaultEvents::Outage> certain_outages(const Configuration& c, const Topology& topology,
                                                 std::uint64_t cycles) {
  std::vector<FaultEvents::Outage> outages;
  try {
    FaultPlan plan = certain_plan(c, topology);
    for (const FaultyPart& part : plan.static_faults())
      outages.push_back({part_name(part, topology), 0, std::nullopt, true});
    std::map<FaultyPart, std::size_t> open;
    while (cycles > 0 && plan.due(cycles - 1)) {
      const FaultAction action = plan.take();
      if (!action.repair) {
        open[action.part] = outages.size();
        outages.push_back({part_name(action.part, topology), action.cycle, std::nullopt, action.permanent});
      } else if (const auto outage = open.extract(action.part)) {
        outages[outage.mapped()].to = action.cycle;
      }
    }
  } catch (const ConfigurationError&) {
    outages.clear();
  }
  return outages;
}

}  // namespace flitmend
