// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/interfaces/message_observer.h"
#include "testbench/faults/fault_observer.h"
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

/// A channel that a head has crossed: it ends at that port of that router, which may be the local port.
struct PathHop {
  RouterId router = 0;
  unsigned port = 0;
  unsigned vc = 0;
  friend bool operator==(const PathHop&, const PathHop&) = default;
};

/// Where the message of a FaultStory was when the fault hit it, and where it went then: the channels that its
/// heads crossed, the part that failed, and the control lines that were raised for it. It looks at every
/// channel with an arrival in every cycle, so it is for runs that record waves.
class FaultPath final : public CycleObserver, public PacketObserver, public FaultObserver {
 public:
  /// Both must outlive the run.
  FaultPath(Fabric&, const FaultStory&);

  /// The id that the flits of the message carry: with 16 bits in SBRP.
  std::uint32_t id() const { return id_; }
  /// In the order in which a head crossed them for the first time.
  const std::vector<PathHop>& hops() const { return hops_; }
  /// What failed on the path, or next to its last router. None: the fault is older.
  const std::optional<FaultyPart>& failed() const { return failed_; }
  // The routers around the fault, by the channel by which the message came to them (docs/recovery.md). None
  // if the message did not get there, or did not go on.
  const std::optional<PathHop>& before() const { return before_; }  ///< C
  const std::optional<PathHop>& at() const { return at_; }          ///< B
  const std::optional<PathHop>& after() const { return after_; }    ///< A

  struct RaisedLine {
    PathHop hop;  ///< on whose channel
    ControlLine line;
    friend bool operator==(const RaisedLine&, const RaisedLine&) = default;
  };
  /// In the order in which they were raised for the first time, from the fault to a little after the end of
  /// the story.
  const std::vector<RaisedLine>& lines() const { return lines_; }

  void part_failing(const FaultyPart&, bool permanent, Cycle) override;
  void packet_cut(MessageIndex, const Message&, Cycle) override;
  void cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) override;
  Cycle needed_after(Cycle) const override { return kNever; }

 private:
  void head_arrives(MessageIndex, const PathHop&);
  void begin();
  void look_at_lines(Cycle t);
  const Channel* channel_into(const PathHop&) const;
  /// Index in the path of the message when it was cut: of the channel that ends at the part that failed.
  std::optional<std::size_t> hop_that_failed(const FaultyPart&) const;

  Fabric& fabric_;
  const FaultStory& story_;
  std::vector<std::vector<PathHop>> paths_;  ///< by descriptor, until the story begins
  std::vector<PathHop> cut_;                 ///< of the packet that was cut last
  Cycle cut_at_ = 0;
  std::uint32_t id_ = 0;
  struct Failing {
    FaultyPart part;
    Cycle cycle;
  };
  std::vector<Failing> failing_;  ///< in the latest cycle with a fault
  bool begun_ = false;
  Cycle ended_ = kNever;
  std::vector<PathHop> hops_;
  std::optional<FaultyPart> failed_;
  std::optional<PathHop> before_, at_, after_;
  std::vector<RaisedLine> lines_;
};

}  // namespace flitmend
