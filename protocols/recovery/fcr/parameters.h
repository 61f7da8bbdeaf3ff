// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "protocols/recovery/guard.h"
#include "protocols/recovery/settings.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/parameters.h"

namespace flitmend::fcr {

extern const OptionKey kTimeoutBackoff, kCapacity;

/// Flits of the guard's acknowledgement.
inline constexpr std::uint32_t kControlLength = 4;

/// How messages are padded: far enough that the first pad reaches the receiver before the tail leaves the
/// source. From then on the rest of the message can be lost.
struct Padding {
  unsigned capacity = 0;    ///< flits that a hop holds (Bcap of [SBRP]); 0: what the hardware really holds
  unsigned extra_hops = 0;  ///< beyond a shortest path: two per misroute
  const HardwareParameters* hardware = nullptr;  ///< of the network

  std::uint32_t flits(unsigned hops) const {
    const unsigned longest = hops + extra_hops;
    return capacity > 0 ? capacity * longest : hardware->flits_on_way(longest);
  }
  /// Flits on the wires of a message over that distance.
  std::uint32_t padded(std::uint32_t length, unsigned hops) const {
    return std::max(length, 2u) + flits(hops);
  }
  /// Number of the first flit after the data: the first pad or, without padding, the tail.
  static std::uint32_t first_pad(std::uint32_t length) { return length > 1 ? length - 1 : 1; }
};

/// What the ends need to know.
struct Parameters {
  Padding padding;
  Cycle timeout = 0;                  ///< T_out; 0: computed from the length
  Cycle head_wait = 0;                ///< how long routers let a head wait at a fault
  std::uint32_t fault_backoff = 0;    ///< longest wait before a message is sent again, after a kill
  std::uint32_t timeout_backoff = 0;  ///< … after T_out
  Guard guard;

  /// Throws KeyError if T_out is too short.
  Parameters(const RecoverySettings&, const RoutingSettings&);
  /// Throws KeyError if an explicit T_out is not longer than a message may stall at zero load. `hardware`
  /// fits its topology.
  void check(const HardwareParameters& hardware) const;

  /// T_out of a packet of that length. The default allows for a head that waits at a fault until it is
  /// abandoned, twice the longest stall at zero load, and one packet per virtual channel on each link.
  Cycle timeout_of(std::uint32_t length) const {
    const HardwareParameters& h = *padding.hardware;
    return timeout > 0 ? timeout
                       : std::max(head_wait, 2 * Cycle{h.longest_stall()}) +
                             h.sending_cycles(h.router.virtual_channels * length);
  }
  /// For how long a packet of which no flit is left may still hold virtual channels on its way: until the
  /// kills that tear it down have passed every router, from both ends.
  Cycle teardown_cycles(unsigned hops) const;
};

}  // namespace flitmend::fcr
