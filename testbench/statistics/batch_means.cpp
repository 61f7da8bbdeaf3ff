// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/batch_means.h"

#include <cmath>

namespace flitmend {

void BatchMeans::merge() {
  for (unsigned i = 0; i < kBatches / 2; ++i) {
    const Batch& first = batches_[2 * i];
    const Batch& second = batches_[2 * i + 1];
    batches_[i] = {first.sum + second.sum, first.count + second.count};
  }
  for (unsigned i = kBatches / 2; i < kBatches; ++i) batches_[i] = {};
  ++shift_;
}

unsigned BatchMeans::batches() const {
  unsigned k = 0;
  for (const Batch& b : batches_) k += b.count != 0;
  return k;
}

std::optional<double> BatchMeans::ci95() const {
  const unsigned k = batches();
  if (k < 2) return std::nullopt;
  std::uint64_t sum = 0, count = 0;
  for (const Batch& b : batches_) {
    sum += b.sum;
    count += b.count;
  }
  // n·(S_b − x̄·n_b) = n·S_b − S·n_b in whole numbers: the only rounding is that of the squares.
  double squares = 0;
  for (const Batch& b : batches_) {
    const auto deviation = static_cast<__int128>(count) * b.sum - static_cast<__int128>(sum) * b.count;
    const auto d = static_cast<double>(deviation);
    squares += d * d;
  }
  const double n = static_cast<double>(count);
  return students_t_975(k - 1) * std::sqrt(squares * k / (k - 1)) / (n * n);
}

}  // namespace flitmend
