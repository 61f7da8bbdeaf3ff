// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exploration/exhaustive/fault_space.h"
#include "exploration/search/arena.h"
#include "exploration/search/network.h"

namespace flitmend {

/// What is wrong with a case.
enum class FailureKind : unsigned {
  violation,        ///< of the contract, as the scoreboard finds it
  leftover,         ///< flits, credits, virtual channels or descriptors are not free in the empty network
  frozen,           ///< a message is under way, and nothing will ever move
  livelock,         ///< something moves, but the network is not empty in time
  deadlock,         ///< the watchdog has found one
  missed_deadlock,  ///< frozen, and the watchdog does not see it
  false_alarm,      ///< the watchdog saw a deadlock, but everything ended
  error,            ///< the model reported an error
};
inline constexpr unsigned kFailureKinds = 8;
/// "contract-violation", "left-over", …
const char* to_word(FailureKind);

/// What is wrong with one case.
struct CaseFailure {
  FailureKind kind;
  std::string what;
};

/// The smallest case of a kind: fewest faults, then the earliest last strike, then the shortest fault.
struct FoundFailure {
  std::uint64_t cases = 0;
  std::string what;                ///< of the smallest
  std::vector<FaultEvent> events;  ///< its faults
};

/// What a search has tried, and how the cases ended.
struct SearchTally {
  std::uint64_t single = 0;     ///< cases with one fault
  std::uint64_t pairs = 0;      ///< with two
  std::uint64_t permanent = 0;  ///< of both, those with a permanent fault
  std::uint64_t hit = 0;        ///< cases in which a fault hit a message
  // Cases that ended as the contract says, each counted under the first that applies:
  std::uint64_t abandoned = 0;  ///< a message was abandoned or void, and the judge confirms it
  std::uint64_t lost = 0;       ///< a message was lost, which the protocol does not exclude
  std::uint64_t guarded = 0;    ///< a guard sent a message again
  std::uint64_t resent = 0;     ///< the protocol did
  std::uint64_t untouched = 0;  ///< no message was sent again
  std::uint64_t deadlocks = 0;  ///< of those that may be: FaultSpace::allow_deadlock
  std::uint64_t edges = 0;      ///< clock edges evaluated
  Cycle fault_free = 0;         ///< cycles until the network without a fault is empty
  std::array<FoundFailure, kFailureKinds> failures;

  std::uint64_t cases() const { return single + pairs; }
};

/// Tries every fault, and every pair, at every cycle of a network's life. One per process.
class Search {
 public:
  /// The network was built inside the arena, which has been watched since, and has not been advanced yet.
  Search(SearchedNetwork&, const FaultSpace&);
  const SearchTally& run();

 private:
  struct Course;
  /// The course from the arena's state on, to its end. Counts it.
  void finish_case(const Course&);
  /// Every fault of the parts from `first_part` on after the cycle that was evaluated last, in that state. If
  /// there are to be two, every second one after it.
  void strike(const Course&, unsigned first_part, const Arena::Snapshot&);
  /// A second fault in the same cycle, of a later part, or in one of the next cycles.
  void strike_later(const Course&);
  /// Makes the repairs that are due, and evaluates the next edge, or the next one at which something happens.
  /// False if nothing happens at `most` or before.
  bool advance(const Course&, bool every_edge, Cycle most);
  /// Runs the course to its end, and judges it.
  std::optional<CaseFailure> outcome(const Course&);
  /// Judges the empty network. `alarm`: the watchdog has seen a deadlock.
  std::optional<CaseFailure> judge_empty(bool alarm);
  void count_end();
  void note(const CaseFailure&, const Course&);

  SearchedNetwork& network_;
  FaultSpace space_;
  std::vector<SearchedPart> parts_;
  SearchTally tally_;
  Arena::Snapshot first_, second_, later_;
};

}  // namespace flitmend
