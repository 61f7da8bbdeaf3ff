// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/control_line.h"

namespace flitmend {

class Fabric;

/// How often each control line has been raised for a virtual channel, on all channels between routers.
/// Lines that arrive as credits do are counted where they arrive at a router, from the next router or from
/// its interface.
ControlLinePulses control_line_pulses(const Fabric&);

/// Control flits that routers have sent over held paths: one per hop of an acknowledgement, of a kill, and of
/// a head that goes back.
std::uint64_t control_flits(const Fabric&);

}  // namespace flitmend
