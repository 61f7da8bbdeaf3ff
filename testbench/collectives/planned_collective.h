// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_tlm/signals/message.h"
#include "testbench/collectives/collective.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// collectives, groups: the options of section traffic that give collectives.
extern const OptionKey kCollectivesOption;
extern const OptionKey kGroupsOption;

/// A collective that a configuration lists.
struct PlannedCollective {
  std::string name;
  const CollectiveEntry* kind = nullptr;
  std::vector<NodeId> members;  ///< by place in the group
  std::uint32_t root = 0;       ///< a place in the group
  std::uint64_t bytes = 0;      ///< of the whole vector
  std::uint32_t piece_bytes = 0;
  std::uint32_t length = 2;       ///< flits of a message
  Cycle combine_time = 0;         ///< from the arrival of a message that is added to the end of the addition
  std::uint32_t repetitions = 1;  ///< at least 1
  Cycle start = 0;                ///< no member begins earlier
  CollectiveSchedule schedule = {};
};

/// The collectives of traffic.collectives. Throws ConfigurationError with the place of what is wrong.
std::vector<PlannedCollective> planned_collectives(const Configuration&, const Topology&,
                                                   std::uint32_t flit_bytes);
/// The groups that no collective names.
std::vector<ListedFields::Field> unnamed_groups(const Configuration&);

}  // namespace flitmend
