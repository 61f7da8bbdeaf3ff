// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/address_map.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "rtl_tlm/sockets/network_sockets.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

std::string place(const AddressMap& map, std::uint64_t address) {
  const auto at = map.find(address);
  return at ? std::to_string(at->node) + ":" + std::to_string(at->local) + " left " +
                  std::to_string(at->left) + " before " + std::to_string(at->before)
            : "none";
}

TEST(AddressMap, EqualRangesInOrder) {
  const AddressMap map(100, 4);
  EXPECT_EQ(place(map, 0), "0:0 left 100 before 0");
  EXPECT_EQ(place(map, 399), "3:99 left 1 before 99");
  EXPECT_EQ(place(map, 400), "none");
}

TEST(AddressMap, RangesOfNodesWithLocalAddresses) {
  const AddressMap map(100, 8,
                       {{.first = 0x8000, .last = 0x8fff, .nodes = {5}, .local = 0x100},
                        {.first = 0x1000, .last = 0x1fff, .nodes = {2}}});
  EXPECT_EQ(place(map, 0xfff), "none");
  EXPECT_EQ(place(map, 0x1000), "2:0 left 4096 before 0");
  EXPECT_EQ(place(map, 0x8010), "5:272 left 4080 before 16");
  EXPECT_EQ(place(map, 0x9000), "none");
}

TEST(AddressMap, InterleavedBlocksGoToOneNodeAfterTheOther) {
  const AddressMap map(100, 8, {{.first = 1000, .last = 1999, .nodes = {1, 3, 7}, .interleave = 64}});
  EXPECT_EQ(place(map, 1000), "1:0 left 64 before 0");
  EXPECT_EQ(place(map, 1000 + 64), "3:0 left 64 before 0");
  EXPECT_EQ(place(map, 1000 + 2 * 64 + 5), "7:5 left 59 before 5");
  EXPECT_EQ(place(map, 1000 + 3 * 64), "1:64 left 64 before 0");
  EXPECT_EQ(place(map, 1999), "1:359 left 1 before 39");  // block 15, the sixth of node 1
}

TEST(AddressMap, EverythingElseGoesToTheDefaultTarget) {
  const AddressMap map(100, 8,
                       {{.first = 1000, .last = 1999, .nodes = {1}}, {.is_default = true, .nodes = {6}}});
  EXPECT_EQ(place(map, 10), "6:10 left 990 before 10");
  EXPECT_EQ(place(map, 2500), "6:2500 left " + std::to_string(~std::uint64_t{0} - 2499) + " before 500");
}

TEST(AddressMap, ARangeMayHaveAllAddresses) {
  const std::string all = std::to_string(~std::uint64_t{0});
  const AddressMap one(100, 8, {{.first = 0, .last = ~std::uint64_t{0}, .nodes = {1}}});
  EXPECT_EQ(place(one, 0), "1:0 left " + all + " before 0");
  EXPECT_EQ(place(one, ~std::uint64_t{0}), "1:" + all + " left 1 before " + all);
  const AddressMap two(100, 8, {{.first = 0, .last = ~std::uint64_t{0}, .nodes = {1, 2}, .interleave = 64}});
  EXPECT_EQ(place(two, 0), "1:0 left 64 before 0");
}

