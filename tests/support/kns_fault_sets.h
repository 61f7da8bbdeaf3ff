// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/kns_tolerance/combinations.h"
#include "base/random_stream.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend::test {

/// This many different links, drawn by the number of the set.
inline std::vector<KnsLink> random_links(const KnsShape& shape, unsigned faults, std::uint32_t set) {
  RandomStream random(1, RandomPurpose::test, set);
  std::vector<std::uint32_t> numbers(faults);
  SubsetSampler().draw(shape.link_count(), numbers, random);
  std::vector<KnsLink> links;
  for (const std::uint32_t number : numbers) links.push_back(shape.link(number));
  return links;
}

}  // namespace flitmend::test
