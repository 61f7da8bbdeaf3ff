// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "exploration/search/arena.h"

namespace flitmend {

/// How cases ended, and what struck in them.
struct CaseCounts {
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

  std::uint64_t cases() const { return single + pairs; }
  CaseCounts& operator+=(const CaseCounts&);
  CaseCounts& operator-=(const CaseCounts&);
  friend bool operator==(const CaseCounts&, const CaseCounts&) = default;
};

/// A state of the network between two faults.
struct KnownState {
  Digest key;
  CaseCounts counts;           ///< of every second fault that strikes in it
  bool failing = false;        ///< one of these cases fails: each of them is tried, to report the smallest
  bool last = false;           ///< no second fault is tried after it
  KnownState* next = nullptr;  ///< that of the next cycle without a second fault; null: not known yet
};

/// The states of one network in which all second faults have been tried.
class KnownStates {
 public:
  /// The state with that key, and whether it is new.
  std::pair<KnownState*, bool> find(const Digest& key);
  std::size_t size() const { return states_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Digest& key) const { return key.low; }
  };
  std::deque<KnownState> states_;  // their addresses never change
  std::unordered_map<Digest, KnownState*, Hash> by_key_;
};

}  // namespace flitmend
