// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

inline constexpr Cycle kBackupCycles = 2;

/// The copies in an input buffer. They are behind its read pointer, the oldest first.
struct CopyCounts {
  std::uint16_t kept = 0;    ///< flits sent whose copies are kept
  std::uint16_t told = 0;    ///< of these, the flits for which COPIED has been sent
  std::uint16_t resent = 0;  ///< flits at the front for which COPIED was sent before they became unsent again
};

/// State of input virtual channels with copies, by 64.
struct CopyMasks {
  Word closing = 0;           ///< the tail has left, and copies are still kept
  Word own_head = 0;          ///< the oldest flit, sent or not, is a restart head in the head-copy register
  Word renaming = 0;          ///< arriving flits are renamed (Rename)
  std::uint64_t signals = 0;  ///< COPIED that has arrived for output virtual channels
};

/// The rename register of an input virtual channel: a message that arrives, and what its flits now belong to.
struct Rename {
  MessageIndex from = kNoMessage;
  MessageIndex to = kNoMessage;
};

namespace rows {

/// This row and those below exist only with copies.
struct CopyArrivals : LineArrivals<ControlLine::copied> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::copies) ? all(s) : 0;
  }
};
/// By word of input ids.
struct CopyWords : Row<CopyMasks, Heat::hot> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::copies) ? s.vc_words : 0;
  }
  static void reset(CopyMasks& masks, std::size_t, const RouterShape&) {
    masks.closing = masks.own_head = masks.renaming = 0;
  }
  template <class State>
  static MessageIndex held_message(const State& state, unsigned id) {
    const Word closing = state.template row<CopyWords>()[id / kWordBits].closing;
    return closing >> (id % kWordBits) & 1 ? state.head_copy(id).message : kNoMessage;
  }
};
/// By input id.
struct Copies : Row<CopyCounts, Heat::hot> {
  static const MechanismHooks kHooks;
  static constexpr RouteFsm kWithdrawn = RouteFsm::backup;
  static constexpr Cycle kWithdrawnCycles = kBackupCycles;
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::copies) ? s.ids : 0;
  }
  template <class State>
  static unsigned sent_slots(const State& state, unsigned id) {
    return state.template row<Copies>()[id].kept;
  }
  /// Copies are in the buffer; a restart head is in front of it.
  template <class State>
  static int room(const State& state, unsigned id) {
    const Word own_head = state.template row<CopyWords>()[id / kWordBits].own_head;
    return static_cast<int>(own_head >> (id % kWordBits) & 1) -
           static_cast<int>(state.template row<Copies>()[id].kept);
  }
};

/// By input id.
struct Renames : Row<Rename, Heat::cold> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::copies) ? s.ids : 0;
  }
};

}  // namespace rows
}  // namespace flitmend
