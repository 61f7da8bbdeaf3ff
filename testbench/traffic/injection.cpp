// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/injection.h"

#include <algorithm>
#include <cmath>

#include "base/random_stream.h"
#include "base/text.h"

namespace flitmend {

double InjectionContext::probability(const char* load_key, double flits) const {
  const double p = flits / mean_length;
  if (p > kTolerance)
    throw KeyError(
        load_key,
        formatted("%g flits per cycle in messages of %g flits are %g messages per cycle, but "
                  "injection %s creates at most one; use a lower load, longer messages, or injection "
                  "poisson",
                  flits, mean_length, p, settings.injection));
  return std::min(p, 1.0);
}

#define FLITMEND_INJECTION(x) InjectionEntry x##_injection();
#include "testbench/traffic/injection_processes.def"
#undef FLITMEND_INJECTION

const Registry<InjectionEntry>& injection_processes() {
  static const Registry<InjectionEntry> registry("injection process", [] {
    std::vector<InjectionEntry> all;
#define FLITMEND_INJECTION(x) all.push_back(x##_injection());
#include "testbench/traffic/injection_processes.def"
#undef FLITMEND_INJECTION
    return all;
  }());
  return registry;
}

Cycle BernoulliInjection::next() {
  trials_ = later(trials_, random_.geometric(probability_));
  return trials_ == kNever ? kNever : trials_ - 1;
}

InjectionEntry bernoulli_injection() {
  return {
      .name = "bernoulli",
      .description = "one message per cycle with a fixed probability",
      .gap_variation = 1,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<BernoulliInjection>(c.probability("traffic.load", c.load), random);
      },
      .most = [](const InjectionContext& c) { return std::min(c.limit, c.mean_length); },
  };
}

Cycle PoissonInjection::next() {
  const double ahead = fraction_ - std::log1p(-random_.uniform()) / rate_;
  const double whole = std::floor(ahead);
  fraction_ = ahead - whole;
  return cycle_ =
             later(cycle_, whole < static_cast<double>(kEndOfTime) ? static_cast<Cycle>(whole) : kEndOfTime);
}

InjectionEntry poisson_injection() {
  return {
      .name = "poisson",
      .description = "exponential gaps in continuous time, rounded down to cycles",
      .gap_variation = 1,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        return std::make_unique<PoissonInjection>(c.messages_per_cycle(), random);
      },
  };
}

FixedIntervalInjection::FixedIntervalInjection(Fraction length, Fraction load, double phase) {
  constexpr double kPhases = 0x1.0p53;
  const Ticks whole = Ticks(length.numerator) * load.denominator;  // an interval of phase 1
  per_cycle_ = Ticks(length.denominator) * load.numerator * static_cast<std::uint64_t>(kPhases);
  interval_ = split(whole * static_cast<std::uint64_t>(kPhases));
  next_ = split(whole * static_cast<std::uint64_t>(phase * kPhases));
}

FixedIntervalInjection::Time FixedIntervalInjection::split(const Ticks& ticks) const {
  const Ticks cycles = ticks / per_cycle_;
  return {cycles >= kEndOfTime ? kEndOfTime : static_cast<Cycle>(cycles), ticks % per_cycle_};
}

Cycle FixedIntervalInjection::next() {
  const Cycle cycle = next_.cycles;
  if (cycle >= kEndOfTime) return kNever;
  next_.cycles += interval_.cycles;
  next_.rest += interval_.rest;
  if (next_.rest >= per_cycle_) {
    next_.rest -= per_cycle_;
    ++next_.cycles;
  }
  return cycle;
}

namespace {

constexpr Choice kPhases[] = {
    {"random", "at a random time within the first interval, different for each node"},
    {"zero", "in cycle 0 at all nodes"}};
constexpr OptionKey kPhaseOption{
    .key = {"interval_phase", "", "First message of a node (fixed-interval).", kAlways},
    .values = OptionKey::Word{.initial = "random", .choices = kPhases}};

}  // namespace

