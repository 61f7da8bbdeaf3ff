// SPDX-License-Identifier: Apache-2.0
// What a view of waves shows first: a fault and the message that it hit, or a deadlock.
#pragma once
#include <vector>

#include "protocols/deadlock/watchdog.h"
#include "testbench/faults/fault_injector.h"
#include "testbench/recording/fault_path.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/results.h"
#include "traces/waves/wave_settings.h"
#include "traces/waves/wave_story.h"

namespace flitmend {

/// The virtual channels of a deadlock's cycle, in its order.
std::vector<WaitingVcResults> waiting_vcs(const FoundDeadlock&, const Fabric&);

/// Follows the first message that a fault hits in the cycles that waves record.
class RecordedFault {
 public:
  /// All must outlive the run. Before the simulation starts.
  RecordedFault(const WaveSettings&, Fabric&, Scoreboard&, FaultInjector&);

  /// The part that failed, the routers around it, the flits of the message channel by channel, and the
  /// control lines that were raised for it. Without a message that was hit: no rows and no moments.
  WaveStory story() const;

 private:
  const Fabric& fabric_;
  FaultStory story_;
  FaultPath path_;
};

/// The virtual channels that wait for each other. `since`: the deadlock is not older.
WaveStory deadlock_wave_story(const std::vector<WaitingVcResults>& cycle, Cycle since, const Topology&);

}  // namespace flitmend
