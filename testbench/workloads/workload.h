// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_tlm/sockets/payload_pool.h"
#include "testbench/configured_network.h"
#include "testbench/files/input_files.h"
#include "testbench/progress_limit.h"
#include "testbench/traffic/classes.h"
#include "testbench/traffic/flow_description.h"

namespace flitmend {

/// What sends the messages of a run: TLM-2.0 initiators at the nodes.
class Workload {
 public:
  virtual ~Workload() = default;

  /// No more messages: every one has been handed over and, if the workload is measured to its end, has been
  /// delivered or abandoned.
  virtual bool done() const = 0;
  /// Progress of the messages that must end before the run does; none: all messages count.
  virtual std::optional<MessageProgress> progress() const { return {}; }
  /// Messages whose initiators saw a response other than TLM_OK_RESPONSE.
  virtual std::uint64_t failed() const = 0;
  /// A node has died permanently in that cycle.
  virtual void node_died(NodeId, Cycle) {}
  /// What messages are counted by; NewMessage::flow is an index. Empty: by nothing.
  virtual std::span<const FlowDescription> flows() const { return {}; }
  /// While a message of that node is reported as created or held back: its flow.
  virtual std::uint32_t flow_sent(NodeId) const { return 0; }
  /// While a message of that node is reported as created: its payload in bytes; 0: what its flow says, or
  /// what its data flits can carry.
  virtual std::uint32_t bytes_sent(NodeId) const { return 0; }
  /// The class of the messages of each flow, as an index of traffic.classes. Before the simulation starts;
  /// only if WorkloadEntry::flows.
  virtual void set_classes(const std::vector<std::uint8_t>& /*by_flow*/) {}
  /// Lines for the user before a run starts: keys without effect.
  virtual std::vector<std::string> notes() const { return {}; }
  /// At the end of a run that nothing has cut short: what the workload was to do and could not, because of
  /// dead nodes or lost messages; empty: it has done all.
  virtual std::string incomplete() const { return {}; }
  /// At the end of a run: lines for the user about what had no effect in it.
  virtual std::vector<std::string> end_notes() const { return {}; }
  /// At the end of a run: adds results of its own.
  virtual void fill(Results&) const {}
  /// At the end of a run: reports the messages that were created but not handed over because a source queue
  /// was full. Last call.
  virtual void tell_held_back(MessageObserver&) = 0;
};

/// What a workload is made for. All but `window` outlive it.
struct WorkloadUse {
  const Configuration& configuration;
  ConfiguredNetwork& network;
  PayloadPool& payloads;
  MeasuredWindow window;
};

/// The longest message that a workload sends.
struct LongestMessage {
  std::uint32_t flits = 1;  ///< head and tail included
  std::string_view key;     ///< what decides it: "traffic.message_length"
  std::string_view remedy;  ///< how messages become shorter: "shorten traffic.message_length"
};

struct WorkloadEntry {
  /// Measured from the first cycle until it is done, instead of for simulation.measure cycles.
  bool to_its_end = false;
  /// Its elements are the targets of the nodes, too.
  bool receives = false;
  std::vector<const OptionKey*> options = {};  ///< of section traffic, that it reads
  /// Its keys that can name a file whose content decides what is sent: "traffic.trace".
  std::vector<std::string_view> file_keys = {};
  /// Whether a configuration chooses it.
  bool (*chosen)(const TrafficSettings&) = nullptr;
  /// What it is, for reports: "uniform traffic, load 0.2 flits per node per cycle".
  std::string (*description)(const TrafficSettings&) = nullptr;
  /// The files that it reads, of file_keys.
  std::vector<InputFile> (*files)(const TrafficSettings&) = nullptr;
  /// Whether it is known without reading a file that every message has one flit.
  bool (*single_flits)(const TrafficSettings&) = [](const TrafficSettings&) { return false; };
  /// Refuses what it cannot send, and keys that have no effect with it. Reads its files. Throws KeyError.
  LongestMessage (*check)(const Configuration&, const Topology&, const HardwareParameters&) = nullptr;
  /// What its messages are counted by, as far as there are any, with their classes; null: its messages have
  /// no classes, and `why_no_classes` says how they can have some. After `check`.
  std::vector<FlowDescription> (*flows)(const Configuration&, const Topology&,
                                        const HardwareParameters&) = nullptr;
  std::string_view why_no_classes = {};
  /// Binds its initiators to the network's sockets. Before the simulation starts.
  std::unique_ptr<Workload> (*make)(const WorkloadUse&) = nullptr;
};

const std::vector<WorkloadEntry>& workloads();

/// Refuses classes of messages (traffic.classes) that the messages of a workload do not have, and messages
/// without a class. Throws KeyError.
void check_classes(const WorkloadEntry&, const MessageClasses&, const Configuration&, const Topology&,
                   const HardwareParameters&);
/// The class of each flow of a workload, an index of the classes.
std::vector<std::uint8_t> classes_of(std::span<const FlowDescription>, const MessageClasses&);

/// The workload that a configuration chooses.
const WorkloadEntry& workload_of(const TrafficSettings&);

}  // namespace flitmend