InjectionEntry fixed_interval_injection() {
  return {
      .name = "fixed-interval",
      .description = "equal gaps",
      .options = {&kPhaseOption},
      .examples = {{.options = {{"interval_phase", "zero"}}}},
      .gap_variation = 0,
      .make = [](const InjectionContext& c, RandomStream random) -> std::unique_ptr<InjectionProcess> {
        const double phase = c.settings.options.word(kPhaseOption) == "zero" ? 0 : random.uniform();
        return std::make_unique<FixedIntervalInjection>(simplest_fraction(c.mean_length),
                                                        simplest_fraction(c.load), phase);
      },
  };
}

namespace {

constexpr const char* kBurstLoad = "traffic.burst_load";
constexpr OptionKey kBurstLengthOption{
    .key = {"burst_length", "cycles", "Mean length of a burst (bursty).", kAlways},
    .values = OptionKey::Real{.initial = 50, .range = {1, 1e12}}};
constexpr OptionKey kBurstLoadOption{
    .key = {"burst_load", "flits",
            "Flits per cycle that a node offers within a burst (bursty); the mean over bursts and pauses is "
            "load.",
            kAlways},
    .values = OptionKey::Real{.initial = 1, .range = {1e-6, 64}}};

std::unique_ptr<InjectionProcess> make_bursty(const InjectionContext& c, RandomStream random) {
  constexpr double kTolerance = InjectionContext::kTolerance;
  const double burst_load = c.settings.options.real(kBurstLoadOption);
  const double burst_length = c.settings.options.real(kBurstLengthOption);
  if (burst_load > c.limit * kTolerance)
    throw KeyError(kBurstLoad, formatted("%g flits per cycle are more than a node can inject, %g; lower it",
                                         burst_load, c.limit));
  if (c.load > burst_load * kTolerance)
    throw KeyError(
        kBurstLoad,
        formatted("%g flits per cycle within bursts are less than the mean load of %g flits per cycle; "
                  "raise burst_load or lower load",
                  burst_load, c.load),
        {"traffic.load"});
  if (!(burst_length >= 1))
    throw KeyError("traffic.burst_length", formatted("%g cycles; it must be at least 1", burst_length));
  BurstyInjection::Parameters p;
  p.probability = c.probability(kBurstLoad, burst_load);
  p.burst_cycles = burst_length;
  const double pause_share = burst_load / c.load - 1;  // cycles of pause per cycle of burst
  p.pause_cycles = pause_share > 1e-9 ? p.burst_cycles * pause_share : 0;
  if (p.pause_cycles > 0 && p.pause_cycles < 1) {
    // A pause lasts at least one cycle, so near burst_load the bursts become longer instead.
    p.pause_cycles = 1;
    p.burst_cycles = 1 / pause_share;
  }
  return std::make_unique<BurstyInjection>(p, random);
}

}  // namespace

BurstyInjection::BurstyInjection(const Parameters& parameters, RandomStream random)
    : parameters_(parameters), random_(random) {
  if (parameters_.pause_cycles <= 0) {
    burst_end_ = kNever;
    return;
  }
  // The Markov chain starts in its stationary state; the rest of a geometric length is geometric too.
  const double in_burst = parameters_.burst_cycles / (parameters_.burst_cycles + parameters_.pause_cycles);
  if (random_.uniform() < in_burst)
    burst_end_ = random_.geometric(1 / parameters_.burst_cycles);
  else
    burst_end_ = 0;
}

Cycle BurstyInjection::next() {
  // Trials count only cycles of bursts; pauses are skipped.
  Cycle trials = random_.geometric(parameters_.probability);
  while (trials > burst_end_ - cycle_) {
    trials -= burst_end_ - cycle_;
    cycle_ = later(burst_end_, random_.geometric(1 / parameters_.pause_cycles));
    burst_end_ = later(cycle_, random_.geometric(1 / parameters_.burst_cycles));
    if (burst_end_ == kNever) return cycle_ = kNever;
  }
  cycle_ += trials;
  return cycle_ - 1;
}

InjectionEntry bursty_injection() {
  return {
      .name = "bursty",
      .description = "bursts with load burst_load and mean length burst_length, with pauses between them",
      .options = {&kBurstLengthOption, &kBurstLoadOption},
      .examples = {{.options = {{"burst_length", 20.0}}}, {.options = {{"burst_load", 0.999}}}},
      .gap_variation = 6,
      .make = make_bursty,
      .most =
          [](const InjectionContext& c) {
            return std::min(c.limit, c.settings.options.real(kBurstLoadOption));
          },
  };
}

}  // namespace flitmend
