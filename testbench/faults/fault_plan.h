// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "base/random_stream.h"
#include "testbench/faults/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// The nodes of a region such as "box 2,3:2x4", "L …", "U …", "T …", "plus …" (see faults.regions). Shapes
/// other than box have two dimensions or extents of 1 in all but the first two. Throws ConfigurationError.
std::vector<NodeId> fault_region(const std::string& text, const Topology&);

/// What fails: a router, or its outgoing channel at a port.
struct FaultyPart {
  static constexpr PortId kRouter = 0xffff;
  RouterId router = 0;
  PortId port = kRouter;
  bool is_router() const { return port == kRouter; }
  friend auto operator<=>(const FaultyPart&, const FaultyPart&) = default;
};

/// "router_3_4", "router_3_4.east".
std::string part_name(const FaultyPart&, const Topology&);

/// A part fails, or is repaired, after that cycle.
struct FaultAction {
  std::uint64_t cycle = 0;
  FaultyPart part;
  bool repair = false;
  bool permanent = false;
  bool candidate = false;  ///< of faults.aim: nothing happens unless FaultPlan::strike() is called
  friend bool operator==(const FaultAction&, const FaultAction&) = default;
};

/// The parts of a candidate of faults.aim: nodes, or links with both their channels.
using FaultCandidate = std::vector<std::vector<FaultyPart>>;

/// Which parts of a network fail and are repaired, and when. It depends on settings, topology and seed only,
/// and is drawn during the run from its own random streams. A drawn fault of a part that is already faulty
/// extends that fault. Candidates of faults.aim are drawn in the same way; whoever takes them decides which
/// ones strike.
class FaultPlan {
 public:
  static constexpr std::uint64_t kNoCycle = ~std::uint64_t{0};

  /// Throws KeyError if a part is not in the network, if listed faults of one part overlap, or if the rest
  /// cannot stay connected with that many random static faults.
  FaultPlan(const FaultSettings&, const Topology&, std::uint64_t seed);

  /// Parts that are faulty from the start.
  const std::vector<FaultyPart>& static_faults() const { return static_; }
  /// The same, and those that a listed permanent fault kills during the run.
  const std::vector<FaultyPart>& listed_permanent_faults() const { return permanent_; }
  /// Parts that fail for certain: those that are faulty from the start, and those of faults.events.
  const std::vector<FaultyPart>& certain_faults() const { return certain_; }
  /// Cycle of the next action; kNoCycle if there is none. The plan looks no further than `horizon`, and
  /// returns that if it has found none: faults of parts that are faulty already can be drawn forever.
  std::uint64_t next_cycle(std::uint64_t horizon = kNoCycle);
  /// Whether the next action is in that cycle or an earlier one.
  bool due(std::uint64_t cycle) { return next_cycle(cycle) <= cycle && ready_; }
  /// The next action. Actions are ordered by cycle; within a cycle, faults come before repairs.
  FaultAction take();
  const AimSettings& aim() const { return aim_; }
  /// The parts of the candidate taken last; empty if it cannot strike: a part is faulty, or it is too early.
  const FaultCandidate& candidate() const { return candidate_; }
  /// The candidate taken last strikes: the next actions say so. At once, before the next action is looked at.
  void strike();
  /// Whether a part is faulty now, and will be repaired.
  bool will_be_repaired(const FaultyPart&) const;
  /// The same of any part.
  bool repairs_pending() const;
  /// Whether a part is permanently faulty.
  bool dead(const FaultyPart&) const;
  /// No fault strikes from that cycle on; repairs still happen. Call it before next_cycle() and take().
  void last_strike_before(std::uint64_t cycle) { strikes_end_ = cycle; }

 private:
  struct Pending {
    std::uint64_t cycle;
    bool repair;
    std::uint32_t part;      ///< index in parts_
    std::uint64_t duration;  ///< for a strike
    std::uint32_t stream;    ///< the stream that draws the next one; kNoStream: listed
    friend auto operator<=>(const Pending&, const Pending&) = default;
  };
  struct Part {
    FaultyPart part;
    std::uint64_t until = 0;  ///< faulty until after this cycle; 0: healthy
    bool drawn = false;       ///< a stream of random faults strikes it
  };
  struct Stream {
    RandomStream random;
    double rate;
    std::vector<std::uint32_t> parts;  ///< parts that fail together
    bool candidates = false;           ///< of faults.aim
  };
  using Group = std::vector<std::uint32_t>;  ///< parts that fail together
  static constexpr std::uint32_t kNoStream = ~std::uint32_t{0};

  void add_static_faults(const FaultSettings&, std::uint64_t seed);
  void add_random_nodes(std::int64_t count, std::uint64_t seed);
  void add_random_links(std::int64_t count, std::uint64_t seed);
  void add_events(const FaultSettings&);
  void add_streams(const FaultSettings&, std::uint64_t seed);
  void draw(std::uint32_t stream, std::uint64_t after);
  /// Indices of the parts of a random neighbour of these: a node next to a node, a link next to a link.
  Group draw_neighbour(const Group& parts, RandomStream&) const;
  void check_aim(const AimSettings&) const;
  void add_candidates(const AimSettings&, std::uint64_t seed);
  /// Notes the candidate that a stream has drawn.
  void prepare_candidate(const Pending&);
  void kill(const FaultyPart&);
  bool connected() const;
  std::uint32_t index_of(const FaultyPart&) const;
  /// Applies pending events up to that cycle, until there is an action to report.
  void advance(std::uint64_t horizon);

  const Topology& topology_;
  std::vector<FaultyPart> static_;
  std::vector<FaultyPart> permanent_;
  std::vector<FaultyPart> certain_;
  std::vector<std::uint32_t> first_channel_;  ///< by router: index in parts_ of the channel at port 0
  std::vector<Part> parts_;                   ///< routers, then channels
  std::vector<Stream> streams_;
  AimSettings aim_;
  FaultCandidate candidate_;
  std::int64_t aimed_strikes_ = 0;
  std::uint64_t aimed_from_ = 0;  ///< no candidate before this cycle strikes
  std::uint64_t drawn_duration_ = 0;
  std::int64_t drawn_at_once_ = 1;
  std::size_t to_strike_ = 0;  ///< parts with `drawn` that are not dead; without any, no more are drawn
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t strikes_end_ = kNoCycle;
  bool ready_ = false;
  FaultAction next_;
};

}  // namespace flitmend
