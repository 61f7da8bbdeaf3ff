// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/packet_observer.h"
#include "testbench/scoreboard/scoreboard.h"

namespace flitmend {

/// What became of the first message that a fault hit: when the fault struck, when its sender was asked to
/// send again, when it did, and when the message was complete.
class FaultStory final : public ScoreboardObserver, public PacketObserver {
 public:
  struct Moment {
    const char* name;
    Cycle cycle;
  };

  /// Of the first message hit in these cycles.
  FaultStory(Cycle from, Cycle to) : from_(from), to_(to) {}

  /// Those that have happened, in order; nothing if no message was hit.
  const std::vector<Moment>& moments() const { return moments_; }
  bool begun() const { return !moments_.empty(); }
  bool ended() const { return ended_; }
  // Of the message, once the story has begun:
  NodeId source() const { return source_; }
  NodeId destination() const { return destination_; }
  std::uint32_t id() const { return id_; }
  bool about(const Message& message) const {
    return begun() && message.kind != MessageKind::control && message.source == source_ && message.id == id_;
  }

  void message_hit(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;
  void message_lost(MessageIndex, const Message&, Cycle) override;
  void message_undeliverable(MessageIndex, const Message&, Cycle) override;
  void message_resent(MessageIndex, const Message& original, Cycle) override;
  void control_sent(MessageIndex, const Message&, Cycle) override;

 private:
  bool told(const Message&) const;
  void end(const Message&, const char* how, Cycle);

  Cycle from_, to_;
  std::vector<Moment> moments_;
  NodeId source_ = 0, destination_ = 0;
  std::uint32_t id_ = 0;
  bool requested_ = false;
  bool restarted_ = false;
  bool ended_ = false;
};

}  // namespace flitmend
