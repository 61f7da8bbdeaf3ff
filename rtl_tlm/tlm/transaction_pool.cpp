// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/transaction_pool.h"

#include <algorithm>

namespace flitmend {

NetworkTransaction* TransactionPool::acquire() {
  if (free_.empty()) {
    // Doubles, so allocations are rare.
    for (std::size_t more = std::max<std::size_t>(all_.size(), 16); more > 0; --more) {
      all_.push_back(std::make_unique<NetworkTransaction>());
      free_.push_back(all_.back().get());
    }
    free_.reserve(all_.size());
  }
  NetworkTransaction* const t = free_.back();
  free_.pop_back();
  t->payload = nullptr;
  for (auto* bytes : {&t->bytes, &t->received, &t->enables}) bytes->clear();
  t->parts_left = 0;
  t->status = tlm::TLM_INCOMPLETE_RESPONSE;
  t->dmi_allowed = t->lost = t->replying = t->answered = t->early = t->placed = false;
  t->blocking = t->done = false;
  return t;
}

}  // namespace flitmend
