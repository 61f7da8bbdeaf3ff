// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "protocols/routing/intermediate_nodes/chooser.h"
#include "protocols/routing/intermediate_nodes/tables.h"

namespace flitmend {

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
  /// Of all tables together; computes those that nobody has looked up.
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
