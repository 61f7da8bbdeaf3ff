// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/masked_table_builder.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::size_t kMaxCells = std::size_t{1} << 18;
/// Number of destinations whose lists are tried for a whole cell.
constexpr std::size_t kListsTried = 8;

}  // namespace

MaskedTableBuilder::MaskedTableBuilder(const IntermediateChooser& chooser, std::uint32_t source)
    : chooser_(chooser), faults_(chooser.faults()), shape_(faults_.shape()), source_(source) {
  std::size_t cells = 0;
  for (unsigned dimensions = 0; dimensions < 1u << shape_.n(); ++dimensions) {
    first_cell_.push_back(cells);
    std::size_t here = 1;
    for (unsigned i = 0; i < shape_.n(); ++i)
      if (dimensions >> i & 1) here *= shape_.k();
    cells += here;
    if (cells > kMaxCells)
      throw ConfigurationError(formatted("%1% is too large for masked tables: (k + 1)^n is above %2%",
                                         shape_.description(), kMaxCells));
  }
  needing_in_cell_.assign(cells, 0);
  plain_in_cell_.assign(cells, 0);
  states_.assign(shape_.node_count(), State::served);
  for (std::uint32_t d = 0; d < shape_.node_count(); ++d) {
    chosen_.push_back(chooser.choose(source, d));
    if (d == source) continue;  // no node sends to itself: either choice is right
    const bool plain = chosen_[d].plain();
    states_[d] = plain ? State::plain : State::needs_list;
    if (!plain) needing_.push_back(d);
    for (unsigned dimensions = 0; dimensions < first_cell_.size(); ++dimensions)
      ++(plain ? plain_in_cell_ : needing_in_cell_)[index({dimensions, d})];
  }
}

bool MaskedTableBuilder::inside(const KnsCell& cell, std::uint32_t router) const {
  for (unsigned i = 0; i < shape_.n(); ++i)
    if ((cell.dimensions >> i & 1) && faults_.digit(router, i) != faults_.digit(cell.id, i)) return false;
  return true;
}

std::size_t MaskedTableBuilder::index(const KnsCell& cell) const {
  std::size_t at = 0;
  for (unsigned i = shape_.n(); i-- > 0;)
    if (cell.dimensions >> i & 1) at = at * shape_.k() + faults_.digit(cell.id, i);
  return first_cell_[cell.dimensions] + at;
}

std::optional<IntermediateList> MaskedTableBuilder::common_list(
    std::span<const std::uint32_t> destinations) const {
  std::vector<IntermediateList> tried;
  for (const std::uint32_t giver : destinations) {
    const IntermediateList& list = chosen_[giver];
    if (std::find(tried.begin(), tried.end(), list) != tried.end()) continue;
    if (tried.size() == kListsTried) break;
    tried.push_back(list);
    if (std::all_of(destinations.begin(), destinations.end(),
                    [&](std::uint32_t d) { return chooser_.as_good(source_, d, chosen_[d], list); }))
      return list;
  }
  return std::nullopt;
}

template <class Visit>
void MaskedTableBuilder::visit_cell(const KnsCell& cell, Visit visit) const {
  std::uint32_t router = cell.id;
  for (unsigned i = 0; i < shape_.n(); ++i)
    if (!(cell.dimensions >> i & 1)) router = shape_.with_digit(router, i, 0);
  while (visit(router)) {
    unsigned i = 0;
    for (; i < shape_.n(); ++i) {
      if (cell.dimensions >> i & 1) continue;
      if (faults_.digit(router, i) + 1 < shape_.k()) break;
      router -= (shape_.k() - 1) * shape_.power(i);
    }
    if (i == shape_.n()) return;
    router += shape_.power(i);
  }
}

