// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/mechanism.h"
#include "rtl_tlm/signals/channel.h"

namespace flitmend {

/// A value without a default: a struct of these compiles only if every field is given.
template <class T>
class Stated {
 public:
  constexpr Stated(T value) : value_(value) {}
  constexpr operator T() const { return value_; }

 private:
  T value_;
};

/// What a recovery protocol needs. Routers and channels are built with just this; `flitmend list recovery`
/// prints it.
struct RecoveryNeeds {
  // In every router.
  Stated<bool> flit_counter;  ///< how many flits of a message have left, by virtual channel
  Stated<bool> head_copy;     ///< head-copy registers
  Stated<MechanismSet> mechanisms;
  // Between routers.
  Stated<ControlLineSet> control_lines;
  Stated<bool> control_messages;
  Stated<bool> padding;  ///< a packet is longer than its message, so that it spans its path
  // In network interfaces and nodes.
  Stated<bool> software_handler;
  Stated<bool> sender_copy;  ///< of each message, until its delivery is certain
  /// Size of the receiver's duplicate filter: ids per source, from the oldest that is still in use. 0: no
  /// filter.
  Stated<unsigned> id_memory;

  constexpr bool has(Mechanism m) const { return MechanismSet(mechanisms).has(m); }
  friend bool operator==(const RecoveryNeeds&, const RecoveryNeeds&) = default;
};

}  // namespace flitmend
