// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// A message that a node is to send.
struct NewMessage {
  Cycle cycle = 0;  ///< in which it enters the source queue
  NodeId destination = 0;
  std::uint32_t length = 0;  ///< flits
  std::uint32_t flow = 0;    ///< Workload::flows
};

/// The messages of one node, in order.
class MessageSource {
 public:
  virtual ~MessageSource() = default;
  /// Cycle of the next message; kNever: there is none. The source may sleep until then.
  Cycle next_arrival() const { return next_; }
  /// The message of next_arrival(), which must not be kNever; advances to the next message.
  virtual NewMessage take() = 0;

 protected:
  Cycle next_ = kNever;  ///< next_arrival(); take() advances it
};

}  // namespace flitmend
