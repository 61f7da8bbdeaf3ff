// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <systemc>

namespace flitmend {

/// The request exclusion rule, or the response exclusion rule, on one path of a socket: from BEGIN_REQ to
/// END_REQ there is no other BEGIN_REQ, from BEGIN_RESP to END_RESP no other BEGIN_RESP.
class Exclusion {
 public:
  void begin() { busy_ = true; }
  /// The phase has ended with the return of our own call, `delay` after now.
  void end(const sc_core::sc_time& delay) {
    busy_ = false;
    free_at_ = delay == sc_core::SC_ZERO_TIME ? delay : sc_core::sc_time_stamp() + delay;
  }
  /// The element has ended the phase with a call of its own. If it did so at the time of a clock edge, that
  /// edge may be over, so in any case the next phase has to wait for the edge after it.
  void end_by_call(const sc_core::sc_time& delay) { end(std::max(delay, sc_core::sc_get_time_resolution())); }
  /// A phase has begun and not ended.
  bool busy() const { return busy_; }
  /// The next phase may begin now.
  bool free() const {
    return !busy_ && (free_at_ == sc_core::SC_ZERO_TIME || sc_core::sc_time_stamp() >= free_at_);
  }

 private:
  bool busy_ = false;
  sc_core::sc_time free_at_;  ///< SC_ZERO_TIME: since the phase ended
};

}  // namespace flitmend
