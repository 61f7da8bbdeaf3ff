// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "testbench/faults/fault_observer.h"
#include "testbench/faults/hit_phase.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/hit_results.h"

namespace flitmend {

/// Counts hits by stratum: kind of the fault, phase of what it hit, overlap with other faults; and how their
/// messages ended. A hit is a packet that the faults of one cycle cut, or cut again. The ledger knows the
/// whole fabric, but only counts.
class HitLedger final : public FaultObserver, public PacketObserver, public ScoreboardObserver {
 public:
  explicit HitLedger(Fabric&);

  void part_failing(const FaultyPart&, bool permanent, Cycle) override;
  void packet_cut(MessageIndex, const Message&, Cycle) override;
  void message_delivered(MessageIndex, const Message&, NodeId at, Cycle) override;
  void message_lost(MessageIndex, const Message&, Cycle) override;
  void message_undeliverable(MessageIndex, const Message&, Cycle) override;
  void message_void(MessageIndex, const Message&, Cycle) override;
  void violated(const Violation&) override;

  /// Every stratum with a hit, in a fixed order. After the run. `drained`: no message is in flight.
  std::vector<HitResults> results(bool drained) const;

 private:
  enum class Fate { open, delivered, lost, undeliverable };
  using MessageName = std::pair<NodeId, std::uint64_t>;  ///< source and id

  struct Hit {
    MessageName message;  ///< of a control message: not used
    NodeId source = 0;    ///< of the packet
    NodeId destination = 0;
    std::optional<HitPhase> phase;  ///< empty: it depends on the flits destroyed
    bool again = false;             ///< of a packet that was cut already
    Doom doom;
    std::uint32_t faults = 0;  ///< mask of the strike's faults
    std::size_t strike = 0;
  };
  struct Fault {
    FaultyPart part;  ///< of a link: the lower one of its channels
    bool permanent = false;
  };
  /// All faults of a cycle.
  struct Strike {
    Cycle cycle = 0;
    std::vector<Fault> faults;
    std::map<MessageIndex, std::pair<Doom, std::uint32_t>> doomed;  ///< with the mask of faults
    std::map<MessageIndex, std::size_t> hits;                       ///< index in hits_
  };
  struct Told {
    Fate fate = Fate::open;
    bool failed = false;
    bool guarded = false;  ///< the guard has sent it again, and it has arrived
    std::set<std::size_t> strikes;
  };

  Strike& strike_at(Cycle);
  std::uint32_t fault_bit(Strike&, const FaultyPart&, bool permanent) const;
  /// What cut a packet: a strike, and a mask of its faults.
  struct Cause {
    std::size_t strike = 0;
    std::uint32_t faults = 1;
  };
  /// The strike that cut a packet which is known to be cut at `cycle`.
  std::size_t strike_of(MessageIndex, Cycle cycle) const;
  /// The latest fault next to a router that lasts. Empty if there is none but static ones.
  std::optional<Cause> fault_next_to(RouterId) const;
  bool lasts(const FaultyPart&) const;
  void record(MessageIndex, const Message&, const Cause&, bool again);
  void settle(const Message&, Fate);
  bool failed(const Hit&) const;

  Fabric& fabric_;
  std::vector<Strike> strikes_;
  std::vector<Hit> hits_;
  std::map<MessageName, Told> messages_;              ///< those that were hit
  std::set<std::pair<NodeId, NodeId>> failed_pairs_;  ///< source and destination of failed messages
};

}  // namespace flitmend
