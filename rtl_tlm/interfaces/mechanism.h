// SPDX-License-Identifier: Apache-2.0
// What a configuration adds to routers: mechanisms of recovery protocols, and switching techniques.
#pragma once
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/settings.h"

namespace flitmend {

/// Hardware that a recovery protocol may add to routers and network interfaces, each in its folder of
/// rtl_tlm/mechanisms.
enum class Mechanism : std::uint8_t {
  copies,        ///< of every flit in the router before (two-step flow control)
  tail_signals,  ///< shadow registers, and the signals that follow tails
  circuits,      ///< paths are held until they are acknowledged
};

/// A set of mechanisms.
class MechanismSet {
 public:
  constexpr MechanismSet() = default;
  constexpr MechanismSet(std::initializer_list<Mechanism> mechanisms) {
    for (const Mechanism m : mechanisms) bits_ |= bit(m);
  }

  constexpr bool has(Mechanism m) const { return (bits_ & bit(m)) != 0; }
  constexpr bool has_any(MechanismSet of) const { return (bits_ & of.bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// The first of a set that is not empty.
  constexpr Mechanism first() const { return static_cast<Mechanism>(std::countr_zero(bits_)); }
  friend constexpr MechanismSet operator&(MechanismSet a, MechanismSet b) {
    a.bits_ &= b.bits_;
    return a;
  }

  friend constexpr bool operator==(MechanismSet, MechanismSet) = default;

 private:
  static constexpr std::uint32_t bit(Mechanism m) { return std::uint32_t{1} << static_cast<unsigned>(m); }

  std::uint32_t bits_ = 0;
};

/// Those with a part in every cycle of a router: an instance of the cycle is compiled for each (CyclePath).
inline constexpr MechanismSet kInCycle{Mechanism::copies, Mechanism::tail_signals, Mechanism::circuits};
/// Those with one more slot in front of each input buffer: the head-copy register from which a restart head
/// leaves, or the slot of a head that has backtracked. (So do heads that go back at busy channels: AtBusy.)
inline constexpr MechanismSet kExtraSlot{Mechanism::copies, Mechanism::circuits};
/// Those whose signals a router withholds until a flit has been consumed
/// (HardwareParameters::consumed_after).
inline constexpr MechanismSet kWithholdSignals{Mechanism::copies, Mechanism::tail_signals};
/// That of held paths: a path stays reserved until an acknowledgement returns over it.
inline constexpr Mechanism kHoldsPaths = Mechanism::circuits;

/// In this order, so that one comparison tells those that need room for whole messages (needs_whole_room).
enum class Switching : std::uint8_t { wormhole, pipelined_circuit, virtual_cut_through, store_and_forward };
/// Whether a message is granted a virtual channel only if all of it fits in the next buffer.
constexpr bool needs_whole_room(Switching switching) {
  return switching >= Switching::virtual_cut_through;
}
/// Whether data follow a head only over a path that it has reserved up to its destination.
constexpr bool reserves_paths(Switching switching) {
  return switching == Switching::pipelined_circuit;
}

/// What a head does that reserves its path and finds all channels busy that it may take.
enum class AtBusy : std::uint8_t { wait, retry, backtrack };
inline constexpr Choice kAtBusyWords[] = {
    {"wait", "it waits, and keeps the channels that it has reserved"},
    {"retry", "it goes back to its source and releases them; the source tries again after a back-off"},
    {"backtrack",
     "it goes back by one hop and releases that channel, and tries another port there, each port once; when "
     "it is back at its source and has tried all of them, the source tries again after a back-off"}};
/// Of keys about such heads, and about those that do not wait.
inline constexpr KeyEffect kWithReservedPaths = KeyEffect::only_with("router.switching", "pipelined-circuit");
inline constexpr KeyEffect kWithReturningHeads =
    kWithReservedPaths && KeyEffect::only_with("router.busy", "retry backtrack");

/// The words of router.switching.
struct SwitchingTechnique {
  Switching switching;
  Choice word;
};
inline constexpr SwitchingTechnique kSwitchingTechniques[] = {
    {Switching::wormhole, {"wormhole", "a head advances when the next buffer has room for one flit"}},
    {Switching::virtual_cut_through,
     {"virtual-cut-through", "a head advances when the next buffer has room for the whole message"}},
    {Switching::store_and_forward,
     {"store-and-forward",
      "as virtual cut-through, but only after the whole message has arrived in the buffer"}},
    {Switching::pipelined_circuit,
     {"pipelined-circuit",
      "a head reserves the whole path; data follows when an acknowledgement returns over it"}},
};

}  // namespace flitmend
