// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/memory_limit.h"
#include "rtl_tlm/interfaces/routing_function.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The memory that building a run takes, part by part. What grows during the run (messages in source queues
/// above saturation) is not included.
struct MemoryEstimate {
  struct Part {
    std::string name;
    std::uint64_t bytes = 0;
  };
  std::vector<Part> parts;

  std::uint64_t total() const;
};

/// Builds nothing. Throws KeyError if a router's registers cannot be laid out.
MemoryEstimate estimate_memory(const Configuration&, const RoutingFunction&, const SelectionFunction&);

/// Throws KeyError, with the estimate per part, if the sum is above the limit.
void check_memory(const MemoryEstimate&, const MemoryLimit&, const Topology&);

}  // namespace flitmend
