// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "testbench/configuration/configuration.h"
#include "topologies/topology.h"

namespace flitmend {

/// What events.csv says, by part and by message. Nothing about the file is assumed.
struct FaultEvents {
  /// A part out of action.
  struct Outage {
    std::string part;  ///< router_3_4, or router_3_4.east: the channel that leaves there
    std::uint64_t from = 0;
    std::optional<std::uint64_t> to;  ///< none: never repaired
    bool dead = false;                ///< from the start, or permanently
  };
  /// A message that a fault hit.
  struct Hit {
    std::string name;  ///< "message 5 of router_3_0 to router_7_0"
    std::uint64_t created = 0;
    std::uint64_t hit = 0;
    std::vector<std::uint64_t> resends;
    std::optional<std::uint64_t> end;
    std::string fate;  ///< recovered, lost, undeliverable, void; empty: open when the log ended
  };
  std::vector<Outage> outages;  ///< in the order in which they began
  std::vector<Hit> hits;
  std::uint64_t last = 0;  ///< cycle of the last event
  std::uint64_t unreadable_lines = 0;
};

/// None if there is no such file.
std::optional<FaultEvents> read_fault_events(const std::filesystem::path&);

/// The outages that follow from the configuration of a run of `cycles` cycles: those from the start, drawn
/// at random or not, and those of faults.events, in the order in which they began. Faults by rate or aim are
/// only in events.csv, not in this list. The topology is the configuration's. Empty if the configuration
/// names parts that this topology does not have.
std::vector<FaultEvents::Outage> certain_outages(const Configuration&, const Topology&, std::uint64_t cycles);

}  // namespace flitmend
