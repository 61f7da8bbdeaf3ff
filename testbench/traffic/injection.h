// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <memory>
#include <string_view>
#include <vector>

#include "base/fraction.h"
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

/// One message per cycle with probability p: gaps are geometric, mean 1/p, variance (1 − p)/p².
class BernoulliInjection : public InjectionProcess {
 public:
  BernoulliInjection(double probability, RandomStream random) : probability_(probability), random_(random) {}
  Cycle next() override;

 private:
  double probability_;
  RandomStream random_;
  Cycle trials_ = 0;  ///< cycles 0 … trials_ − 1 are decided
};

/// Arrivals at exponential gaps in continuous time, mean 1/rate. A message is created in the cycle in which
/// its arrival falls, so there may be several in one cycle.
class PoissonInjection : public InjectionProcess {
 public:
  PoissonInjection(double messages_per_cycle, RandomStream random)
      : rate_(messages_per_cycle), random_(random) {}
  Cycle next() override;

 private:
  double rate_;
  RandomStream random_;
  Cycle cycle_ = 0;
  double fraction_ = 0;  ///< of the cycle, 0 ≤ fraction < 1; separate, so that no digits are lost
};

/// Message i is created at cycle ⌊(phase + i) · interval⌋, exactly.
class FixedIntervalInjection : public InjectionProcess {
 public:
  /// The interval is length / load cycles, which need not be whole. 0 ≤ phase < 1, in multiples of 2^-53.
  FixedIntervalInjection(Fraction length, Fraction load, double phase);
  Cycle next() override;

 private:
  using Ticks = boost::multiprecision::uint256_t;  ///< multiples of 1 / per_cycle_ cycles
  struct Time {
    Cycle cycles = 0;  ///< kEndOfTime: too many
    Ticks rest;        ///< less than a cycle
  };
  Time split(const Ticks&) const;

  Ticks per_cycle_;
  Time interval_;
  Time next_;  ///< of the next message
};

/// On/off: in a burst one message per cycle with probability p, in a pause none. Bursts and pauses have
/// geometric lengths of at least one cycle. This is a Bernoulli process interrupted by a Markov chain with
/// two states.
class BurstyInjection : public InjectionProcess {
 public:
  struct Parameters {
    double probability = 1;   ///< of a message, per cycle of a burst, 0 < p ≤ 1
    double burst_cycles = 1;  ///< mean, ≥ 1
    double pause_cycles = 0;  ///< mean, ≥ 1; 0: the burst never ends
  };
  BurstyInjection(const Parameters&, RandomStream random);
  Cycle next() override;

 private:
  Parameters parameters_;
  RandomStream random_;
  Cycle cycle_ = 0;      ///< the first cycle of the burst that is not decided yet
  Cycle burst_end_ = 0;  ///< first cycle after the burst
};

}  // namespace flitmend
