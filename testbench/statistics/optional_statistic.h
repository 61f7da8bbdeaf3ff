// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/registry.h"
#include "rtl_tlm/signals/message.h"
#include "testbench/statistics/results_visitor.h"
#include "topologies/topology.h"

namespace flitmend {

/// The measured window: cycles begin ≤ c < end. end = kNever: until the end of the run.
struct MeasuredWindow {
  Cycle begin = 0;
  Cycle end = kNever;
  bool contains(Cycle c) const { return begin <= c && c < end; }
};

class CycleObserver;
class Fabric;

/// The run that a statistic is collected in.
struct StatisticContext {
  const Topology& topology;  ///< until finish() returns: results may outlive it
  MeasuredWindow window;
  std::uint64_t number = 0;  ///< the value of its key, if that is a number
};

/// A statistic that a run collects if the configuration requests it: one more section, or list, of
/// stats.json. It is told about messages, and may read the fabric's own counters at the edges of the measured
/// window, or look at it after every cycle, so that there is no cost per flit. What it reports must not
/// depend on the order of calls within one cycle. Allocates only when constructed and at the end.
class OptionalStatistic {
 public:
  OptionalStatistic() = default;
  OptionalStatistic(const OptionalStatistic&) = delete;
  OptionalStatistic& operator=(const OptionalStatistic&) = delete;
  virtual ~OptionalStatistic() = default;

  /// A message entered its source queue.
  virtual void message_created(const Message&) {}
  /// The last flit of a message was consumed in this cycle; called once per message.
  virtual void message_delivered(const Message&, Cycle) {}
  /// From cycle `from` on, this many nodes are not permanently dead (initially all); `from` never decreases.
  /// Called for the end of the run, too.
  virtual void processing_elements(NodeId count, Cycle from) {
    static_cast<void>(count);
    static_cast<void>(from);
  }
  /// What is to be told of every cycle; null: nothing is. Called once, before the first cycle; may allocate.
  virtual CycleObserver* cycle_observer(const Fabric&) { return nullptr; }
  /// Called once: the first measured cycle is next, or the run ended before it.
  virtual void window_begins(const Fabric&) {}
  /// Called once, before finish(): the last measured cycle is over, or the run is.
  virtual void window_ends(const Fabric&) {}
  /// The run is over; that many cycles were measured.
  virtual void finish(const Fabric&, Cycle measured_cycles) { static_cast<void>(measured_cycles); }

  /// Declares and visits its numbers: one section or list, with the name of its registry entry. Before
  /// finish() too: then its numbers are 0 or undefined.
  virtual void visit(ResultsVisitor&) const = 0;
  /// Lines for the summary on the terminal.
  virtual std::string text() const { return {}; }
};

/// An optional statistic: defined in its own file, listed in testbench/statistics/statistics.def. Its name is
/// a key of `statistics`, which requests it, and of stats.json.
struct StatisticEntry {
  std::string_view name;
  std::string_view description;  ///< of the key that requests it
  /// 0: its key is true or false. Else a number up to this one; 0 does not request it.
  std::uint64_t most = 0;
  std::unique_ptr<OptionalStatistic> (*make)(const StatisticContext&);
};

const Registry<StatisticEntry>& optional_statistics();

}  // namespace flitmend
