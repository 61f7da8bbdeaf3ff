// SPDX-License-Identifier: Apache-2.0
#include "exploration/search/search.h"

#include <algorithm>
#include <limits>
#include <systemc>
#include <tuple>

#include "base/text.h"
#include "exploration/search/forget_history.h"
#include "testbench/scoreboard/scoreboard.h"

namespace flitmend {
namespace {

constexpr Cycle kWatchdogPeriod = 64;  // cycles between two looks; a run looks less often

}  // namespace

const char* to_word(FailureKind kind) {
  switch (kind) {
    case FailureKind::violation:
      return "contract-violation";
    case FailureKind::leftover:
      return "left-over";
    case FailureKind::frozen:
      return "frozen";
    case FailureKind::livelock:
      return "livelock";
    case FailureKind::deadlock:
      return "deadlock";
    case FailureKind::missed_deadlock:
      return "missed-deadlock";
    case FailureKind::false_alarm:
      return "false-alarm";
    case FailureKind::error:
      break;
  }
  return "error";
}

/// The faults of a case. Strikes that the state of the network has in it are past.
struct Search::Course {
  std::array<Strike, 2> strikes{};
  unsigned count = 0;

  Cycle last_change() const {
    Cycle last = 0;
    for (unsigned i = 0; i < count; ++i)
      last = std::max(last, strikes[i].repair == kNever ? strikes[i].cycle : strikes[i].repair);
    return last;
  }
  /// The first repair after that cycle; kNever: none.
  Cycle next_repair(Cycle now) const {
    Cycle next = kNever;
    for (unsigned i = 0; i < count; ++i)
      if (strikes[i].repair > now) next = std::min(next, strikes[i].repair);
    return next;
  }
  bool permanent() const {
    return std::any_of(strikes.begin(), strikes.begin() + count,
                       [](const Strike& s) { return s.repair == kNever; });
  }
};

Search::Search(SearchedNetwork& network, const FaultSpace& space)
    : network_(network),
      space_(space),
      parts_(
          searched_parts(network.topology(), space.has("router"), space.has("link"), space.has("channel"))),
      until_verified_(static_cast<std::uint64_t>(space.verified)) {}

std::uint64_t SearchTally::failed() const {
  std::uint64_t cases = 0;
  for (const FoundFailure& failure : failures) cases += failure.cases;
  return cases;
}

const SearchTally& Search::run() {
  Course none;
  const Cycle patience = network_.last_message() + static_cast<Cycle>(space_.patience);
  while (advance(none, true, patience)) {
    if (network_.quiet()) {
      tally_.fault_free = network_.now();
      return tally_;
    }
    Arena::save(first_);
    strike(none, 0, first_);
    Arena::restore(first_);
  }
  note({FailureKind::livelock,
        formatted("without any fault, the network is not empty in cycle %1%", patience)},
       none);
  return tally_;
}

void Search::strike(const Course& before, unsigned first_part, const Arena::Snapshot& state) {
  const Cycle now = network_.now();
  for (unsigned p = first_part; p < parts_.size(); ++p)
    for (const Duration& duration : space_.durations) {
      Course course = before;
      Strike& strike = course.strikes[course.count];
      strike.part = &parts_[p];
      strike.cycle = now;
      strike.repair = duration.cycles ? now + static_cast<Cycle>(*duration.cycles) : kNever;
      if (course.count == 1 && strike.overlaps(course.strikes[0])) continue;
      ++course.count;
      Arena::restore(state);
      try {
        Arena::Inside inside;
        network_.fail(parts_[p], strike.repair == kNever);
      } catch (const sc_core::sc_report& report) {
        note({FailureKind::error, report.get_msg()}, course);
        continue;
      }
      if (course.count < static_cast<unsigned>(space_.faults)) {
        Arena::save(second_);
        strike_later(course);
        Arena::restore(second_);
      }
      finish_case(course);
    }
}

void Search::try_state(const Course& first, unsigned first_part) {
  Arena::save(later_);
  strike(first, first_part, later_);
  Arena::restore(later_);
}

Digest Search::key_of(const Course& first) const {
  Digest key = forget_history(network_);
  if (space_.omitted == "protocols") {
    forget_protocols(network_);
    key = {};
  }
  key.add(Arena::digest());
  // A repair that is still to come. What is repaired is in the state of the network.
  const Strike& struck = first.strikes[0];
  if (struck.repair >= network_.now() && space_.omitted != "repairs") {
    const std::uint64_t pending[] = {static_cast<std::uint64_t>(struck.part - parts_.data()), struck.repair};
    key.add(digest_of(pending, std::size(pending), 1));
  }
  return key;
}

bool Search::to_be_verified() {
  if (--until_verified_ > 0) return false;
  until_verified_ = static_cast<std::uint64_t>(space_.verified);
  return true;
}

KnownState* Search::try_or_merge(const Course& first, bool verify) {
  Arena::save(later_);
  const Digest key = key_of(first);
  Arena::restore(later_);
  const auto [state, is_new] = known_.find(key);
  verify = !is_new && !state->failing && (verify || to_be_verified());
  if (!is_new && !state->failing && !verify) {
    tally_ += state->counts;
    tally_.merged += state->counts.cases();
    return state;
  }
  const CaseCounts before = tally_;
  const std::uint64_t failed = tally_.failed();
  strike(first, 0, later_);
  Arena::restore(later_);
  CaseCounts counts = tally_;
  counts -= before;
  if (is_new) {
    state->counts = counts;
    state->failing = tally_.failed() > failed;
    ++tally_.states;
  } else if (verify) {
    tally_.verified += counts.cases();
    if (counts != state->counts || tally_.failed() > failed)
      throw UnsoundMerge(
          formatted("cycle %1%: two faults in a state that was merged end differently", network_.now()));
  }
  return state;
}

bool Search::pass_cycle(const Course& first) {
  try {
    return !(network_.quiet() && network_.now() > first.last_change()) && advance(first, true, kNever);
  } catch (const std::exception&) {
    return false;  // the case with one fault reports it
  }
}

void Search::strike_later(const Course& first) {
  const Strike& struck = first.strikes[0];
  const auto same_cycle = static_cast<unsigned>(struck.part - parts_.data()) + 1;
  try_state(first, same_cycle);
  KnownState* state = nullptr;  // of the cycle before
  Cycle behind = 0;             // cycles by which the network is behind, because nothing had to be tried
  for (Cycle later = 1; later <= static_cast<Cycle>(space_.window); ++later) {
    if (!space_.merge) {
      if (!pass_cycle(first)) return;
      try_state(first, 0);
      continue;
    }
    if (state && state->last) return;
    ++behind;
    KnownState* const next = state ? state->next : nullptr;
    const bool verify = next && !next->failing && to_be_verified();
    if (next && !next->failing && !verify) {
      tally_ += next->counts;
      tally_.merged += next->counts.cases();
      state = next;
      continue;
    }
    for (; behind > 0; --behind)
      if (!pass_cycle(first)) {
        if (next || behind > 1)
          throw UnsoundMerge(formatted("cycle %1%: a state that was merged is the last one", network_.now()));
        if (state) state->last = true;
        return;
      }
    KnownState* const reached = try_or_merge(first, verify);
    // Equal states may use other memory afterwards, and that counts where it is not known what is in it.
    if (next && next != reached && (reached->failing || reached->counts != next->counts))
      throw UnsoundMerge(
          formatted("cycle %1%: two faults end differently after a state that was merged", network_.now()));
    if (state) state->next = reached;
    state = reached;
  }
}

bool Search::advance(const Course& course, bool every_edge, Cycle most) {
  Arena::Inside inside;
  const Cycle repair = course.next_repair(network_.now());
  // After the strikes of that cycle, as in a run.
  for (unsigned i = 0; i < course.count; ++i)
    if (course.strikes[i].repair == network_.now()) network_.repair(*course.strikes[i].part);
  if (!network_.advance(every_edge, std::min(most, repair))) {
    if (repair == kNever || repair > most) return false;
    network_.pass_to(repair);
  }
  ++tally_.edges;
  return true;
}

void Search::finish_case(const Course& course) {
  ++(course.count == 1 ? tally_.single : tally_.pairs);
  tally_.permanent += course.permanent();
  std::optional<CaseFailure> failure;
  try {
    failure = outcome(course);
  } catch (const sc_core::sc_report& report) {
    failure = CaseFailure{FailureKind::error, report.get_msg()};
  } catch (const std::exception& error) {
    failure = CaseFailure{FailureKind::error, error.what()};
  }
  tally_.hit += network_.scoreboard().messages().hit > 0;
  if (!failure)
    count_end();
  else if (failure->kind == FailureKind::deadlock && space_.allow_deadlock)
    ++tally_.deadlocks;
  else
    note(*failure, course);
}

std::optional<CaseFailure> Search::outcome(const Course& course) {
  const Cycle last = course.last_change();
  const Cycle most = last + static_cast<Cycle>(space_.patience);
  bool alarm = false;
  Cycle look = last + kWatchdogPeriod;
  while (network_.now() <= last || !network_.quiet()) {
    if (!advance(course, false, most)) break;
    if (network_.now() < look || network_.now() <= last) continue;
    look = network_.now() + kWatchdogPeriod;
    Arena::Inside inside;
    if (!alarm) alarm = network_.deadlocked();
  }
  if (network_.now() > last && network_.quiet()) return judge_empty(alarm);
  Arena::Inside inside;
  if (network_.deadlocked()) return CaseFailure{FailureKind::deadlock, "the watchdog finds a deadlock"};
  const std::string text = formatted("a message is still under way in cycle %1%", network_.now());
  if (!network_.frozen()) return CaseFailure{FailureKind::livelock, text};
  return CaseFailure{alarm || !network_.watched() ? FailureKind::frozen : FailureKind::missed_deadlock,
                     text + ", and nothing moves"};
}

std::optional<CaseFailure> Search::judge_empty(bool alarm) {
  Arena::Inside inside;
  Fabric& fabric = network_.fabric();
  // The last credits return, and the last acknowledgements end.
  const Cycle rest = fabric.cycles() + 2 * fabric.context().hardware.ring;
  while (network_.advance(false, rest)) ++tally_.edges;
  Scoreboard& scoreboard = network_.scoreboard();
  scoreboard.finish(network_.now(), true);
  if (scoreboard.violations() > 0)
    return CaseFailure{FailureKind::violation, scoreboard.first_violations().front().what};
  const ConservationReport left = fabric.check_conservation();
  if (!left.flits_conserved() || !left.idle())
    return CaseFailure{
        FailureKind::leftover,
        formatted("%1% flits in the network, %2% credits missing, %3% virtual channels not idle",
                  left.flits_in_network, left.credits_missing, left.busy_vcs)};
  const NetworkContext& context = fabric.context();
  if (const std::size_t descriptors = context.messages.in_use() - context.copies_of_delivered)
    return CaseFailure{FailureKind::leftover, formatted("%1% descriptors in use", descriptors)};
  if (alarm)
    return CaseFailure{FailureKind::false_alarm, "the watchdog saw a deadlock, but every message ended"};
  return std::nullopt;
}

void Search::count_end() {
  const MessageResults& messages = network_.scoreboard().messages();
  const RecoveryCounters& recovery = network_.fabric().context().recovery_counters;
  ++(messages.undeliverable + messages.voided > 0 ? tally_.abandoned
     : messages.lost > 0                          ? tally_.lost
     : recovery.guard_repaired > 0                ? tally_.guarded
     : recovery.retransmissions > 0               ? tally_.resent
                                                  : tally_.untouched);
}

void Search::note(const CaseFailure& failure, const Course& course) {
  FoundFailure& found = tally_.failures[static_cast<unsigned>(failure.kind)];
  ++found.cases;
  std::vector<FaultEvent> events;
  for (unsigned i = 0; i < course.count; ++i) {
    const Strike& strike = course.strikes[i];
    events.push_back(strike.part->event);
    events.back().cycle = static_cast<std::int64_t>(strike.cycle);
    if (strike.repair != kNever)
      events.back().duration.cycles = static_cast<std::int64_t>(strike.repair - strike.cycle);
  }
  const auto size = [](const std::vector<FaultEvent>& faults) {
    std::int64_t last = 0, longest = 0;
    for (const FaultEvent& fault : faults) {
      last = std::max(last, fault.cycle);
      longest = std::max(longest, fault.duration.cycles.value_or(std::numeric_limits<std::int64_t>::max()));
    }
    return std::tuple(faults.size(), last, longest);
  };
  if (found.cases > 1 && size(found.events) <= size(events)) return;
  found.what = failure.what;
  found.events = std::move(events);
}

}  // namespace flitmend
