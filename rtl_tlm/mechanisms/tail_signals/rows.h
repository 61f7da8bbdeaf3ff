// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"
#include "rtl_tlm/signals/cut_message.h"

namespace flitmend {

/// The shadow register of an output virtual channel.
struct TailShadow : SentPacket {
  std::uint16_t came_from = kNoVc;  ///< input virtual channel to which tail_gone is owed; kNoVc: nobody
};
static_assert(sizeof(TailShadow) == 32);

/// Registers of a port for the signals that follow tails.
struct TailPort {
  VcMask lingering = 0;  ///< output virtual channels whose shadow register is in use
  VcMask owed = 0;       ///< input virtual channels: a tail has arrived, tail_gone has not been sent
};

/// Tails that wait for shadow registers, by 64 input virtual channels.
struct TailGates {
  Word closed = 0;           ///< the shadow register of their output virtual channel is in use
  Word waiting = 0;          ///< a tail at the front waits for that
  std::uint64_t waits = 0;   ///< tails that have waited
  std::uint64_t cycles = 0;  ///< for how long, in all
  // The signals that have arrived for output virtual channels.
  std::uint64_t received = 0;  ///< tail_received
  std::uint64_t gone = 0;      ///< tail_gone
};

namespace rows {

/// This row and those below exist only with shadow registers.
struct TailArrivals : LineArrivals<ControlLine::tail_received, ControlLine::tail_gone> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::tail_signals) ? all(s) : 0;
  }
};
/// By port.
struct TailPorts : Row<TailPort, Heat::hot> {
  static const MechanismHooks kHooks;
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::tail_signals) ? s.ports : 0;
  }
};
/// By word of input ids.
struct TailWords : Row<TailGates, Heat::hot> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::tail_signals) ? s.vc_words : 0;
  }
  static void reset(TailGates& gates, std::size_t, const RouterShape&) { gates.closed = gates.waiting = 0; }
};

/// By output id.
struct TailShadows : Row<TailShadow, Heat::cold> {
  static std::size_t count(const RouterShape& s) {
    return s.context.hardware.has(Mechanism::tail_signals) ? s.ids : 0;
  }
};

}  // namespace rows
}  // namespace flitmend
