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
  static CopyCounts& counts_of(RouterState& state, unsigned id) { return state.row<rows::Copies>()[id]; }
  static const CopyCounts& counts_of(const RouterState& state, unsigned id) {
    return state.row<rows::Copies>()[id];
  }
  /// Of 64 input virtual channels.
  static CopyMasks& masks_of(RouterState& state, unsigned word) { return state.row<rows::CopyWords>()[word]; }
  static const CopyMasks& masks_of(const RouterState& state, unsigned word) {
    return state.row<rows::CopyWords>()[word];
  }
  static Rename& rename_of(RouterState& state, unsigned id) { return state.row<rows::Renames>()[id]; }

  /// The front flit of a buffer is about to cross the crossbar: its copy stays, or its credit is returned.
  [[gnu::always_inline]] static void crosses(RouterState& state, Cycle t, unsigned id, const Flit& flit) {
    const RouterLayout& layout = state.layout();
    const bool ejected = state.output_port(id) == layout.local_port &&
                         (layout.unlimited_ejection || layout.output_buffer == 0);
    if (!ejected)
      ++counts_of(state, id).kept;
    else
      give_back(state, t, id, flit);
  }
  /// A flit has left the router and arrives `delay` cycles after t.
  [[gnu::always_inline]] static void left(RouterState& state, Cycle t, unsigned id, unsigned delay) {
    send_copied(state, t, id, delay);
    counts_of(state, id).told += counts_of(state, id).kept > counts_of(state, id).told;
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
    if (counts_of(state, id).kept == 0) return false;
    masks_of(state, id / kWordBits).closing |= RouterState::bit_of(id);
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
  /// All copies become unsent again, after a restart head from the head-copy register unless the head itself
  /// is among them. They, and what is still to come, are a new packet of the same message, whose first data
  /// flit (FSN) is that of the oldest copy. Its output is released. The route FSM is in BACKUP until
  /// end_backup is called in the cycle of HeadRoute::ready. Call Router::flush_output first. (restart.cpp)
  static void restart(RouterState&, Cycle, unsigned id);
  /// The head at the front requests a route from cycle t on.
  static void end_backup(RouterState&, Cycle t, unsigned id);
  /// RESYNC has arrived: COPIED that is under way is about messages before the fault.
  static void forget(RouterState&, unsigned output_id);

  static bool has_own_head(const RouterState& state, unsigned id) {
    return masks_of(state, id / kWordBits).own_head & RouterState::bit_of(id);
  }
  static bool closing(const RouterState& state, unsigned id) {
    return masks_of(state, id / kWordBits).closing & RouterState::bit_of(id);
  }
  static bool renaming(const RouterState& state, unsigned id) {
    return masks_of(state, id / kWordBits).renaming & RouterState::bit_of(id);
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
  Word& own_head = masks_of(state, id / kWordBits).own_head;
  if ((own_head & RouterState::bit_of(id)) != 0 && is_head(flit.kind)) [[unlikely]] {
    own_head &= ~RouterState::bit_of(id);
    return;
  }
  const PortState& port = state.port(state.port_of(id));
  if (port.in_vcs)
    port.announce_credit(static_cast<unsigned>(t + port.in_delay) & (state.layout().ring - 1), id);
}

inline void Copies::send_copied(RouterState& state, Cycle t, unsigned id, unsigned delay) {
  CopyCounts& counts = counts_of(state, id);
  if (counts.resent > 0) [[unlikely]] {
    --counts.resent;
    return;
  }
  const MaskWires& wires = state.mask_wires(state.port_of(id));
  const unsigned cycles = std::max<unsigned>(delay, wires.delay);
  wires.announce(ControlLine::copied, static_cast<unsigned>((t + cycles) & (state.layout().ring - 1)), id);
}

}  // namespace flitmend
