// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/register_traces.h"

#include <algorithm>
#include <utility>

namespace flitmend {

void RegisterTraces::update_copies() {
  for (TracedCopy* copy : copies_) copy->update();
}

TracedCopy::TracedCopy(RegisterTraces& traces, unsigned width, Read read)
    : traces_(traces),
      read_(std::move(read)),
      none_(sc_dt::sc_logic(sc_dt::SC_LOGIC_Z), static_cast<int>(width)),
      value_(none_) {
  update();
  traces_.copies_.push_back(this);
}

TracedCopy::~TracedCopy() {
  const auto end = std::remove(traces_.copies_.begin(), traces_.copies_.end(), this);
  traces_.copies_.erase(end, traces_.copies_.end());
}

void TracedCopy::update() {
  const std::optional<std::uint64_t> now = read_();
  if (now == last_) return;
  last_ = now;
  if (now)
    value_ = *now;
  else
    value_ = none_;
}

}  // namespace flitmend
