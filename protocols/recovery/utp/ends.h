// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/sbrp/ends.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend::utp {

/// Both ends of UTP at a node. The sending end is B for its own router (Copies): when that dies, it sends
/// again what the next router has not got. The receiving end joins the parts of a message and drops
/// duplicates. A node requests only messages whose head its router has absorbed, because it had waited too
/// long at a fault. All this is as in SBRP-1. But routers keep copies for some cycles after the flits
/// themselves are gone, so descriptors are released later.
class Ends final : public sbrp::Ends {
 public:
  using sbrp::Ends::Ends;

  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void evaluate(Cycle t) override {
    if (!spent_.empty()) release_spent(t);
    sbrp::Ends::evaluate(t);
  }
  bool busy() const override { return sbrp::Ends::busy() || !spent_.empty(); }
  Cycle next_due() const override { return spent_.empty() ? sbrp::Ends::next_due() : 0; }
  void clear() override;

 private:
  struct Spent {
    MessageIndex packet = kNoMessage;
    Cycle due = 0;
  };

  /// Releases the descriptors of packets of which no copy can be left.
  void release_spent(Cycle t);
  /// No flit of a packet is left.
  void hold(Cycle t, MessageIndex packet);

  RingQueue<Spent> spent_;
};

}  // namespace flitmend::utp
