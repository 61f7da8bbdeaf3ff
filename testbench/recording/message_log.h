// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "testbench/recording/log_file.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/traffic/flow_description.h"

namespace flitmend {

/// Writes messages.csv: one line per message, in the order of arrival, and at the end those that have not
/// arrived, in the order of creation. The columns are in docs/workloads.md.
class MessageLog final : public ScoreboardObserver {
 public:
  /// flows, flow_sent: as in Workload; both outlive this. Creates the file with its header. Throws
  /// WriteError.
  MessageLog(const std::filesystem::path&, std::span<const FlowDescription> flows,
             std::function<std::uint32_t(NodeId)> flow_sent);

  void message_created(MessageIndex, const Message&) override;
  void message_held_back(const Message&) override;
  void message_injected(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;
  void message_hit(MessageIndex, const Message&, Cycle) override;
  void message_undeliverable(MessageIndex, const Message&, Cycle) override;
  void message_void(MessageIndex, const Message&, Cycle) override;
  void message_lost(MessageIndex, const Message&, Cycle) override;

  /// The run has ended, and the messages held back have been reported. `drained`: no message is under way, so
  /// that those without an end are lost. Once.
  void finish(bool drained);
  const std::string& failure() const { return file_.failure(); }

 private:
  struct Entry {
    Cycle created = 0, injected = kNever, arrived = kNever;
    NodeId source = 0, destination = 0;
    std::uint32_t id = 0, length = 0, flow = 0;
    std::uint16_t hops = 0;
    bool hit = false, held_back = false, open = false;
    const char* end = "";  ///< as in the file
  };
  static Entry entry_of(const Message&);
  /// Sets the end of a message, which may still arrive: a copy may be under way.
  void set_end(MessageIndex, const Message&, const char* end);
  /// The entry of a message that has not arrived; null: its descriptor has another message now.
  Entry* find(MessageIndex, const Message&);
  std::string line(const Entry&) const;
  void write_arrivals();

  std::vector<std::string> class_of_;  ///< by flow, as a CSV field
  std::vector<std::string> name_of_;   ///< likewise
  std::function<std::uint32_t(NodeId)> flow_sent_;
  LogFile file_;
  std::vector<Entry> entries_;   ///< by descriptor
  std::vector<Entry> rest_;      ///< that will not arrive
  std::vector<Entry> arrivals_;  ///< of the latest cycle with one
};

}  // namespace flitmend
