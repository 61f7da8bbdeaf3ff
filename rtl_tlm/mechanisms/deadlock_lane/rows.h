// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

/// Registers of a router for recovery from deadlock (DeadlockLane).
struct LaneState {
  Flit flit;                         ///< the deadlock buffer
  bool full = false;                 ///< a flit is in it
  std::uint16_t output = kNoVc;      ///< port by which the message in it leaves
  bool token = false;                ///< the token is here, and no head has it
  std::uint16_t token_from = kNoVc;  ///< port by which it came; kNoVc: it started here
  std::uint16_t recovering = kNoVc;  ///< input virtual channel whose head has captured the token
  std::uint16_t withheld = kNoVc;    ///< port whose switch slot of the last cycle was the lane's
};

namespace rows {

/// A single one, only with a deadlock buffer.
struct Lane : Row<LaneState, Heat::cold> {
  static constexpr RouteFsm kWithdrawn = RouteFsm::lane;
  static std::size_t count(const RouterShape& s) { return s.context.hardware.deadlock_timeout > 0; }
  static unsigned flits(const LaneState& lane) { return lane.full; }
};

}  // namespace rows
}  // namespace flitmend
