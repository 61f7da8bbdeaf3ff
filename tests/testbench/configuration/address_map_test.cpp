// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/errors.h"
#include "testbench/configuration/writer.h"
#include "tests/testbench/configuration/load.h"

namespace flitmend {
namespace {

constexpr const char* kMap = R"(
network: {topology: mesh, size: [4, 4]}
tlm:
  address_map:
    - {name: ram, first: 0x1000, last: 0x1fff, node: [3, 1]}
    - {name: dram, first: 0x80000000, last: 0xffffffffffffffff, nodes: [0, [1, 2]], interleave: 4096, local: 16}
    - {node: 5, default: true}
)";

TEST(AddressMapSection, IsReadAndWrittenBackAsTheSame) {
  const Configuration c = load(kMap);
  ASSERT_EQ(c.tlm.address_map.size(), 3u);
  EXPECT_EQ(c.tlm.address_map[0].name, "ram");
  EXPECT_EQ(c.tlm.address_map[0].last, 0x1fffu);
  EXPECT_EQ(c.tlm.address_map[1].last, ~std::uint64_t{0});
  EXPECT_EQ(c.tlm.address_map[1].nodes.size(), 2u);
  EXPECT_EQ(c.tlm.address_map[1].interleave, 4096u);
  EXPECT_TRUE(c.tlm.address_map[2].is_default);
  const Configuration again = load(to_yaml(c));
  EXPECT_EQ(again.tlm.address_map, c.tlm.address_map);
}

/// The error of that map, without the name of the file.
std::string map_refusal(const std::string& map) {
  try {
    load("network: {topology: mesh, size: [4, 4]}\ntlm: {address_map: " + map + "}\n");
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AddressMapSection, RefusesWhatCannotBeWithPlaceAndRemedy) {
  const struct {
    const char* map;
    const char* why;
  } cases[] = {
      {"[{first: 0, last: 0xff, node: 0}, {first: 0x80, last: 0x1ff, node: 1}]",
       "tlm.address_map: 0-0xff and 0x80-0x1ff overlap; change one"},
      {"[{first: 0, last: 0xff, node: [4, 0]}]",
       "there is no node [4, 0] in the 4x4 mesh; nodes are 0 to 15"},
      {"[{first: 0x100, last: 0xff, node: 1}]", "the range is empty"},
      {"[{first: 0, last: 0xff, nodes: []}]", "it has no node; name one"},
      {"[{first: 0, last: 0xff}]", "name either node or nodes"},
      {"[{first: 0, last: 0xff, node: 1, nodes: [2]}]", "name either node or nodes"},
      {"[{first: 0, node: 1}]", "no last address"},
      {"[{last: 4, node: 1}]", "no first address"},
      {"[{first: 0, last: 0xff, nodes: [1, 2]}]", "say with interleave"},
      {"[{first: 0, last: 0xff, nodes: [1, 2], interleave: 0x200}]", "too long for every node to have one"},
      {"[{first: 0, last: 0xff, nodes: [1, 2], interleave: 0x100}]", "lower interleave, or name fewer nodes"},
      {"[{first: 0, last: 0xff, nodes: [1, 2, 3], interleave: 0x80}]", "too long for every node"},
      {"[{first: -1, last: 0xff, node: 1}]",
       "first: expected a whole number like 4096 or 0x1000, found '-1'"},
      {"[{first: 0, last: 0x10000000000000000, node: 1}]", "is out of range (0 to 0xffffffffffffffff)"},
      {"[{first: 0, last: 0xff, node: 1, interlaeve: 4}]", "did you mean 'interleave'?"},
      {"[{default: true, first: 0, node: 1}]", "first has no meaning with default: true; remove it"},
      {"[{default: true, node: 1}, {default: true, node: 2}]", "another default target; keep one"},
      {"[{name: a, first: 0, last: 1, node: 1}, {name: a, first: 2, last: 3, node: 2}]", "give each its own"},
      {"[7]", "expected a range like {name: ram"},
      {"7", "expected a list"},
  };
  for (const auto& c : cases) {
    const std::string what = map_refusal(c.map);
    EXPECT_NE(what.find(c.why), what.npos) << c.map << " gives " << what;
    EXPECT_NE(what.find(":2:"), what.npos) << "no line: " << what;
  }
}

}  // namespace
}  // namespace flitmend
