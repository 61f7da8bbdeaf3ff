// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traces/waves/signal_tree.h"

namespace flitmend {

// The words and colours of the hardware's enums.
const WaveEnum& route_fsm_words();
const WaveEnum& pipeline_stage_words();
const WaveEnum& flit_kind_words();

}  // namespace flitmend
