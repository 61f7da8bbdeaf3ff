// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "testbench/collectives/operation.h"

namespace flitmend {

/// A message of a collective: what is in a slot of one member goes to a slot of another one. Members are
/// numbered by their places in the group.
///
/// A member goes through its rounds in ascending order. In a round it first sends its messages, in the order
/// of the schedule, and then waits for those that it receives. The messages of a round carry what the rounds
/// before it have left.
struct CollectiveTransfer {
  std::uint32_t from = 0, to = 0;
  std::uint32_t sent_in = 0;      ///< round of `from`
  std::uint32_t received_in = 0;  ///< round of `to`
  std::uint32_t slot = 0;         ///< of `from`
  std::uint32_t into = 0;         ///< of `to`
  bool combine = false;           ///< added to what is there; otherwise it takes its place
};

struct CollectiveSchedule {
  std::uint32_t slots = 1;   ///< of each member; the first contents are its contributions
  std::uint32_t pieces = 1;  ///< of the vector: a message carries one
  std::vector<CollectiveTransfer> transfers = {};
};

/// An algorithm of a collective operation that a configuration can name: defined in a file of this folder,
/// listed in collectives.def.
struct CollectiveEntry {
  std::string_view name;  ///< "ring all-reduce"
  std::string_view description;
  const CollectiveOperation* operation;
  std::string_view algorithm;
  /// Of n ≥ 1 members; root: one of them, of operations that have one.
  CollectiveSchedule (*schedule)(std::uint32_t n, std::uint32_t root);
};

const Registry<CollectiveEntry>& collectives();

/// The algorithm with that name, or with an empty one the first, of that operation. Throws ConfigurationError
/// with the names that there are.
const CollectiveEntry& collective_of(std::string_view operation, std::string_view algorithm);

}  // namespace flitmend
