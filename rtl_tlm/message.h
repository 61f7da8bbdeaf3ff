// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_tlm/flit.h"
#include "topologies/topology.h"

namespace flitmend {

using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// What a message is for.
enum class MessageKind : std::uint8_t { data, read_request, read_reply };

/// A message (or a sub-message of a broken one) as its flits name it. In hardware these fields stand in the
/// head flit; here every flit points to them. Times are clock cycles.
struct alignas(64) Message {
  Cycle created = 0;   ///< entered the source queue
  Cycle injected = 0;  ///< its head left the source queue for the first time
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t length = 0;  ///< flits, head and tail included
  /// Running number of the messages that processing elements created at its source: 0, 1, 2, … (control
  /// messages of recovery protocols are not counted). (source, id) names the message for protocols and
  /// scoreboard.
  std::uint32_t id = 0;
  MessageIndex original = kNoMessage;  ///< of a sub-message: the message that it continues
  std::uint32_t received = 0;          ///< flits that the destination has consumed
  /// Router-to-router channels that the head has crossed, or has been given where no recovery unit is: there
  /// the head is written when it gets its virtual channel.
  std::uint16_t hops = 0;
  std::uint16_t sub_message = 0;  ///< SSNF, the sub-message serial number; 0: the first
  MessageKind kind = MessageKind::data;
  std::uint8_t message_class = 0;
  bool carries_bytes = false;  ///< its data flits bring bytes of its transaction
  /// Routing state h of the head: at first that of RoutingFunction::initial_state, then the h′ of the
  /// candidate that it took last, written with `hops`. A message that is sent again starts anew: whoever
  /// queues it sets both.
  std::uint64_t head_state = 0;
  void* transaction = nullptr;  ///< what the network interface hangs on it
};

static_assert(sizeof(Message) == 64);  // one cache line

/// All descriptors of a fabric. Indices are reused, addresses never move; a free list keeps allocation off
/// the heap in steady state.
class MessagePool {
 public:
  MessageIndex allocate();
  void release(MessageIndex);
  Message& operator[](MessageIndex i) { return blocks_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  const Message& operator[](MessageIndex i) const { return blocks_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  /// Calls f(index) for every descriptor in use, by index. O(capacity).
  template <class F>
  void for_each_in_use(F&& f) const {
    std::vector<bool> free(size_);
    for (const MessageIndex i : free_) free[i] = true;
    for (MessageIndex i = 0; i < size_; ++i)
      if (!free[i]) f(i);
  }
  std::size_t in_use() const { return size_ - free_.size(); }
  std::size_t capacity() const { return size_; }

 private:
  static constexpr unsigned kBlockBits = 12;
  static constexpr MessageIndex kBlockSize = 1u << kBlockBits;
  std::vector<std::unique_ptr<Message[]>> blocks_;
  std::vector<MessageIndex> free_;
  MessageIndex size_ = 0;
};

}  // namespace flitmend
