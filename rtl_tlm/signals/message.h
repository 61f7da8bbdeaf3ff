// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_tlm/signals/flit.h"
#include "topologies/topology.h"

namespace flitmend {

using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// Maximum number of absorptions of a message; beyond it the message is undeliverable.
inline constexpr std::uint8_t kMostAbsorptions = 255;
inline constexpr std::uint32_t kLongestMessage = 65535;  ///< flits

/// What a message is for.
enum class MessageKind : std::uint8_t {
  data,
  read_request,
  read_reply,
  write_reply,
  control  ///< of a recovery protocol
};
constexpr bool is_reply(MessageKind kind) {
  return kind == MessageKind::read_reply || kind == MessageKind::write_reply;
}

/// A message (or a sub-message of a broken one), to which its flits refer. In hardware these fields are
/// carried in the head flit; here every flit points to them. Times are clock cycles.
struct alignas(64) Message {
  Cycle created = 0;   ///< by a processing element; it may have waited for room in the source queue since
  Cycle injected = 0;  ///< its head left the source queue for the first time
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t length = 0;  ///< flits, head and tail included
  /// Running number of the messages that processing elements created at its source: 0, 1, 2, … (control
  /// messages of recovery protocols are not counted). (source, id) names the message for protocols and
  /// scoreboard.
  std::uint32_t id = 0;
  MessageIndex original = kNoMessage;  ///< for a recovery protocol's packet: the message that it carries
  std::uint32_t received = 0;          ///< flits that the destination has consumed
  /// Router-to-router channels that the head has crossed. A channel is counted when the head leaves or, with
  /// CyclePath::plain, when the head is granted its virtual channel.
  std::uint16_t hops = 0;
  std::uint16_t sub_message = 0;  ///< SSNF: serial number of the sub-message, from 0
  MessageKind kind = MessageKind::data;
  std::uint8_t message_class = 0;
  std::uint8_t absorptions = 0;    ///< by interfaces on its way, which injected it again
  bool carries_bytes : 1 = false;  ///< its data flits carry bytes of its transaction
  bool incomplete : 1 = false;     ///< some of its flits are gone without being consumed: MessagePool::loss
  bool hit : 1 = false;            ///< a fault has cut it or a packet that carries it
  bool guarded : 1 = false;        ///< a guard has found it lost
  bool committed : 1 = false;      ///< of a padded packet: all data have arrived
  /// Routing state h of the head: first RoutingFunction::initial_state, then the h′ of the last candidate
  /// taken, written together with `hops`. When a message is sent again, the sender resets both.
  std::uint64_t head_state = 0;
  void* transaction = nullptr;  ///< set by the network interface
};

static_assert(sizeof(Message) == 64);  // one cache line

/// Data flits of a message of that length: all but head and tail.
inline std::uint32_t data_flits(std::uint32_t length) {
  return length > 2 ? length - 2 : 0;
}

/// What an incomplete message has lost. Separate from the descriptor, because a message that no fault hits
/// never needs it.
struct MessageLoss {
  std::uint32_t gone = 0;      ///< flits lost in a fault, discarded, or never sent
  std::uint32_t appended = 0;  ///< broken tails that routers appended
  Cycle hit = kNever;          ///< when a fault first hit it; kNever: never
  /// The router in which its head had waited too long at a fault when that hit it; kNowhere: it was cut.
  static constexpr std::uint32_t kNowhere = ~0u;
  std::uint32_t waited_in = kNowhere;
  bool unreachable = false;  ///< one of its heads found no route and was dropped
  bool delivered = false;    ///< it arrived whole; only copies are left
  bool listed = false;       ///< in BrokenMessages' list of changes
};

/// Fields of a recovery protocol's messages beyond the descriptor, and the sender's state of an original.
/// Separate from the descriptor, because messages without a protocol do not need them.
struct ProtocolFields {
  std::uint32_t sequence = 0;  ///< per destination; in a control message: number or id of its subject
  std::uint32_t first = 0;     ///< FSN: number of the packet's first data flit within the message
  /// In a recovery request: flits of the packet that left for the fault. In a padded packet: flits before
  /// the padding.
  std::uint32_t flits = 0;
  std::uint32_t oldest = 0;   ///< in a packet: oldest message id that its sender still keeps
  std::uint16_t request = 0;  ///< number of a recovery request, and in the answer to it
  std::uint8_t control = 0;   ///< type of a control message, as the protocol enumerates them
  std::uint8_t flags = 0;     ///< of a control message, likewise
  /// Of the rest of a packet that a router has restarted: that packet. Its descriptor lives equally long,
  /// because routers may keep copies under both names.
  MessageIndex part_of = kNoMessage;
  /// Of an original: descriptors that name it, and notices of its delivery. Of a packet: what else holds it.
  std::uint16_t packets = 0;
  std::uint16_t exit = 0;   ///< of a packet whose path is held: input virtual channel that its tail left last
  bool asks = false;        ///< of a control message: it asks for message `sequence` of its destination
  bool holds_path = false;  ///< of a packet: its head has left, and its path is held at its source
  // For an original:
  bool delivered : 1 = false;  ///< for observers; the sender does not know it
  bool closed : 1 = false;     ///< the sender is done with it
  bool forgotten : 1 = false;  ///< … without knowing its end: undelivered, it is lost and not abandoned
};

static_assert(sizeof(ProtocolFields) <= 32);

/// All descriptors of a fabric. Indices are reused, addresses never change. A free list avoids heap
/// allocation in steady state.
class MessagePool {
 public:
  MessageIndex allocate();
  void release(MessageIndex);
  Message& operator[](MessageIndex i) { return blocks_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  const Message& operator[](MessageIndex i) const { return blocks_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  /// Only for a message that is incomplete.
  MessageLoss& loss(MessageIndex i) { return losses_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  const MessageLoss& loss(MessageIndex i) const { return losses_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  /// Only for messages of a recovery protocol.
  ProtocolFields& fields(MessageIndex i) { return fields_[i >> kBlockBits][i & (kBlockSize - 1)]; }
  const ProtocolFields& fields(MessageIndex i) const {
    return fields_[i >> kBlockBits][i & (kBlockSize - 1)];
  }
  /// Gives a message these fields.
  ProtocolFields& begin_fields(MessageIndex);
  /// Makes a message incomplete, with nothing gone yet.
  MessageLoss& begin_loss(MessageIndex);
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
  template <class T>
  T& begin(std::vector<std::unique_ptr<T[]>>& lines, MessageIndex);

  static constexpr unsigned kBlockBits =
      6;  // small: a search copies the descriptors of a network for each case
  static constexpr MessageIndex kBlockSize = 1u << kBlockBits;
  std::vector<std::unique_ptr<Message[]>> blocks_;
  std::vector<std::unique_ptr<MessageLoss[]>> losses_;  ///< null until a message of the block is incomplete
  std::vector<std::unique_ptr<ProtocolFields[]>> fields_;  ///< the same for messages of protocols
  std::vector<MessageIndex> free_;
  MessageIndex size_ = 0;
};

}  // namespace flitmend
