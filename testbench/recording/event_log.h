// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/faults/fault_observer.h"
#include "testbench/recording/log_file.h"
#include "testbench/scoreboard/scoreboard.h"
#include "topologies/topology.h"

namespace flitmend {

/// Writes events.csv: one line per fault, repair, and message hit, sent again, recovered, lost,
/// undeliverable, void or delivered wrongly, in the order in which they happen. The columns are in
/// docs/recovery.md.
class EventLog final : public ScoreboardObserver, public FaultObserver, public PacketObserver {
 public:
  /// Creates the file with its header. Throws WriteError.
  EventLog(const std::filesystem::path&, const Topology&);

  /// Parts that are faulty from the start.
  void record_static(const std::vector<FaultyPart>&);
  /// Why the log ends before the run; empty if it does not.
  const std::string& failure() const { return file_.failure(); }

  void part_failing(const FaultyPart&, bool permanent, Cycle) override;
  void part_repaired(const FaultyPart&, Cycle) override;
  void message_hit(MessageIndex, const Message&, Cycle) override;
  void message_resent(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;
  void message_lost(MessageIndex, const Message&, Cycle) override;
  void message_undeliverable(MessageIndex, const Message&, Cycle) override;
  void message_void(MessageIndex, const Message&, Cycle) override;
  void violated(const Violation&) override;

 private:
  void part_event(Cycle, const char* event, const FaultyPart&, const char* kind);
  void message_event(Cycle, const char* event, const Message&);

  const Topology& topology_;
  LogFile file_;
};

}  // namespace flitmend
