// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/hit_results.h"

namespace flitmend {

HitCounts& HitCounts::operator+=(const HitCounts& more) {
  hits += more.hits;
  delivered += more.delivered;
  lost += more.lost;
  undeliverable += more.undeliverable;
  guard_repaired += more.guard_repaired;
  failed += more.failed;
  in_flight += more.in_flight;
  return *this;
}

void HitResults::visit(ResultsVisitor& v) const {
  v.value({"fault", "", "What failed: node or link. A node and a link in the same cycle count as a node."},
          fault);
  v.value({"duration", "", "transient or permanent."}, duration);
  v.value(
      {"phase", "",
       "What the fault hit: the head of a message, its tail but not its head, or its body; a control message "
       "of the recovery protocol; a packet of a message that was hit before or has arrived "
       "(retransmission); the rest of a packet that is cut already (absorption)."},
      phase);
  v.value({"overlap", "",
           "Faults that hit the message: one; several in that cycle (at-once); others in other cycles "
           "(in-sequence)."},
          overlap);
  v.value({"hits", "", "A packet that is hit by the faults of one cycle is one hit."}, hits);
  v.value({"delivered", "", "Hits whose message arrived. Not counted for control messages."}, delivered);
  v.value({"lost", "", "Hits whose message was lost."}, lost);
  v.value({"undeliverable", "", "Hits whose message was abandoned by its sender, or is void."},
          undeliverable);
  v.value({"guard_repaired", "",
           "Hits whose message arrived after the guard had sent it again. Not counted for control messages."},
          guard_repaired);
  v.value(
      {"failed", "",
       "Hits whose message broke the contract: it was lost where the protocol promises delivery, or "
       "delivered "
       "twice or with other bytes. For a control message: whether any message from its destination to its "
       "source did."},
      failed);
  v.value(
      {"in_flight", "",
       "Hits whose message was neither delivered nor abandoned when the run ended, and has not failed. All "
       "control messages, if the run ended with messages in flight."},
      in_flight);
}

}  // namespace flitmend
