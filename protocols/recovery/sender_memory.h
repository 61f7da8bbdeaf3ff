// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "rtl_tlm/context.h"

namespace flitmend {

/// Cycles that an acknowledgement of that many flits needs from one node to another in an idle network, from
/// its creation until its tail has been consumed. A lower bound where a buffer holds fewer flits than its
/// credit loop takes cycles.
inline Cycle acknowledgement_cycles(const NetworkContext& context, NodeId from, NodeId to,
                                    std::uint32_t flits) {
  const HardwareParameters& h = context.hardware;
  const Cycle links = context.topology.distance(from, to);
  return links * h.hop_cycles() + h.router.pipeline.sum() + h.network_interface.injection_latency +
         h.network_interface.ejection_cycles() + h.sending_cycles(flits - 1);
}

/// The memory of a sender: the messages that it keeps because their delivery is not certain yet.
class SenderMemory {
 public:
  explicit SenderMemory(NetworkContext& context) : context_(context) {}

  void keep(MessageIndex message) {
    const Cycle now = context_.next_cycle;
    while (expiry_.due(now)) bytes_ -= expiry_.take().second;
    ++messages_;
    bytes_ += bytes(message);
    assumed_bytes_ += bytes(message);
    RecoveryCounters& counters = context_.recovery_counters;
    counters.peak_sender_bytes = std::max(counters.peak_sender_bytes, bytes_);
    counters.assumed_peak_sender_bytes = std::max(counters.assumed_peak_sender_bytes, assumed_bytes_);
    counters.kept_bytes.add(now, bytes(message));
    counters.assumed_kept_bytes.add(now, bytes(message));
  }
  /// The sender is done with a message. `known`: the cycle in which hardware would know that; the copy counts
  /// as kept to its end.
  void drop(MessageIndex message, Cycle known = 0) {
    const Cycle end = std::max(context_.next_cycle, known + 1);
    --messages_;
    assumed_bytes_ -= bytes(message);
    context_.recovery_counters.assumed_kept_bytes.remove(context_.next_cycle, bytes(message));
    expiry_.add(end, bytes(message));
    context_.recovery_counters.kept_bytes.remove_at(end, bytes(message));
  }
  std::size_t messages() const { return messages_; }
  bool empty() const { return messages_ == 0; }
  void clear() {
    context_.recovery_counters.kept_bytes.remove(context_.next_cycle, assumed_bytes_);
    context_.recovery_counters.assumed_kept_bytes.remove(context_.next_cycle, assumed_bytes_);
    bytes_ -= assumed_bytes_;
    messages_ = assumed_bytes_ = 0;
  }

 private:
  std::uint64_t bytes(MessageIndex message) const {
    return std::uint64_t{context_.messages[message].length} * context_.hardware.link.flit_bytes;
  }

  NetworkContext& context_;
  std::size_t messages_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t assumed_bytes_ = 0;  ///< of the messages with which the simulator is not done
  ByteExpiry expiry_;
};

}  // namespace flitmend
