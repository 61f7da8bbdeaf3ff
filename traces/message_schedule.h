// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "rtl_tlm/signals/message.h"
#include "topologies/topology.h"

namespace flitmend {

/// When messages are sent that may wait for others: packets of a trace, requests and replies.
///
/// The order in which deliveries of one cycle are reported does not matter, as long as all are reported
/// before that cycle or the next one is requested.
class MessageSchedule {
 public:
  using Handle = std::uint32_t;  ///< identifies a message from pop() to delivered(); reused

  struct Packet {
    Handle handle = 0;
    NodeId source = 0;
    NodeId destination = 0;
    std::uint32_t length = 0;  ///< flits: head, tail and ceil(bytes / flit_bytes) data flits
    std::uint32_t bytes = 0;   ///< 0: data flits without content
    Cycle ready = 0;           ///< cycle in which it enters its source queue
    std::uint32_t id = 0;
    std::uint64_t content = 0;  ///< fills its bytes, again and again
    std::uint32_t address = 0;
    std::uint32_t flow = 0;  ///< Workload::flows
  };

  virtual ~MessageSchedule() = default;
  /// The next message that is ready at or before `now`; none if there is none (yet).
  virtual std::optional<Packet> pop(Cycle now) = 0;
  /// The cycle for the next call if nothing is delivered before; kNever if everything left waits for a
  /// delivery, or nothing is left.
  virtual Cycle next_cycle() const = 0;
  /// The message was delivered in that cycle. Throws ContractError if it is not in the network.
  virtual void delivered(Handle, Cycle) = 0;
  /// The message was abandoned in that cycle, or lost.
  virtual void undeliverable(Handle, Cycle) = 0;
  /// Whether all messages have been delivered or abandoned.
  virtual bool finished() const = 0;
};

}  // namespace flitmend
