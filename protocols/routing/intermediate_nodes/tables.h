// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "protocols/routing/intermediate_nodes/chooser.h"

namespace flitmend {

/// Hardware cost of a table.
struct TableSize {
  std::uint64_t entries = 0;
  std::uint64_t bits = 0;
};

/// Widths in bits of the fields of a table. A router number is written digit by digit, so that a mask can
/// select digits.
struct TableFields {
  TableFields(const KnsShape& shape, unsigned max_intermediates);

  unsigned digit;    ///< ⌈log2 k⌉
  unsigned address;  ///< n·⌈log2 k⌉
  unsigned list;     ///< ⌈log2(x + 2)⌉ for I (0 … x, or unreachable) and x addresses
};

/// Linear table of a source: one entry per destination. N entries of I and x addresses.
class LinearTable {
 public:
  LinearTable(const IntermediateChooser& chooser, std::uint32_t source);

  const IntermediateList& lookup(std::uint32_t destination) const { return entries_[destination]; }
  TableSize size() const { return {entries_.size(), entries_.size() * fields_.list}; }

 private:
  TableFields fields_;
  std::vector<IntermediateList> entries_;
};

/// Associative table of a source: an entry only for destinations that the plain path does not reach. An entry
/// holds the destination's address and the contents of a linear entry.
class DestinationTable {
 public:
  DestinationTable(const IntermediateChooser& chooser, std::uint32_t source);

  /// The plain list if there is no entry. O(log entries).
  const IntermediateList& lookup(std::uint32_t destination) const;
  TableSize size() const { return {entries_.size(), entries_.size() * (fields_.address + fields_.list)}; }

 private:
  TableFields fields_;
  std::vector<std::pair<std::uint32_t, IntermediateList>> entries_;  // ordered by destination
};

enum class IntermediateTableForm { linear, by_destination, masked };

/// The tables of all network interfaces for one set of faults. A source's table is computed when it is first
/// looked up, because many sets of faults are replaced before anybody sends. Thread-safe. A table does not
/// depend on when it is computed.
class SourceTables {
 public:
  /// Throws ConfigurationError as IntermediateChooser and MaskedTable do.
  SourceTables(KnsFaults faults, const IntermediateSettings& settings, IntermediateTableForm form);
  ~SourceTables();
  SourceTables(const SourceTables&) = delete;
  SourceTables& operator=(const SourceTables&) = delete;

  const KnsFaults& faults() const { return faults_; }
  const IntermediateList& lookup(std::uint32_t source, std::uint32_t destination) const;
  /// The size of all tables; computes those that have not been looked up.
  TableSize size() const;

 private:
  struct Table;
  const Table& table(std::uint32_t source) const;

  KnsFaults faults_;
  IntermediateChooser chooser_;
  IntermediateTableForm form_;
  std::unique_ptr<Table[]> tables_;  // by source
};

}  // namespace flitmend
