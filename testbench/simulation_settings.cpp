// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation_settings.h"

#include <limits>

namespace flitmend {

Hierarchy SimulationSettings::hardware_hierarchy() const {
  return hierarchy == "full"      ? Hierarchy::full
         : hierarchy == "compact" ? Hierarchy::compact
                                  : Hierarchy::automatic;
}

void SimulationSettings::visit(SettingsVisitor& v) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 53;  // cycles; a double represents each value exactly
  constexpr double kLongestSeconds = 1e9;
  v.begin_section("simulation", "Phases, limits and seed of a run.");
  v.key({"warmup", "cycles", "Warm-up: cycles before the measured window.", kAlways}, warmup, {0, kLongest});
  v.key({"measure", "cycles", "Length of the measured window.", kAlways}, measure, {1, kLongest});
  v.key({"drain", "",
         "Whether the run continues after the measured window, with all sources stopped, until every message "
         "has arrived.",
         kAlways},
        drain);
  v.key({"seed", "", "Seed of the random numbers. The same configuration and seed give the same results.",
         kAlways},
        seed, {0, std::numeric_limits<std::int64_t>::max()});
  v.key(
      {"hierarchy", "", "Which parts of the hardware are objects in the hierarchy of SystemC.", kAlways},
      hierarchy,
      {{"auto", "full in networks of up to 256 nodes, else compact"},
       {"full", "every module, virtual channel and register"},
       {"compact",
        "routers, network interfaces and the elements at them, but not their parts; needs half of the memory "
        "and elaborates faster"}});
  v.key({"threads", "",
         "Threads that evaluate the routers; auto: one per processor, while measuring finds that faster than "
         "one "
         "thread. No result depends on it.",
         KeyEffect::unless("recovery.protocol", "apcs fcr") &&
             KeyEffect::unless("deadlock.recovery", "disha") &&
             KeyEffect::unless("router.switching", "pipelined-circuit")},
        threads);
  v.key({"max_cycles", "cycles", "The run stops after this many cycles, unfinished; 0: no limit.", kAlways},
        max_cycles, {0, kLongest});
  v.key({"progress_limit", "cycles",
         "With its sources stopped, or with a workload that runs to its end, the run stops, unfinished, if "
         "messages are under way but none arrives or is abandoned for this many cycles. Cycles in which a "
         "repair is certain to come do not count, unless random faults strike for the rest of the run; 0: no "
         "limit.",
         KeyEffect::only_with("simulation.drain", "true")},
        progress_limit, {0, kLongest});
  v.key({"time_limit_seconds", "seconds",
         "The run stops after this wall-clock time, unfinished; 0: no limit. With "
         "`flitmend run`, the deadlock check before the run may take as long again.",
         kAlways},
        time_limit_seconds, {0, kLongestSeconds});
  v.end_section();
}

}  // namespace flitmend
