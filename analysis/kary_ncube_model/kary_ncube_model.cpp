// SPDX-License-Identifier: Apache-2.0
#include "analysis/kary_ncube_model/kary_ncube_model.h"

#include <cmath>
#include <string>

#include "base/choices.h"
#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr int kMaxIterations = 100'000;
constexpr double kConverged = 1e-13;  // total change of all times, relative to T_n + W_s
constexpr double kDamping = 0.5;
constexpr double kBisectionDigits = 1e-10;
constexpr double kMaxModelNodes = 0x1.0p62;

void check_range(std::string_view name, std::int64_t value, std::int64_t min, std::int64_t max) {
  if (value < min || value > max)
    throw ConfigurationError(formatted("%1% is %2%; it must be %3% to %4%", name, value, min, max));
}

/// B: mean hops in one dimension of a fault-free network, with the node itself among the destinations.
double healthy_hops(double k, bool even) {
  return even ? k / 4 : (k * k - 1) / (4 * k);
}

double sum_of_equation_2(std::int64_t k, RerouteSum form) {
  double sum = 0;
  for (std::int64_t i = 1; i <= k / 2; ++i) {
    const double sign = i % 2 ? -1 : 1;
    sum += (form == RerouteSum::a ? -sign : sign + 1) / (2 * static_cast<double>(i));
  }
  return sum;
}

/// Σ v²·P_v / Σ v·P_v [Safaei06 eq. 22] over the virtual channels of a physical channel of utilisation ρ.
double multiplexing_degree(double rho, std::int64_t virtual_channels) {
  if (rho <= 0) return 1;
  double first = 0;
  double second = 0;
  double probability = 1 - rho;  // P_v, divided by ρ so that small loads do not underflow
  for (std::int64_t v = 1; v <= virtual_channels; ++v) {
    const auto busy = static_cast<double>(v);
    if (v == virtual_channels) probability /= 1 - rho;
    first += busy * probability;
    second += busy * busy * probability;
    probability *= rho;
  }
  return second / first;
}

}  // namespace

const std::vector<Choice>& reroute_sums() {
  static const std::vector<Choice> choices{{"a", "eq. 2 with the sum of (-1)^(i+1) / 2i"},
                                           {"b", "eq. 2 with the sum of ((-1)^i + 1) / 2i"}};
  return choices;
}

const std::vector<Choice>& transit_probabilities() {
  static const std::vector<Choice> choices{
      {"PV", "messages return to a local queue when all virtual channels are busy (eqs. 13-15 as printed)"},
      {"Pf", "messages return to a local queue when the next node is faulty"}};
  return choices;
}

const std::vector<Choice>& model_variants() {
  static const std::vector<Choice> choices{
      {"paper", "a message holds its channels while it is absorbed"},
      {"O", "the time absorbed is added to the latency, but holds no channel"}};
  return choices;
}

RerouteSum reroute_sum(std::string_view name) {
  return static_cast<RerouteSum>(choice_index("sum", reroute_sums(), name));
}

TransitProbability transit_probability(std::string_view name) {
  return static_cast<TransitProbability>(choice_index("transit", transit_probabilities(), name));
}

ModelVariant model_variant(std::string_view name) {
  return static_cast<ModelVariant>(choice_index("variant", model_variants(), name));
}

/// The state of the iteration, and what a step derives from it.
struct KaryNcubeModel::State {
  std::vector<double> time;  // T_0 … T_n
  std::vector<double> next;  // T_0 … T_n of an undamped step
  double source_wait = 0;
  std::vector<double> wait;      // W_c1 …, from the times before the step
  std::vector<double> blocking;  // P_b1 …
  double network_latency = 0;
  double change = 0;  // total change of all times in the last step
};

