// SPDX-License-Identifier: Apache-2.0
// Where the registers of a router are, and what is refused before memory is allocated for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/errors.h"
#include "rtl_tlm/registers/router_memory.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

struct Surroundings {
  explicit Surroundings(const HardwareSettings& hardware)
      : topology(make_topology(mesh_network({2}))),
        routing(make_routing(*topology, hardware.router.virtual_channels, {})),
        selection(make_selection(*topology, {})),
        context{*topology, *routing, *selection, HardwareParameters::from(hardware), 1, {}, {}} {}
  std::unique_ptr<Topology> topology;
  std::unique_ptr<RoutingFunction> routing;
  std::unique_ptr<SelectionFunction> selection;
  NetworkContext context;
};

HardwareSettings hardware_of(std::int64_t vcs, std::int64_t input_buffer, std::int64_t output_buffer) {
  HardwareSettings s;
  s.router.virtual_channels = vcs;
  s.router.input_buffer = input_buffer;
  s.router.output_buffer = output_buffer;
  s.router.head_copy = true;
  return s;
}

TEST(RouterLayout, RowsFollowEachOtherAligned) {
  for (const std::int64_t vcs : {1, 3, 4, 16, 64})
    for (const std::int64_t output_buffer : {0, 5}) {
      Surroundings s(hardware_of(vcs, 7, output_buffer));
      for (const unsigned ports : {1u, 5u, 21u, 65u, 300u}) {
        SCOPED_TRACE(std::to_string(ports) + " ports of " + std::to_string(vcs));
        const RouterLayout layout(s.context, ports, true);
        RouterLayout::Size end = 0;
        bool cold = false;
        for_each_row([&]<class R>() {
          const RouterLayout::Size start = layout.offset<R>();
          EXPECT_EQ(start % R::kAlignment, 0u) << "row " << kRowIndex<R>;
          EXPECT_EQ(R::kAlignment % alignof(typename R::Element), 0u) << "row " << kRowIndex<R>;
          EXPECT_GE(start, end) << "row " << kRowIndex<R>;
          end = start + R::count(layout) * R::stride(layout);
          EXPECT_FALSE(cold && R::kHeat == Heat::hot) << "row " << kRowIndex<R> << " comes after a cold one";
          cold = R::kHeat == Heat::cold;
        });
        EXPECT_GE(layout.bytes, end);
        EXPECT_EQ(layout.bytes % 64, 0u);
        EXPECT_EQ(layout.offset<rows::Header>(), 0u);
        EXPECT_EQ(layout.path, ports * static_cast<unsigned>(vcs) > 64 || ports > 64 ? CyclePath::any
                               : output_buffer > 0                                   ? CyclePath::one_word
                                                                                     : CyclePath::plain);
      }
    }
}

std::string refusal(const HardwareSettings& hardware, unsigned ports) {
  Surroundings s(hardware);
  try {
    const RouterLayout layout(s.context, ports, false);
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

TEST(RouterLayout, RefusesWhatCannotBeToldApartOrHeld) {
  EXPECT_EQ(refusal(hardware_of(64, 8, 0), 1023), "");
  EXPECT_EQ(refusal(hardware_of(64, 8, 0), 1024).find("router.virtual_channels: 64 on each of 1024 ports"),
            0u);
  EXPECT_EQ(refusal(hardware_of(60, 65535, 0), 1000).find("router.input_buffer: "), 0u);
}

TEST(RouterMemory, RoutersWithAsManyPortsShareALayoutAndNoMemory) {
  Surroundings s(hardware_of(4, 8, 0));
  RouterMemory& memory = s.context.shared<RouterMemory>();
  const RouterLayout& layout = memory.layout(s.context, 5, true);
  EXPECT_EQ(&memory.layout(s.context, 5, true), &layout);
  EXPECT_NE(&memory.layout(s.context, 5, false), &layout);
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 1000; ++i) {  // enough for several chunks
    blocks.push_back(memory.block(layout));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back()) % 64, 0u);
    std::fill_n(blocks.back(), layout.bytes, std::byte{0xa5});  // the sanitizers check that it is ours
  }
  std::sort(blocks.begin(), blocks.end());
  for (std::size_t i = 1; i < blocks.size(); ++i)
    EXPECT_GE(blocks[i] - blocks[i - 1], static_cast<std::ptrdiff_t>(layout.bytes));
}

}  // namespace
}  // namespace flitmend
