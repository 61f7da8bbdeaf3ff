// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/batch_means.h"

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

}  // namespace flitmend