/// The largest cell that contains every plain destination of `cell` and none that needs a list.
std::optional<KnsCell> MaskedTableBuilder::exception_for(const KnsCell& cell) const {
  std::optional<KnsCell> closure;
  bool possible = true;
  visit_cell(cell, [&](std::uint32_t d) {
    if (states_[d] != State::plain) return true;
    if (!closure) closure = KnsCell{(1u << shape_.n()) - 1, d};
    const unsigned before = closure->dimensions;
    for (unsigned i = 0; i < shape_.n(); ++i)
      if (faults_.digit(d, i) != faults_.digit(closure->id, i)) closure->dimensions &= ~(1u << i);
    if (closure->dimensions != before) possible = needing_in_cell_[index(*closure)] == 0;
    return possible;
  });
  if (!possible) return std::nullopt;
  KnsCell best = *closure;
  for (unsigned some = closure->dimensions;; some = (some - 1) & closure->dimensions) {
    const KnsCell wider{some, closure->id};
    if (needing_in_cell_[index(wider)] == 0 && std::popcount(some) <= std::popcount(best.dimensions))
      best = wider;
    if (some == 0) return best;
  }
}

/// Rules "equal in these dimensions", one per cell that contains a destination that needs a list.
void MaskedTableBuilder::propose_cells(unsigned dimensions, Proposal& best) {
  std::stable_sort(needing_.begin(), needing_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return index({dimensions, a}) < index({dimensions, b});
  });
  for (std::size_t from = 0, to = 0; from < needing_.size(); from = to) {
    const KnsCell cell{dimensions, needing_[from]};
    to = from + needing_in_cell_[index(cell)];
    const std::span<const std::uint32_t> here(&needing_[from], to - from);
    Proposal proposal{{cell, true, {}}, std::nullopt, here.size()};
    const bool plain_too = plain_in_cell_[index(cell)] != 0;
    if (plain_too) proposal.exception = cell;  // costs two entries, whichever exception it is
    if (!proposal.better_than(best)) continue;
    const auto list = common_list(here);
    if (!list) continue;
    proposal.rule.list = *list;
    if (plain_too && !(proposal.exception = exception_for(cell))) continue;
    best = proposal;
  }
}

/// The rule "differs from the source in these dimensions".
void MaskedTableBuilder::propose_rest(unsigned dimensions, Proposal& best) const {
  const KnsCell cell{dimensions, source_};
  if (plain_in_cell_[index(cell)] != plain_in_cell_[0]) return;
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t d : needing_)
    if (!inside(cell, d)) rest.push_back(d);
  Proposal proposal{{cell, false, {}}, std::nullopt, rest.size()};
  if (!proposal.better_than(best)) return;
  if (const auto list = common_list(rest)) {
    proposal.rule.list = *list;
    best = proposal;
  }
}

void MaskedTableBuilder::serve_one(std::uint32_t d) {
  if (states_[d] == State::served) return;
  auto& counts = states_[d] == State::plain ? plain_in_cell_ : needing_in_cell_;
  for (unsigned dimensions = 0; dimensions < first_cell_.size(); ++dimensions)
    --counts[index({dimensions, d})];
  states_[d] = State::served;
}

void MaskedTableBuilder::serve(const KnsCell& cell, bool equal) {
  if (equal)
    visit_cell(cell, [&](std::uint32_t d) {
      serve_one(d);
      return true;
    });
  else
    for (std::uint32_t d = 0; d < shape_.node_count(); ++d)
      if (!inside(cell, d)) serve_one(d);
  std::erase_if(needing_, [&](std::uint32_t d) { return states_[d] == State::served; });
}

std::vector<MaskedRule> MaskedTableBuilder::build() {
  std::vector<MaskedRule> rules;
  while (!needing_.empty()) {
    Proposal best;
    for (unsigned dimensions = 0; dimensions < first_cell_.size(); ++dimensions) {
      propose_cells(dimensions, best);
      if (dimensions != 0) propose_rest(dimensions, best);
    }
    if (best.exception) {
      rules.push_back({*best.exception, true, {}});
      serve(*best.exception, true);
    }
    rules.push_back(best.rule);
    serve(best.rule.cell, best.rule.equal);
  }
  return rules;
}

}  // namespace flitmend
