// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/kills/kills.h"

namespace flitmend {

constinit const MechanismHooks rows::PadsArrived::kHooks{
    .add_pulses = [](const RouterState& state, ControlLinePulses& pulses) {
      pulses[static_cast<unsigned>(ControlLine::pad)] += state.pads_arrived();
    }};

}  // namespace flitmend
