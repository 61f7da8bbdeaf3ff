// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "protocols/routing/intermediate_nodes/tables.h"

namespace flitmend {

/// One entry of a masked table: it hits where the destination's address equals `id` in the bits of `mask`
/// (option flag `equal`), or where it differs from it there.
struct MaskedEntry {
  std::uint64_t id;
  std::uint64_t mask;
  bool equal;
  IntermediateList list;

  bool hits(std::uint64_t address) const { return (((address ^ id) & mask) == 0) == equal; }
};

/// Masked table of a source (section 4): entries with masks, like those of an IP router. The first entry that
/// hits counts, so entries stand in order of priority; where none hits, the plain path is taken. An entry is
/// id, mask, option flag and list.
///
/// The entries are found greedily: whichever entry (where it needs one, with an exception of higher priority
/// that keeps plain destinations plain) serves most destinations an entry. Every destination gets a list that
/// is as good as the chooser's, not always the same one. O(2^n·e·d·n) for e entries and d destinations that
/// need one.
class MaskedTable {
 public:
  /// Throws ConfigurationError where (k + 1)^n, the number of cells that masks can name, is above 2^18.
  MaskedTable(const IntermediateChooser& chooser, std::uint32_t source);

  const IntermediateList& lookup(std::uint32_t destination) const;
  TableSize size() const {
    return {entries_.size(), entries_.size() * (2 * fields_.address + 1 + fields_.list)};
  }
  const std::vector<MaskedEntry>& entries() const { return entries_; }

 private:
  /// The router's number written digit by digit.
  std::uint64_t address(std::uint32_t router) const;

  KnsShape shape_;
  TableFields fields_;
  std::vector<MaskedEntry> entries_;  // highest priority first
};

}  // namespace flitmend
