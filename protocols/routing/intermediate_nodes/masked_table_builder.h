// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "protocols/routing/intermediate_nodes/chooser.h"

namespace flitmend {

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

}  // namespace flitmend
