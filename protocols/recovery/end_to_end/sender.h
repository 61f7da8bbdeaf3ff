// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <compare>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "protocols/recovery/end_to_end/window.h"
#include "protocols/recovery/retry_limit.h"
#include "protocols/recovery/sender_memory.h"
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend::end_to_end {

inline constexpr std::uint32_t kControlLength = 3;  ///< flits of a control message

/// Control messages.
enum class Control : std::uint8_t {
  acknowledgement = 1,
  refusal,         ///< a broken piece has arrived
  request_buffer,  ///< six-step
  buffer_ready,    ///< the answer to it
  /// Acknowledges everything that has arrived. Sent for delayed acknowledgements; messages also carry it.
  selective_acknowledgement
};

/// Parameters of both ends.
struct Parameters {
  std::uint64_t timeout = 0;  ///< 0: computed from distance and length
  RetryLimit retry_limit;     ///< of retries without an answer; then the destination is abandoned
  bool six_step = false;      ///< a message waits for a buffer at its receiver [SBRP Fig. 38]
  /// Cycles that an acknowledgement waits for a message that carries it; 0: it does not wait.
  std::uint64_t acknowledgement_delay = 0;
};

/// The sending end at a node: numbers the messages to each destination, keeps a copy of each until it is
/// acknowledged, and sends it again when its timer expires.
class Sender {
 public:
  /// Memory per node of the network, as soon as it has sent a message.
  static constexpr std::size_t kBytesPerDestination = sizeof(std::uint32_t);

  Sender(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original);
  /// The last flit of a packet has left: its timer starts.
  void sent(Cycle t, MessageIndex packet);
  void acknowledged(Cycle t, NodeId destination, std::uint32_t sequence);
  /// All before `first` have arrived, and those from it on whose bit is set.
  void acknowledged_selectively(Cycle t, NodeId destination, std::uint32_t first, std::uint8_t bits);
  /// The receiver has a buffer for the message: its data may go.
  void buffer_ready(NodeId destination, std::uint32_t sequence);
  /// A broken piece of the message has reached the receiver: the message is sent again at once.
  void refused(Cycle t, NodeId destination, std::uint32_t sequence);
  /// A packet is gone; its descriptor is released.
  void packet_gone(Cycle t, MessageIndex packet);
  /// The same for a request for a buffer.
  void request_gone(Cycle t, MessageIndex request);
  void node_died(Cycle t);
  void evaluate(Cycle t) {
    if (t >= next_due()) expire_timers(t);
  }
  bool busy() const { return !memory_.empty(); }
  /// No timer ends before that cycle.
  Cycle next_due() const { return timers_.empty() ? kNever : timers_.top().due; }
  /// Messages waiting because their windows are full.
  std::size_t waiting() const { return waiting_; }
  void clear();

 private:
  struct Slot {
    MessageIndex original = kNoMessage;  ///< kNoMessage: acknowledged
    Cycle due = kNever;     ///< when its timer expires; kNever: a packet of it waits or is being sent
    bool buffered = false;  ///< six-step: its receiver has a buffer for it
    std::uint32_t tries = 0;
    std::uint32_t unanswered = 0;  ///< retries since the last refusal
  };
  /// When the first timer of a pair expires.
  struct Timer {
    Cycle due;
    std::uint32_t pair;  ///< index in pairs_
    auto operator<=>(const Timer&) const = default;
  };
  /// Messages under way to one destination.
  struct Pair {
    NodeId destination = 0;
    std::uint32_t first = 0;  ///< the first sequence number of the window
    std::uint32_t next = 0;   ///< the next one to assign
    std::array<Slot, kWindow> slots;
    RingQueue<MessageIndex> waiting;  ///< messages waiting because the window is full
    bool unreachable = false;         ///< abandoned permanently
    Cycle armed = kNever;             ///< the cycle of its Timer that counts
    Slot& slot(std::uint32_t sequence) { return slots[sequence % kWindow]; }
    bool open(std::uint32_t sequence) const { return sequence - first < next - first; }
  };

  Pair& pair(NodeId destination);
  /// The slot of a packet's message while it is not acknowledged; of a request for a buffer, while there is
  /// none.
  Slot* slot_of(MessageIndex packet);
  Slot* slot_of_request(MessageIndex request);
  /// Six-step: its receiver has been asked, or will be, and its data wait.
  bool waits_for_buffer(const Slot& slot) const { return parameters_.six_step && !slot.buffered; }
  void fill(Pair&);
  /// The data of a message, or the request for a buffer that comes before them.
  void transmit(Pair&, std::uint32_t sequence, InjectionPriority);
  void ask_for_buffer(Pair&, std::uint32_t sequence);
  void expire_timers(Cycle t);
  /// A timer of a pair ends in that cycle.
  void arm(std::uint32_t pair, Cycle due);
  void repeat(Cycle t, Pair&, std::uint32_t sequence);
  /// A destination is unreachable: all messages to it are undeliverable.
  void give_up(Cycle t, Pair&);
  /// The sender is done with a message, and forgets it when its last packet is gone.
  void close(Cycle t, MessageIndex original);
  void slide(Pair&);
  Cycle timeout(const Pair&, const Slot&) const;

  NetworkInterface& interface_;
  NetworkContext& context_;
  Parameters parameters_;
  SenderMemory memory_;
  std::vector<std::uint32_t> pair_of_;  ///< by destination: index in pairs_ + 1; 0: none yet
  std::deque<Pair> pairs_;              ///< never move: notifications about one message may send another
  /// The next one to expire on top. Few per pair: most timers end unnoticed, because their messages have been
  /// acknowledged.
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::size_t waiting_ = 0;
};

}  // namespace flitmend::end_to_end
