// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// The measured window: cycles begin ≤ c < end. end = kNever: until the end of the run.
struct MeasuredWindow {
  Cycle begin = 0;
  Cycle end = kNever;
  bool contains(Cycle c) const { return begin <= c && c < end; }
};

}  // namespace flitmend
