// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "rtl_tlm/context.h"

namespace flitmend {

/// The memory of a sender: the messages that it keeps because their delivery is not certain yet.
class SenderMemory {
 public:
  explicit SenderMemory(NetworkContext& context) : context_(context) {}

  void keep(MessageIndex message) {
    ++messages_;
    bytes_ += bytes(message);
    RecoveryCounters& counters = context_.recovery_counters;
    counters.peak_sender_bytes = std::max(counters.peak_sender_bytes, bytes_);
    counters.kept_bytes.add(context_.next_cycle, bytes(message));
  }
  void drop(MessageIndex message) {
    --messages_;
    bytes_ -= bytes(message);
    context_.recovery_counters.kept_bytes.remove(context_.next_cycle, bytes(message));
  }
  bool empty() const { return messages_ == 0; }
  void clear() {
    context_.recovery_counters.kept_bytes.remove(context_.next_cycle, bytes_);
    messages_ = bytes_ = 0;
  }

 private:
  std::uint64_t bytes(MessageIndex message) const {
    return std::uint64_t{context_.messages[message].length} * context_.hardware.link.flit_bytes;
  }

  NetworkContext& context_;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace flitmend
