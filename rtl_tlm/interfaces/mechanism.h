// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <initializer_list>

namespace flitmend {

/// Hardware that a recovery protocol adds to routers and network interfaces: by folder of
/// rtl_tlm/mechanisms. To add one, add it here, and name its rows in RouterRows (registers/router_rows.h).
enum class Mechanism : std::uint8_t {
  copies,        ///< of every flit in the router before (two-step flow control)
  tail_signals,  ///< shadow registers, and the signals that follow tails
  circuits,      ///< paths are held until they are acknowledged
  kills,         ///< kill lines, which tear down a message
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
/// Those whose signals a router withholds until a flit has been consumed
/// (HardwareParameters::consumed_after).
inline constexpr MechanismSet kWithholdSignals{Mechanism::copies, Mechanism::tail_signals};

}  // namespace flitmend
