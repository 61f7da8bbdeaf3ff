// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/random_stream.h"
#include "protocols/routing/probability_vector_table.h"

namespace flitmend {

/// Named faults: node labels ("011"), and links as two labels of neighbours ("222-202"; for k = 2 both
/// parallel links between them). A node or link named twice counts once. Throws ConfigurationError: an
/// unknown node, nodes that are not neighbours, every node faulty. O(m log m) for m names.
KaryCubeFaults named_faults(const KaryCube&, std::span<const std::string> nodes,
                            std::span<const std::string> links);

/// `nodes` faulty nodes and `links` faulty links, each set uniform among all sets of its size. Draws from
/// `random` in a fixed order: nodes, then links. At least two nodes stay healthy. O(N + links). Throws
/// ConfigurationError as check_fault_counts() does.
KaryCubeFaults random_faults(const KaryCube&, std::uint32_t nodes, std::uint64_t links, RandomStream& random);

/// Throws ConfigurationError if that many faults leave fewer than two healthy nodes, or if there are not that
/// many links.
void check_fault_counts(const KaryCube&, std::uint64_t nodes, std::uint64_t links);

}  // namespace flitmend