KaryNcubeModel::KaryNcubeModel(const KaryNcubeModelSettings& settings) : settings_(settings) {
  check_range("k", settings.k, 2, 1 << 20);
  check_range("n", settings.n, 1, 62);
  const double nodes = std::pow(static_cast<double>(settings.k), static_cast<double>(settings.n));
  if (nodes > kMaxModelNodes)
    throw ConfigurationError(formatted("a %1%-ary %2%-cube has more than 2^62 nodes; use a smaller k or n",
                                       settings.k, settings.n));
  check_range("length", settings.length, 1, 1'000'000'000);
  check_range("virtual-channels", settings.virtual_channels, 2, 1024);
  if (settings.faulty_nodes < 0 || static_cast<double>(settings.faulty_nodes) > nodes - 2)
    throw ConfigurationError(formatted(
        "faulty-nodes is %1%; it must be 0 to %2% in a %3%-ary %4%-cube, which must keep two healthy nodes",
        settings.faulty_nodes, static_cast<std::int64_t>(nodes) - 2, settings.k, settings.n));
  if (!(settings.reinjection_delay >= 0 && settings.reinjection_delay <= 1e12))
    throw ConfigurationError("delay is " + number_text(settings.reinjection_delay) +
                             "; it must be a number of cycles, 0 to 10^12");
  fault_probability_ = static_cast<double>(settings.faulty_nodes) / nodes;
  const auto k = static_cast<double>(settings.k);
  hops_ = healthy_hops(k, settings.k % 2 == 0);
  if (settings.faulty_nodes > 0)
    hops_ *= 1 + k * fault_probability_ * sum_of_equation_2(settings.k, settings.sum);
  if (settings.hops_per_dimension) {
    hops_ = *settings.hops_per_dimension;
    if (!(hops_ > 0 && hops_ <= 1e12))
      throw ConfigurationError("hops is " + number_text(hops_) +
                               "; it must be a mean number of hops, above 0 and at most 10^12");
  }
}

double KaryNcubeModel::zero_load_latency() const {
  const auto m = static_cast<double>(settings_.length);
  return m + static_cast<double>(settings_.n) * hops_ *
                 (1 + fault_probability_ * (m + settings_.reinjection_delay));
}

/// One undamped step from `state`, of which half is taken; false if a queue has no steady state.
bool KaryNcubeModel::advance(double rate, State& state) const {
  const auto n = static_cast<std::size_t>(settings_.n);
  const auto channels = static_cast<double>(settings_.virtual_channels);
  const double pf = fault_probability_;
  const double absorbed =
      static_cast<double>(settings_.length) + settings_.reinjection_delay + state.source_wait;
  const double channel_rate = rate * hops_ / 2;  // [Safaei06 eq. 3]
  const bool outside = settings_.variant == ModelVariant::delay_outside;

  std::vector<double>& next = state.next;
  double all_busy = 0;  // mean of P_jV
  for (std::size_t j = 1; j <= n; ++j) {
    const double time = state.time[j];
    const double rho = channel_rate * time;
    if (rho >= 1) return false;
    const double spread = time - state.time[j - 1];  // [Safaei06 eq. 11]
    state.wait[j - 1] = channel_rate * (time * time + spread * spread) / (2 * (1 - rho));
    // [Safaei06 eq. 21] sums to a geometric distribution: P_v = (1 − ρ)ρ^v below V, P_V = ρ^V.
    const double but_one = std::pow(rho, channels - 1);
    const double busy = but_one * rho;
    state.blocking[j - 1] = busy + (1 - rho) * but_one / channels;  // [Safaei06 eq. 5]
    all_busy += busy / static_cast<double>(n);
    double hop = 1 + state.blocking[j - 1] * state.wait[j - 1];
    if (!outside) hop += pf / (1 - busy) * absorbed;
    next[j] = next[j - 1] + hops_ * hop;
  }
  state.network_latency = next[n];
  if (outside) state.network_latency += static_cast<double>(n) * hops_ * pf * absorbed;

  // The local queue [Safaei06 eq. 13–20]: messages of the node itself, and those that return.
  const double passing = 2 * static_cast<double>(n) * channel_rate;
  const double back = outside || settings_.transit == TransitProbability::node_faulty ? pf : all_busy;
  const double arrivals = rate + passing * back;
  const double again = outside || arrivals <= 0 ? 0.0 : back * (rate + passing) / arrivals;
  if (again >= 1) return false;
  const double once = state.time[n] + state.wait[n - 1];
  const double odds = again / (1 - again);
  const double mean = once + odds;
  const double square = once * once + 2 * once * odds + again * (1 + again) / ((1 - again) * (1 - again));
  const double utilisation = arrivals / channels * mean;
  if (utilisation >= 1) return false;
  const double source_wait = arrivals / channels * square / (2 * (1 - utilisation));

  state.change = std::abs(source_wait - state.source_wait);
  state.source_wait += kDamping * (source_wait - state.source_wait);
  for (std::size_t j = 1; j <= n; ++j) {
    state.change += std::abs(next[j] - state.time[j]);
    state.time[j] += kDamping * (next[j] - state.time[j]);
  }
  return std::isfinite(state.change);
}

std::optional<KaryNcubeSolution> KaryNcubeModel::solve(double rate) const {
  if (!(rate >= 0) || std::isinf(rate))
    throw ConfigurationError("rate is " + number_text(rate) +
                             "; it must be a number of messages per node per cycle, 0 or more");
  const auto n = static_cast<std::size_t>(settings_.n);
  State state;
  for (std::size_t j = 0; j <= n; ++j)
    state.time.push_back(static_cast<double>(settings_.length) + static_cast<double>(j) * hops_);
  state.next = state.time;
  state.wait.resize(n);
  state.blocking.resize(n);
  int step = 0;
  do {
    if (step++ == kMaxIterations || !advance(rate, state)) return std::nullopt;
  } while (state.change >= kConverged * (state.time[n] + state.source_wait));

  KaryNcubeSolution solution;
  solution.network_latency = state.network_latency;
  solution.channel_time.assign(state.time.begin() + 1, state.time.end());
  solution.channel_wait = state.wait;
  solution.blocking = state.blocking;
  solution.source_wait = state.source_wait;
  solution.channel_rate = rate * hops_ / 2;
  solution.multiplexing = 0;
  for (const double time : solution.channel_time)
    solution.multiplexing += multiplexing_degree(solution.channel_rate * time, settings_.virtual_channels) /
                             static_cast<double>(n);
  solution.latency = (solution.network_latency + solution.source_wait) * solution.multiplexing;
  return solution;
}

double KaryNcubeModel::saturation_rate() const {
  // A channel is held for at least M cycles, so λ_c·T_j ≥ 1 at this rate and above.
  double high = 2 / (hops_ * static_cast<double>(settings_.length));
  double low = 0;
  while (high - low > kBisectionDigits * high) {
    const double rate = low + (high - low) / 2;
    (solve(rate) ? low : high) = rate;
  }
  return low;
}

}  // namespace flitmend
