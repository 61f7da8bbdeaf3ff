// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "base/random_stream.h"
#include "base/registry.h"
#include "rtl_tlm/signals/message.h"
#include "testbench/traffic/settings.h"

namespace flitmend {

/// Decides when one node creates messages, not what they are. A process draws the gap to the next message at
/// once, so that a source can sleep until then.
class InjectionProcess {
 public:
  virtual ~InjectionProcess() = default;
  /// Cycle of the next message, never before the previous one; some processes create several in one cycle.
  /// kNever: no more messages.
  virtual Cycle next() = 0;

 protected:
  /// Gaps and cycles from this value on count as never.
  static constexpr Cycle kEndOfTime = Cycle{1} << 62;
  /// cycle + gap; kNever if that is beyond the limit.
  static Cycle later(Cycle cycle, Cycle gap) {
    return cycle >= kEndOfTime || gap >= kEndOfTime - cycle ? kNever : cycle + gap;
  }
};

/// Parameters of an injection process.
struct InjectionContext {
  const TrafficSettings& settings;
  double load = 0;         ///< flits per cycle of one node, > 0
  double mean_length = 1;  ///< flits
  double limit = 1;        ///< flits per cycle that a node can inject

  /// Tolerance for the rounding of a load that is given as a share of capacity.
  static constexpr double kTolerance = 1 + 1e-9;

  double messages_per_cycle() const { return load / mean_length; }
  /// The probability of a message in a cycle that offers `flits`, for processes that create at most one
  /// message per cycle. Throws KeyError about that key ("traffic.load") if it is above 1.
  double probability(const char* load_key, double flits) const;
};

/// An injection process that a configuration can name: defined in a file of this folder, listed in
/// testbench/traffic/injection_processes.def.
struct InjectionEntry {
  std::string_view name;
  std::string_view description;
  std::vector<const OptionKey*> options = {};  ///< of section traffic, that it reads
  std::vector<TrafficSettings> examples = {};  ///< values of its options that the generic tests go through
  /// Standard deviation of the gaps between messages over their mean: at most this, with default options and
  /// with those of the examples.
  double gap_variation;
  /// The process of one node, with its own random numbers. Throws ConfigurationError if the process cannot
  /// offer this load.
  std::unique_ptr<InjectionProcess> (*make)(const InjectionContext&, RandomStream);
  /// The highest load, in flits per cycle, that it can offer to a node with this limit; ignores `load`.
  double (*most)(const InjectionContext&) = [](const InjectionContext& c) { return c.limit; };
};

const Registry<InjectionEntry>& injection_processes();

}  // namespace flitmend
