// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// The sum in [Safaei06 eq. 2], whose print is ambiguous; i runs from 1 to ⌊k/2⌋. With 3 and 5 faulty nodes
/// in the 8-ary 2-cube, simulated messages take 1.155 and 1.248 times the hops that they take without; a says
/// 1.109 and 1.182, b 1.281 and 1.469.
enum class RerouteSum {
  a,  ///< Σ (−1)^(i+1) / (2i)
  b   ///< Σ ((−1)^i + 1) / (2i)
};
/// What sends a message back to a local queue in [Safaei06 eq. 13–15].
enum class TransitProbability {
  all_channels_busy,  ///< "PV", as printed: the mean of P_jV over the dimensions
  node_faulty         ///< "Pf"
};
enum class ModelVariant {
  paper,          ///< while a message is absorbed, it counts as holding its channels
  delay_outside,  ///< "O": it does not; the time is added to the network latency only
};

const std::vector<Choice>& reroute_sums();
const std::vector<Choice>& transit_probabilities();
const std::vector<Choice>& model_variants();
/// Choice by its name on the command line ("a", "b"; "PV", "Pf"; "paper", "O"). Throws ConfigurationError.
RerouteSum reroute_sum(std::string_view name);
TransitProbability transit_probability(std::string_view name);
ModelVariant model_variant(std::string_view name);

/// Software-Based routing [Suh00] in a k-ary n-cube: deterministic, wormhole, with random static node faults.
struct KaryNcubeModelSettings {
  std::int64_t k = 8;                 ///< radix, at least 2
  std::int64_t n = 2;                 ///< dimensions, at least 1; k^n at most 2^62
  std::int64_t length = 32;           ///< M, flits per message, 1 … 10^9
  std::int64_t virtual_channels = 4;  ///< V, 2 … 1024
  std::int64_t faulty_nodes = 0;      ///< n_f, 0 … k^n − 2; P_f = n_f / k^n
  double reinjection_delay = 0;       ///< Δ, cycles
  RerouteSum sum = RerouteSum::a;
  TransitProbability transit = TransitProbability::all_channels_busy;
  ModelVariant variant = ModelVariant::paper;
  /// Mean hops per dimension, if known (measured, for example); else [Safaei06 eq. 2].
  std::optional<double> hops_per_dimension;
};

/// The model's state at a rate that the network can sustain. Times in cycles; index j − 1 is dimension j.
/// Equations are those of [Safaei06].
struct KaryNcubeSolution {
  double latency = 0;                ///< mean message latency, eq. 1: (L + W_s)·V̄
  double network_latency = 0;        ///< L, eq. 9
  std::vector<double> channel_time;  ///< T_1 … T_n, mean time that a message holds a channel, eq. 8
  std::vector<double> channel_wait;  ///< W_c1 … W_cn, mean wait for a virtual channel, eq. 12
  std::vector<double> blocking;      ///< P_b1 … P_bn, eq. 5
  double source_wait = 0;            ///< W_s, mean wait in the local queue, eq. 20
  double multiplexing = 1;           ///< V̄, mean degree of multiplexing, eq. 22
  double channel_rate = 0;           ///< λ_c, messages per channel per cycle, eq. 3
};

/// The queueing model of Software-Based routing [Safaei06 eq. 1–22], with three corrections that its limit
/// cases require: a hop costs h_j = 1 + P_bj·W_cj + P_f/(1 − P_jV)·(M + Δ + W_s), which eq. 6 and 7 reduce
/// to; T_0 = M, T_j = T_(j−1) + K·h_j instead of eq. 8, which charges the whole path for every hop; the
/// second moment in eq. 19 includes the variance of the number of attempts. For P_f = 0 this is the standard
/// fault-free recursion; at zero load it gives M + nK(1 + P_f(M + Δ)).
class KaryNcubeModel {
 public:
  /// Throws ConfigurationError for settings outside their ranges.
  explicit KaryNcubeModel(const KaryNcubeModelSettings& settings);

  const KaryNcubeModelSettings& settings() const { return settings_; }
  /// P_f
  double fault_probability() const { return fault_probability_; }
  /// K = k_f [Safaei06 eq. 2]: B(1 + k·P_f·S), B = k/4 (even k), (k² − 1)/(4k) (odd k).
  double hops_per_dimension() const { return hops_; }
  /// Zero-load latency, cycles.
  double zero_load_latency() const;

  /// The steady state at λ_g messages per node per cycle, by damped iteration from the unloaded network.
  /// Empty if the model saturates: λ_c·T_j ≥ 1, (λ_t/V)·TT ≥ 1, or no convergence in 10^5 steps. Throws
  /// ConfigurationError if the rate is negative or not a number. O(n) per step.
  std::optional<KaryNcubeSolution> solve(double rate) const;

  /// The highest rate at which solve() finds a steady state, in messages per node per cycle, by bisection.
  /// The iteration slows down towards it, so only six digits are reliable. About 30 solutions.
  double saturation_rate() const;

 private:
  struct State;
  bool advance(double rate, State& state) const;

  KaryNcubeModelSettings settings_;
  double fault_probability_ = 0;
  double hops_ = 0;
};

}  // namespace flitmend
