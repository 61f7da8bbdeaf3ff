// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/control_line.h"

namespace flitmend {

class Fabric;

/// How often each control line has been raised for a virtual channel, on all channels between routers.
/// Lines that arrive as credits do are counted where they arrive at a router, from the next router or from
/// its interface.
ControlLinePulses control_line_pulses(const Fabric&);

}  // namespace flitmend
