// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/injector_mechanism.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_waits.h"
#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/cut_message.h"

namespace flitmend {

/// The shadow registers of an injector: by virtual channel, the last packet, until the router after that of
/// the node has its tail, or the tail was discarded. Meanwhile the next tail waits; with output buffers, the
/// next head (TailSignals::grantable).
class InjectorShadows : public InjectorMechanism {
 public:
  InjectorShadows(const RouterState& router, InjectorGates& gates);

  ControlLine line() const override { return ControlLine::tail_gone; }
  void line_arrived(VcMask vcs) override;
  bool answers_tails() const override { return true; }
  void tail_left(Cycle, unsigned vc, MessageIndex packet, std::uint32_t flits, bool virtual_tail) override;
  void count_wait(unsigned vc) override;
  void vc_failed(Cycle, unsigned vc, InterfaceRecovery*) override;
  void clear() override;

  /// The packet in a shadow register, null while it is not in use.
  const SentPacket* shadow(unsigned vc) const { return gates_.tails >> vc & 1 ? &shadows_[vc] : nullptr; }
  /// Tails that have waited.
  const TailWaits& waits() const { return waits_; }

 private:
  RouterState router_;  ///< of the node
  InjectorGates& gates_;
  bool direct_;                      ///< there is no injection channel
  std::vector<SentPacket> shadows_;  ///< by virtual channel
  VcMask waiting_ = 0;               ///< tails that wait
  TailWaits waits_;
};

}  // namespace flitmend
