// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "protocols/routing/intermediate_nodes/tables.h"

namespace flitmend {

/// One entry of a masked table. It matches if the destination's address equals `id` in the bits of `mask`
/// (option flag `equal`), or if it differs from `id` in them.
struct MaskedEntry {
  std::uint64_t id;
  std::uint64_t mask;
  bool equal;
  IntermediateList list;

  bool hits(std::uint64_t address) const { return (((address ^ id) & mask) == 0) == equal; }
};

/// Masked table of a source [Penaranda17 section 4]: entries with masks, like those of an IP router. Entries
/// are in order of priority and the first match counts; without a match the plain path is taken. An entry is
/// id, mask, option flag and list.
///
/// The entries are found greedily: each step takes the entry that serves the most destinations per entry,
/// counting an exception of higher priority if it needs one to keep plain destinations plain. Every
/// destination gets a list as good as the chooser's, not always the same one. O(2^n·e·d·n) for e entries and
/// d destinations that need one.
class MaskedTable {
 public:
  /// Throws ConfigurationError if (k + 1)^n, the number of cells that masks can select, is above 2^18.
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
