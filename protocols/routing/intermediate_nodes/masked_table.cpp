// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/masked_table.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/errors.h"
#include "base/text.h"
#include "protocols/routing/intermediate_nodes/chooser.h"

namespace flitmend {
namespace {

constexpr std::size_t kMaxCells = std::size_t{1} << 18;
/// Number of destinations whose lists are tried for a whole cell.
constexpr std::size_t kListsTried = 8;

/// Routers that share the digits of `id` in the dimensions of a bit mask.
struct KnsCell {
  unsigned dimensions;
  std::uint32_t id;
};

/// A masked entry in terms of digits.
struct MaskedRule {
  KnsCell cell;
  bool equal;
  IntermediateList list;
};

/// Finds the rules of one source's masked table; see MaskedTable.
class MaskedTableBuilder {
 public:
  MaskedTableBuilder(const IntermediateChooser& chooser, std::uint32_t source);
  std::vector<MaskedRule> build();

 private:
  enum class State : std::uint8_t { plain, needs_list, served };

  /// A rule that would serve `gain` destinations, with the exception that it needs before it.
  struct Proposal {
    MaskedRule rule;
    std::optional<KnsCell> exception;
    std::size_t gain = 0;

    std::size_t entries() const { return exception ? 2 : 1; }
    bool better_than(const Proposal& other) const { return gain * other.entries() > other.gain * entries(); }
  };

  bool inside(const KnsCell&, std::uint32_t router) const;
  /// Calls visit(router) for the routers of a cell, ascending, until it returns false.
  template <class Visit>
  void visit_cell(const KnsCell&, Visit visit) const;
  void serve_one(std::uint32_t destination);
  std::size_t index(const KnsCell&) const;
  std::optional<IntermediateList> common_list(std::span<const std::uint32_t> destinations) const;
  std::optional<KnsCell> exception_for(const KnsCell&) const;
  void propose_cells(unsigned dimensions, Proposal& best);
  void propose_rest(unsigned dimensions, Proposal& best) const;
  void serve(const KnsCell&, bool equal);

  const IntermediateChooser& chooser_;
  const KnsFaults& faults_;
  const KnsShape& shape_;
  std::uint32_t source_;
  std::vector<IntermediateChain> chosen_;
  std::vector<State> states_;
  std::vector<std::uint32_t> needing_;          // destinations that still need a list, ascending
  std::vector<std::size_t> first_cell_;         // of each set of dimensions in the arrays below
  std::vector<std::uint32_t> needing_in_cell_;  // by cell: destinations that still need a list
  std::vector<std::uint32_t> plain_in_cell_;    // by cell: plain destinations not yet protected
};

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

}  // namespace

MaskedTable::MaskedTable(const IntermediateChooser& chooser, std::uint32_t source)
    : shape_(chooser.faults().shape()), fields_(shape_, chooser.settings().max_intermediates) {
  MaskedTableBuilder builder(chooser, source);
  for (const MaskedRule& rule : builder.build()) {
    MaskedEntry entry{address(rule.cell.id), 0, rule.equal, rule.list};
    for (unsigned i = 0; i < shape_.n(); ++i)
      if (rule.cell.dimensions >> i & 1)
        entry.mask |= ((std::uint64_t{1} << fields_.digit) - 1) << (i * fields_.digit);
    entries_.push_back(entry);
  }
}

std::uint64_t MaskedTable::address(std::uint32_t router) const {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < shape_.n(); ++i)
    bits |= std::uint64_t{shape_.digit(router, i)} << (i * fields_.digit);
  return bits;
}

const IntermediateList& MaskedTable::lookup(std::uint32_t destination) const {
  static const IntermediateList plain;
  const std::uint64_t wanted = address(destination);
  for (const MaskedEntry& entry : entries_)
    if (entry.hits(wanted)) return entry.list;
  return plain;
}

}  // namespace flitmend
