// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/injection_registry.h"

#include <algorithm>
#include <boost/format.hpp>

#include "testbench/traffic/bernoulli.h"
#include "testbench/traffic/bursty.h"
#include "testbench/traffic/fixed_interval.h"
#include "testbench/traffic/poisson.h"

namespace flitmend {
namespace {

using AnyInjection = std::unique_ptr<InjectionProcess>;
/// Tolerance for the rounding of a load that is given as a share of capacity.
constexpr double kTolerance = 1 + 1e-9;
constexpr const char* kBurstLoad = "traffic.burst_load";

/// A probability per cycle; at most one message per cycle can be created.
double probability(const InjectionContext& c, const char* load_key, double load) {
  const double p = load / c.mean_length;
  if (p > kTolerance)
    throw KeyError(
        load_key,
        str(boost::format("%g flits per cycle in messages of %g flits are %g messages per cycle, but "
                          "injection %s creates at most one; use a lower load, longer messages, or injection "
                          "poisson") %
            load % c.mean_length % p % c.settings.injection));
  return std::min(p, 1.0);
}

AnyInjection make_bernoulli(const InjectionContext& c, RandomStream random) {
  return std::make_unique<BernoulliInjection>(probability(c, "traffic.load", c.load), random);
}

AnyInjection make_poisson(const InjectionContext& c, RandomStream random) {
  return std::make_unique<PoissonInjection>(c.messages_per_cycle(), random);
}

AnyInjection make_fixed_interval(const InjectionContext& c, RandomStream random) {
  const double interval = 1 / c.messages_per_cycle();
  const double phase = c.settings.interval_phase == "zero" ? 0 : random.uniform() * interval;
  return std::make_unique<FixedIntervalInjection>(interval, phase);
}

AnyInjection make_bursty(const InjectionContext& c, RandomStream random) {
  const double burst_load = c.settings.burst_load;
  if (burst_load > c.limit * kTolerance)
    throw KeyError(kBurstLoad,
                   str(boost::format("%g flits per cycle are more than a node can inject, %g; lower it") %
                       burst_load % c.limit));
  if (c.load > burst_load * kTolerance)
    throw KeyError(
        kBurstLoad,
        str(boost::format(
                "%g flits per cycle within bursts are less than the mean load of %g flits per cycle; "
                "raise burst_load or lower load") %
            burst_load % c.load),
        {"traffic.load"});
  if (!(c.settings.burst_length >= 1))
    throw KeyError("traffic.burst_length",
                   str(boost::format("%g cycles; it must be at least 1") % c.settings.burst_length));
  BurstyInjection::Parameters p;
  p.probability = probability(c, kBurstLoad, burst_load);
  p.burst_cycles = c.settings.burst_length;
  const double pause_share = burst_load / c.load - 1;  // cycles of pause per cycle of burst
  p.pause_cycles = pause_share > 1e-9 ? p.burst_cycles * pause_share : 0;
  if (p.pause_cycles > 0 && p.pause_cycles < 1) {
    // A pause lasts at least one cycle, so near burst_load the bursts become longer instead.
    p.pause_cycles = 1;
    p.burst_cycles = 1 / pause_share;
  }
  return std::make_unique<BurstyInjection>(p, random);
}

double all_that_fits(const InjectionContext& c) {
  return c.limit;
}

double most_bernoulli(const InjectionContext& c) {
  return std::min(c.limit, c.mean_length);
}

double most_bursty(const InjectionContext& c) {
  return std::min(c.limit, c.settings.burst_load);
}

}  // namespace

const Registry<InjectionEntry>& injection_processes() {
  static const Registry<InjectionEntry> registry(
      "injection process",
      {{"bernoulli", "one message per cycle with a fixed probability", make_bernoulli, most_bernoulli},
       {"poisson", "exponential gaps in continuous time, rounded down to cycles", make_poisson,
        all_that_fits},
       {"fixed-interval", "equal gaps", make_fixed_interval, all_that_fits},
       {"bursty", "bursts with load burst_load and mean length burst_length, with pauses between them",
        make_bursty, most_bursty}});
  return registry;
}

}  // namespace flitmend