TEST(AddressMap, EveryNameIsATargetOfItsOwnAtItsNode) {
  const AddressMap map(100, 8,
                       {{.name = "ram", .first = 0x1000, .last = 0x1fff, .nodes = {5}},
                        {.name = "uart", .first = 0x3000, .last = 0x30ff, .nodes = {5}},
                        {.name = "ram", .first = 0x2000, .last = 0x2fff, .nodes = {5}, .local = 0x1000},
                        {.name = "dram", .first = 0x8000, .last = 0x8fff, .nodes = {1, 5}, .interleave = 64},
                        {.name = "rest", .is_default = true, .nodes = {2}}});
  EXPECT_EQ(map.target_count(5), 3u);
  EXPECT_EQ(map.target_count(1), 1u);
  EXPECT_EQ(map.target_count(0), 1u);
  EXPECT_EQ(map.find(0x1004)->target, 0u);
  EXPECT_EQ(map.find(0x2004)->target, 0u);
  EXPECT_EQ(map.find(0x2004)->local, 0x1004u);
  EXPECT_EQ(map.find(0x3004)->target, 1u);
  EXPECT_EQ(map.find(0x8040)->target, 2u);
  EXPECT_EQ(map.find(0x8000)->target, 0u);
  using Targets = std::vector<AddressMap::Target>;
  EXPECT_EQ(map.targets("dram"), (Targets{{1, 0}, {5, 2}}));
  EXPECT_EQ(map.targets("uart"), (Targets{{5, 1}}));
  EXPECT_EQ(map.targets("rest"), (Targets{{2, 0}}));
  EXPECT_EQ(map.targets("rom"), Targets{});
}

TEST(AddressMap, TargetsOfAllNodesAreNumbered) {
  const AddressMap map(100, 4,
                       {{.name = "a", .first = 0, .last = 9, .nodes = {1}},
                        {.name = "b", .first = 10, .last = 19, .nodes = {1}},
                        {.name = "c", .first = 20, .last = 29, .nodes = {3}}});
  EXPECT_EQ(map.all_targets(), 5u);
  EXPECT_EQ(map.index(0, 0), 0u);
  EXPECT_EQ(map.index(1, 1), 2u);
  EXPECT_EQ(map.index(3, 0), 4u);
  const AddressMap slices(100, 4);
  EXPECT_EQ(slices.all_targets(), 4u);
  EXPECT_EQ(slices.index(3, 0), 3u);
}

TEST(AddressMap, AddressesOfPlacesAreFoundAgain) {
  const AddressMap map(100, 8,
                       {{.name = "a", .first = 0x1000, .last = 0x1fff, .nodes = {5}, .local = 0x20},
                        {.name = "b", .first = 0x8000, .last = 0x80d7, .nodes = {1, 3, 5}, .interleave = 64},
                        {.name = "c", .is_default = true, .nodes = {2}}});
  unsigned places = 0;
  for (std::uint64_t address = 0; address < 0x9000; ++address) {
    const auto place = map.find(address);
    ASSERT_TRUE(place);
    const auto back = map.address_of({place->node, place->target}, place->local);
    ASSERT_TRUE(back) << address;
    ASSERT_EQ(*back, address);
    ++places;
  }
  EXPECT_EQ(places, 0x9000u);
  EXPECT_EQ(map.address_of({5, 0}, 0x1f), std::nullopt);
  EXPECT_EQ(map.address_of({5, 0}, 0x1020), std::nullopt);
  EXPECT_EQ(map.address_of({5, 1}, 64), std::nullopt);  // its only block is the last one
  EXPECT_EQ(map.address_of({2, 0}, 0x1000), std::nullopt);
  EXPECT_EQ(map.address_of({3, 0}, ~std::uint64_t{0}), std::nullopt);
  EXPECT_EQ(map.address_in("b", 3), 0x8003u);
  EXPECT_EQ(map.address_in("b", 0xd8), std::nullopt);
  const AddressMap slices(100, 4);
  EXPECT_EQ(slices.address_of({3, 0}, 99), 399u);
  EXPECT_EQ(slices.address_of({3, 0}, 100), std::nullopt);
  EXPECT_EQ(slices.address_of({4, 0}, 0), std::nullopt);
}

