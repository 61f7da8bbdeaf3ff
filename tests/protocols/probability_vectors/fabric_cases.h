// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace flitmend::test {

/// Random sets of faults of a k-ary n-cube on which fabric and analysis are compared.
struct VectorCase {
  std::uint32_t k, n;
  std::uint32_t nodes, links;  ///< faulty ones per set
  const char* protocol;
  std::int64_t bits;   ///< routing.vector_bits
  std::uint32_t sets;  ///< with label long
};

inline constexpr VectorCase kVectorCases[] = {
    {3, 2, 2, 2, "none", 16, 300}, {4, 2, 3, 2, "none", 64, 250}, {5, 2, 6, 3, "none", 7, 150},
    {8, 2, 9, 4, "none", 16, 60},  {2, 3, 2, 4, "none", 1, 150},  {3, 3, 6, 2, "none", 16, 100},
    {4, 3, 12, 6, "none", 32, 30}, {6, 1, 1, 0, "none", 16, 20},
};

inline std::string name_of(const VectorCase& c) {
  std::string name = std::to_string(c.k) + "_ary_" + std::to_string(c.n) + "_cube_" + c.protocol;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
}

}  // namespace flitmend::test
