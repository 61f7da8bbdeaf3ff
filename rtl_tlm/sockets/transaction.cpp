// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/transaction.h"

#include <algorithm>
#include <set>

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
  t->created = kNever;
  t->dmi_allowed = t->sent = t->lost = t->replying = t->answered = t->early = t->placed = false;
  t->refused = t->in_turn = false;
  t->blocking = t->issued = t->done = t->abandoned = false;
  return t;
}

std::vector<const NetworkTransaction*> TransactionPool::in_use_now() const {
  const std::set<const NetworkTransaction*> free(free_.begin(), free_.end());
  std::vector<const NetworkTransaction*> used;
  for (const auto& t : all_)
    if (!free.contains(t.get())) used.push_back(t.get());
  return used;
}

}  // namespace flitmend
