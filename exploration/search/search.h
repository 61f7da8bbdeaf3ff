// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "exploration/exhaustive/fault_space.h"
#include "exploration/search/arena.h"
#include "exploration/search/known_states.h"
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
struct SearchTally : CaseCounts {
  std::uint64_t merged = 0;  ///< cases that were not tried, because their second fault had struck that state
  std::uint64_t verified = 0;  ///< cases that were tried again
  std::uint64_t states = 0;    ///< different states in which a second fault was tried
  std::uint64_t edges = 0;     ///< clock edges evaluated
  Cycle fault_free = 0;        ///< cycles until the network without a fault is empty
  std::array<FoundFailure, kFailureKinds> failures;

  std::uint64_t failed() const;
};

/// Two courses to the same state differ afterwards: forget_history() forgets what matters.
class UnsoundMerge : public ContractError {
 public:
  using ContractError::ContractError;
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
  /// Every second fault in the present state, which is not known yet or is to be verified.
  void try_state(const Course&, unsigned first_part);
  /// The same, or what is known of an equal state unless that is to be verified. Brings the network back to
  /// the present state.
  KnownState* try_or_merge(const Course&, bool verify);
  bool to_be_verified();
  /// What the future of the present state depends on.
  Digest key_of(const Course&) const;
  /// Advances to the next cycle between two faults. False: there is none.
  bool pass_cycle(const Course&);
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
  KnownStates known_;
  std::uint64_t until_verified_;  ///< states that are merged before one is verified
  Arena::Snapshot first_, second_, later_;
};

}  // namespace flitmend
