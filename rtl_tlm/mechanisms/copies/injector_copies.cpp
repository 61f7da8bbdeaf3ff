// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/copies/injector_copies.h"

#include <bit>

#include "rtl_tlm/interfaces/interface_recovery.h"

namespace flitmend {

InjectorCopies::InjectorCopies(const RouterLayout& layout)
    : messages_(layout.messages), packets_(layout.vcs) {}

void InjectorCopies::line_arrived(VcMask vcs) {
  for (VcMask rest = vcs; rest; rest &= rest - 1) {
    auto& packets = packets_[static_cast<unsigned>(std::countr_zero(rest))];
    if (packets.empty()) continue;  // the router has failed since
    Packet& oldest = packets.front();
    if (++oldest.copy.packet.count == oldest.sent) packets.pop();
  }
}

void InjectorCopies::head_left(unsigned vc, MessageIndex packet) {
  packets_[vc].push({sent_packet(messages_, packet, 0)});
}

void InjectorCopies::tail_left(Cycle, unsigned vc, MessageIndex, std::uint32_t flits, bool) {
  packets_[vc].back().sent = flits;
}

std::uint32_t InjectorCopies::uncopied(unsigned vc, std::uint32_t next_flit) const {
  std::uint32_t flits = 0;
  for (std::size_t i = 0; i < packets_[vc].size(); ++i) {
    const Packet& packet = packets_[vc][i];
    flits += (packet.sent > 0 ? packet.sent : next_flit) - packet.copy.packet.count;
  }
  return flits;
}

// The node's interface is B: it sends again the flits that the next router does not have.
void InjectorCopies::router_failed(Cycle t, InterfaceRecovery* recovery) {
  for (auto& packets : packets_)
    for (; !packets.empty(); packets.pop())
      if (!packets.front().copy.control && recovery) recovery->message_cut(t, packets.front().copy.packet);
}

void InjectorCopies::clear() {
  for (auto& packets : packets_) packets.clear();
}

}  // namespace flitmend
