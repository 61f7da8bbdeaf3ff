// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "protocols/routing/probability_vector_table.h"
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/mechanisms/vectors/vectors.h"

namespace flitmend::test {

/// Every router that is not faulty knows which neighbours are not, and has the analysis' vectors: its own and
/// theirs.
inline void expect_vectors(const Fabric& fabric, const KaryCube& cube, const ProbabilityVectorTable& table) {
  const unsigned elements = table.rule().elements();
  for (NodeId node = 0; node < cube.node_count(); ++node) {
    if (table.faulty(node)) continue;
    const RouterState& state = fabric.router(node).state();
    ASSERT_EQ(Vectors::exchange(state).healthy, table.usable_ports(node)) << "node " << node;
    ASSERT_TRUE(std::equal(Vectors::own(state), Vectors::own(state) + elements, table.vector(node)))
        << "node " << node;
    for (unsigned port = 0; port < cube.ports(); ++port) {
      if (!(table.usable_ports(node) >> port & 1)) continue;
      ASSERT_TRUE(std::equal(Vectors::received(state, port), Vectors::received(state, port) + elements,
                             table.vector(cube.neighbour(node, port))))
          << "node " << node << " port " << port;
    }
  }
}

}  // namespace flitmend::test
