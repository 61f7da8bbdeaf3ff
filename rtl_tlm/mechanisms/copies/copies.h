// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Two-step flow control [Dally94]: every flit has a second copy in the router before. Let A, B, C and D be
/// consecutive routers on a message's path:
///
///   a flit leaves B        its copy stays in B's input buffer
///   C sends it to D        C sends COPIED to B, which arrives when D has the flit, or later
///   COPIED reaches B       B frees its copy, and sends FREED to A: the credit for the slot
///
/// If C dies, COPIED is lost on the wire to B exactly when the flit is lost on the wire to D, so one of B and
/// D has the flit. For the first router B is the network interface, for the last one D is: the last router
/// keeps no copies of what it ejects, except in an output buffer. A virtual channel holds its message, and
/// its output virtual channel, until no copy is left. Static functions on a router's registers; they exist
/// only with Mechanism::copies.
class Copies {
 public:
  /// Whether routers keep copies.
  static bool built(const RouterLayout& layout) { return layout.has<rows::Copies>(); }

  /// The front flit of a buffer is about to cross the crossbar: its copy stays, or its credit is returned.
  [[gnu::always_inline]] static void crosses(RouterState& state, Cycle t, unsigned id, const Flit& flit) {
    const RouterLayout& layout = state.layout();
    const bool ejected = state.output_port(id) == layout.local_port &&
                         (layout.unlimited_ejection || layout.output_buffer == 0);
    if (!ejected)
      ++state.copies(id).kept;
    else
      give_back(state, t, id, flit);
  }
  /// A flit has left the router and arrives `delay` cycles after t.
  [[gnu::always_inline]] static void left(RouterState& state, Cycle t, unsigned id, unsigned delay) {
    send_copied(state, t, id, delay);
    state.copies(id).told += state.copies(id).kept > state.copies(id).told;
  }
  /// The same from an output buffer. The output virtual channel still has its owner, which waits until no
  /// copy is left.
  [[gnu::noinline]] static void left_buffer(RouterState&, Cycle t, unsigned output_id);
  /// A flit was discarded.
  static void discarded(RouterState& state, Cycle t, unsigned id, const Flit& flit) {
    give_back(state, t, id, flit);
    send_copied(state, t, id, 0);
  }
  /// The tail of a message has crossed. True if the virtual channel waits until no copy is left.
  [[gnu::always_inline]] static bool waits(RouterState& state, unsigned id) {
    if (state.copies(id).kept == 0) return false;
    state.copy_masks(id / kWordBits).closing |= RouterState::bit_of(id);
    return true;
  }

  /// COPIED of this cycle, by output virtual channel.
  static void receive(RouterState& state, Cycle t, unsigned slot) {
    if (state.arriving<rows::CopyArrivals>(ControlLine::copied)[slot] != 0 || state.layout().vc_words > 1)
      take_copied(state, t, slot);
  }
  /// A flit arrives at a virtual channel whose message has been restarted: it belongs to the new packet.
  static void rename(RouterState&, unsigned id, Flit&);
  /// The rest of the message that arrives there is lost: if it is renamed, the packet to which it would have
  /// belonged ends here.
  static void end_renaming(RouterState&, unsigned id);
  /// RESYNC has arrived: COPIED that is under way is about messages before the fault.
  static void forget(RouterState&, unsigned output_id);

  static bool closing(const RouterState& state, unsigned id) {
    return state.copy_masks(id / kWordBits).closing & RouterState::bit_of(id);
  }
  static bool renaming(const RouterState& state, unsigned id) {
    return state.copy_masks(id / kWordBits).renaming & RouterState::bit_of(id);
  }

 private:
  /// Returns the credit for a slot, unless the flit was a restart head: that was in the head-copy register.
  [[gnu::always_inline]] static void give_back(RouterState& state, Cycle t, unsigned id, const Flit& flit);
  [[gnu::always_inline]] static void send_copied(RouterState&, Cycle t, unsigned id, unsigned delay);
  [[gnu::noinline]] static void take_copied(RouterState&, Cycle t, unsigned slot);
  /// The oldest copy is no longer needed.
  static void free_oldest(RouterState&, Cycle t, unsigned id);
  /// The tail has left, and no copy is kept any more.
  [[gnu::noinline]] static void close(RouterState&, Cycle t, unsigned id);
  [[gnu::noinline, gnu::cold]] static void nothing_kept(const RouterState&, Cycle t, unsigned id);
};

inline void Copies::give_back(RouterState& state, Cycle t, unsigned id, const Flit& flit) {
  Word& own_head = state.copy_masks(id / kWordBits).own_head;
  if ((own_head & RouterState::bit_of(id)) != 0 && is_head(flit.kind)) [[unlikely]] {
    own_head &= ~RouterState::bit_of(id);
    return;
  }
  const PortState& port = state.port(state.port_of(id));
  if (port.in_vcs)
    port.announce_credit(static_cast<unsigned>(t + port.in_delay) & (state.layout().ring - 1), id);
}

inline void Copies::send_copied(RouterState& state, Cycle t, unsigned id, unsigned delay) {
  CopyCounts& counts = state.copies(id);
  if (counts.resent > 0) [[unlikely]] {
    --counts.resent;
    return;
  }
  const MaskWires& wires = state.mask_wires(state.port_of(id));
  const unsigned cycles = std::max<unsigned>(delay, wires.delay);
  wires.announce(ControlLine::copied, static_cast<unsigned>((t + cycles) & (state.layout().ring - 1)), id);
}

}  // namespace flitmend
