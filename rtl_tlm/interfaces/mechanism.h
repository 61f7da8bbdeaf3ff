// SPDX-License-Identifier: Apache-2.0
#pragma once
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
  constexpr bool empty() const { return bits_ == 0; }

  friend constexpr bool operator==(MechanismSet, MechanismSet) = default;

 private:
  static constexpr std::uint32_t bit(Mechanism m) { return std::uint32_t{1} << static_cast<unsigned>(m); }

  std::uint32_t bits_ = 0;
};

}  // namespace flitmend
