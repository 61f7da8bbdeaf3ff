// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/closed_forms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/kns_tolerance/combinations.h"
#include "analysis/kns_tolerance/limits.h"
#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Series = std::vector<double>;  // coefficients of x^0 … x^f

Series product(const Series& a, const Series& b, std::size_t terms) {
  Series c(std::min(a.size() + b.size() - 1, terms), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size() && i + j < c.size(); ++j) c[i + j] += a[i] * b[j];
  return c;
}

/// Coefficient of x^(terms − 1) in series^exponent; all coefficients are non-negative.
double last_of_power(Series series, std::uint64_t exponent, std::size_t terms) {
  Series power{1.0};
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) power = product(power, series, terms);
    if (exponent > 1) series = product(series, series, terms);
  }
  return power.size() < terms ? 0.0 : power[terms - 1];
}

}  // namespace

void check_fault_count(const KnsShape& shape, std::int64_t faults) {
  if (faults < 0) throw ConfigurationError(formatted("faults is %1%; it must be 0 or more", faults));
  if (static_cast<std::uint64_t>(faults) > shape.link_count())
    throw ConfigurationError(formatted("faults is %1%, but %2% has only %3% links", faults,
                                       shape.description(), shape.link_count()));
  if (faults > kMaxKnsFaults)
    throw ConfigurationError(formatted("faults is %1%; at most %2% are supported", faults, kMaxKnsFaults));
}

std::uint64_t kns_pairs_over_link(const KnsShape& shape) {
  return 2 * std::uint64_t{shape.k() - 1} * shape.power(shape.n() - 1);
}

std::uint64_t kns_destinations_cut(const KnsShape& shape, unsigned dimension) {
  return std::uint64_t{shape.k() - 1} * shape.power(shape.n() - 1 - dimension);
}

double kns_faulty_pair_share(const KnsShape& shape, std::uint64_t faults) {
  const std::uint64_t links = shape.link_count();
  if (faults > links) check_fault_count(shape, static_cast<std::int64_t>(faults));
  double share = 0;
  double pairs = 1;   // C(n, h)(k − 1)^h
  double intact = 1;  // C(L − 2h, f) / C(L, f)
  for (unsigned h = 1; h <= shape.n(); ++h) {
    pairs *= double(shape.n() - h + 1) / h * (shape.k() - 1);
    for (std::uint64_t i = 2 * h - 2; i < 2 * h; ++i)
      intact *= links - faults > i ? double(links - faults - i) / double(links - i) : 0.0;
    share += pairs / (shape.node_count() - 1) * (1 - intact);
  }
  return share;
}

double kns_no_isolated_router(const KnsShape& shape, std::uint64_t faults) {
  check_fault_count(shape, static_cast<std::int64_t>(faults));
  const unsigned n = shape.n();
  const double p = double(faults) / shape.link_count();
  Series any(n + 1);  // of one router: x^i means that i of its links are faulty
  for (unsigned i = 0; i <= n; ++i)
    any[i] = double(*combination_count(n, i)) * std::pow(p, i) * std::pow(1 - p, n - i);
  Series not_all = any;
  not_all.pop_back();
  const std::size_t terms = faults + 1;
  return last_of_power(not_all, shape.node_count(), terms) / last_of_power(any, shape.node_count(), terms);
}

std::uint64_t samples_for(double confidence, double error) {
  if (!(confidence > 0 && confidence < 1))
    throw ConfigurationError("confidence is " + number_text(confidence) +
                             "; it must be between 0 and 1, like .99");
  if (!(error > 0 && error < 1))
    throw ConfigurationError("error is " + number_text(error) + "; it must be between 0 and 1, like .01");
  const double z = normal_quantile(confidence);
  const double samples = std::max(1.0, std::ceil(z * z / (4 * error * error)));
  if (samples > double(kMaxKnsSamples))
    throw ConfigurationError(
        formatted("an error of %1% would take more than %2% samples, the limit; use a larger error",
                  number_text(error), kMaxKnsSamples));
  return static_cast<std::uint64_t>(samples);
}

}  // namespace flitmend
