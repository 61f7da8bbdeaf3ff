// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"

#include "rtl_tlm/interfaces/interface_recovery.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"

namespace flitmend {

InjectorShadows::InjectorShadows(const RouterState& router, InjectorGates& gates)
    : router_(router),
      gates_(gates),
      direct_(router.layout().context.hardware.network_interface.injection_latency == 0),
      shadows_(router.vcs()) {}

void InjectorShadows::line_arrived(VcMask vcs) {
  gates_.tails &= ~vcs;
  gates_.heads &= ~vcs;
  waiting_ &= ~vcs;
}

void InjectorShadows::tail_left(Cycle t, unsigned vc, MessageIndex packet, std::uint32_t flits,
                                bool virtual_tail) {
  const RouterLayout& layout = router_.layout();
  shadows_[vc] = sent_packet(layout.messages, packet, flits - virtual_tail);
  gates_.tails |= VcMask{1} << vc;
  if (layout.output_buffer > 0) gates_.heads |= VcMask{1} << vc;
  if (direct_) TailSignals::arrived(router_, t, static_cast<unsigned>(layout.local_port * layout.vcs) + vc);
}

void InjectorShadows::count_wait(unsigned vc) {
  const VcMask bit = VcMask{1} << vc;
  waits_.tails += !(waiting_ & bit);
  ++waits_.cycles;
  waiting_ |= bit;
}

void InjectorShadows::vc_failed(Cycle t, unsigned vc, InterfaceRecovery* recovery) {
  const SentPacket* const cut = shadow(vc);
  if (cut && recovery && !cut->control) recovery->message_cut(t, cut->packet);
  line_arrived(VcMask{1} << vc);
}

void InjectorShadows::clear() {
  waiting_ = 0;
}

}  // namespace flitmend
