// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/random_stream.h"
#include "protocols/routing/probability_vector_table.h"

namespace flitmend {

/// Named faults: node labels ("011"), links as two labels of neighbours ("222-202"; for k = 2 both parallel
/// links between them). A node or link named twice counts once. Throws ConfigurationError: an unknown node,
/// no neighbours, every node faulty. O(m log m) for m names.
KaryCubeFaults named_faults(const KaryCube&, std::span<const std::string> nodes,
                            std::span<const std::string> links);

/// `nodes` faulty nodes and `links` faulty links, each set uniform among all of its size. `random` is used
/// up in one order: nodes, then links. At least two nodes stay healthy. O(N + links). Throws
/// ConfigurationError as check_fault_counts() does.
KaryCubeFaults random_faults(const KaryCube&, std::uint32_t nodes, std::uint64_t links, RandomStream& random);

/// Throws ConfigurationError where so many faults do not leave two healthy nodes, or there are not so many
/// links.
void check_fault_counts(const KaryCube&, std::uint64_t nodes, std::uint64_t links);

}  // namespace flitmend
