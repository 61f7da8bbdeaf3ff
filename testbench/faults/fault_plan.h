// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "base/random_stream.h"
#include "testbench/faults/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// What fails: a router, or the channel that leaves it at a port.
struct FaultyPart {
  static constexpr PortId kRouter = 0xffff;
  RouterId router = 0;
  PortId port = kRouter;
  bool is_router() const { return port == kRouter; }
  friend auto operator<=>(const FaultyPart&, const FaultyPart&) = default;
};

/// A part fails or is back, after that cycle.
struct FaultAction {
  std::uint64_t cycle = 0;
  FaultyPart part;
  bool repair = false;
  bool permanent = false;
  friend bool operator==(const FaultAction&, const FaultAction&) = default;
};

/// When which parts of a network fail and are repaired. Depends on settings, topology and seed only; drawn as
/// the run goes on, from streams of its own. A fault that strikes what is faulty already extends that fault.
class FaultPlan {
 public:
  /// Throws KeyError for what is not in the network, listed faults of one part that overlap, or more random
  /// static faults than leave the rest connected.
  FaultPlan(const FaultSettings&, const Topology&, std::uint64_t seed);

  /// What is dead from the start.
  const std::vector<FaultyPart>& static_faults() const { return static_; }
  /// Cycle of the next action; kNoCycle: there is none.
  std::uint64_t next_cycle();
  /// The next action: in order of cycles, faults before repairs.
  FaultAction take();
  /// From that cycle on nothing strikes; what is faulty is repaired in its time. Before the first action is
  /// asked for.
  void last_strike_before(std::uint64_t cycle) { strikes_end_ = cycle; }

  static constexpr std::uint64_t kNoCycle = ~std::uint64_t{0};

 private:
  struct Pending {
    std::uint64_t cycle;
    bool repair;
    std::uint32_t part;      ///< index in parts_
    std::uint64_t duration;  ///< of a strike
    std::uint32_t stream;    ///< the stream that draws the next one; kNoStream: listed
    friend auto operator<=>(const Pending&, const Pending&) = default;
  };
  struct Part {
    FaultyPart part;
    std::uint64_t until = 0;  ///< faulty until after this cycle; 0: healthy
  };
  struct Stream {
    RandomStream random;
    double rate;
    std::vector<std::uint32_t> parts;  ///< that fail together
  };
  static constexpr std::uint32_t kNoStream = ~std::uint32_t{0};

  void add_static_faults(const FaultSettings&, std::uint64_t seed);
  void add_random_nodes(std::int64_t count, std::uint64_t seed);
  void add_random_links(std::int64_t count, std::uint64_t seed);
  void add_events(const FaultSettings&);
  void add_streams(const FaultSettings&, std::uint64_t seed);
  void draw(std::uint32_t stream, std::uint64_t after);
  void kill(const FaultyPart&);
  bool dead(const FaultyPart&) const;
  bool connected() const;
  std::uint32_t index_of(const FaultyPart&) const;
  /// Applies what is pending until there is an action to tell.
  void advance();

  const Topology& topology_;
  std::vector<FaultyPart> static_;
  std::vector<std::uint32_t> first_channel_;  ///< by router: index in parts_ of the channel at port 0
  std::vector<Part> parts_;                   ///< routers, then channels
  std::vector<Stream> streams_;
  std::uint64_t drawn_duration_ = 0;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::uint64_t strikes_end_ = kNoCycle;
  bool ready_ = false;
  FaultAction next_;
};

}  // namespace flitmend