TEST(AddressMap, RefusesWhatIsWrongWithARemedy) {
  const auto why = [](std::vector<AddressRange> ranges) -> std::string {
    try {
      AddressMap(100, 4, std::move(ranges));
    } catch (const KeyError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      why({{.name = "ram", .first = 0, .last = 0xff, .nodes = {1}},
           {.first = 0x80, .last = 0x180, .nodes = {2}}}),
      "tlm.address_map: ram 0-0xff and 0x80-0x180 overlap; change one, as an address belongs to one range");
  EXPECT_EQ(why({{.first = 0x10, .last = 0xff, .nodes = {4}}}),
            "tlm.address_map: 0x10-0xff: there is no node 4; the last is 3");
  const auto has = [&](std::vector<AddressRange> ranges, const char* text) {
    const std::string message = why(std::move(ranges));
    EXPECT_NE(message.find(text), message.npos) << message << " has no " << text;
  };
  has({{.first = 0x10, .last = 0xff, .nodes = {1, 2}}}, "say with interleave");
  has({{.first = 0x10, .last = 0xff, .nodes = {1}, .interleave = 64}}, "remove interleave");
  has({{.first = 0x10, .last = 0xff, .nodes = {1, 1}, .interleave = 64}}, "named twice");
  has({{.first = 2, .last = 1, .nodes = {1}}}, "exchange");
  has({{.first = 1, .last = 1}}, "it has no node");
  has({{.first = 0, .last = 0xff, .nodes = {1}, .local = ~std::uint64_t{0}}}, "lower local");
  has({{.is_default = true, .nodes = {9}}}, "there is no node 9");
  has({{.is_default = true, .nodes = {0, 1}}}, "several nodes");
  has({{.is_default = true, .nodes = {0}}, {.is_default = true, .nodes = {1}}}, "another default target");
  has({{.name = "ram", .first = 0, .last = 1, .nodes = {1}},
       {.name = "ram", .first = 2, .last = 3, .nodes = {2}}},
      "give each its own");
}

TEST(AddressMap, RegionsOfANodeAreGivenInGlobalAddresses) {
  const AddressMap map(100, 8, {{.first = 1000, .last = 1999, .nodes = {1}, .local = 50}});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> regions;
  const auto note = [&](std::uint64_t first, std::uint64_t last) { regions.emplace_back(first, last); };
  map.for_each_region({1, 0}, 0, 59, note);
  map.for_each_region({1, 0}, 2000, 3000, note);
  map.for_each_region({2, 0}, 0, 3000, note);
  EXPECT_EQ(regions, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1000, 1009}}));
}

TEST(AddressMap, AnInterleavedTransferReachesItsTargets) {
  TransactionParameters parameters;
  parameters.address_map = {{.first = 0x10000, .last = 0x1ffff, .nodes = {1, 2, 3}, .interleave = 256}};
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters);
  FormedInitiator initiator("initiator");
  std::vector<std::unique_ptr<FormedTarget>> targets;
  CheckedBindings bindings;
  bindings.bind(initiator.socket, bench.fabric.sockets(0).target_socket);
  for (NodeId node = 1; node < 4; ++node) {
    targets.push_back(std::make_unique<FormedTarget>(("target_" + std::to_string(node)).c_str()));
    targets.back()->choose = [] { return FormedTarget::Choice{TargetForm::four_phases, {}, {}}; };
    bindings.bind(bench.fabric.sockets(node).initiator_socket, targets.back()->socket);
  }
  PayloadPool pool;
  unsigned block = 0, failed = 0;
  initiator.next = [&](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
    if (block == 7) return nullptr;
    // The last one crosses the end of its block.
    auto* const p = pool.acquire(tlm::TLM_WRITE_COMMAND, 0x10000 + 256 * block, block == 6 ? 257 : 256);
    std::fill_n(p->get_data_ptr(), p->get_data_length(), static_cast<unsigned char>(++block));
    return p;
  };
  initiator.answered = [&](tlm::tlm_generic_payload& p) {
    failed += p.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE;
  };
  bench.run(1);
  initiator.send();
  ASSERT_TRUE(bench.drain(4000));
  EXPECT_EQ(initiator.responses, 7u);
  EXPECT_EQ(failed, 1u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(targets[i]->bytes[0], i + 1);
    EXPECT_EQ(targets[i]->bytes[255], i + 1);
    EXPECT_EQ(targets[i]->bytes[256], i + 4);
    EXPECT_EQ(targets[i]->requests, 2u);
  }
}

}  // namespace
}  // namespace flitmend
