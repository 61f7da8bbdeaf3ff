// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/address_map.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "rtl_tlm/tlm/socket_width.h"
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
  const AddressMap map(100, 8, {{.first = 1000, .last = 1999, .nodes = {1}}}, 6);
  EXPECT_EQ(place(map, 10), "6:10 left 990 before 10");
  EXPECT_EQ(place(map, 2500), "6:2500 left " + std::to_string(~std::uint64_t{0} - 2499) + " before 500");
}

TEST(AddressMap, RefusesWhatIsWrongWithARemedy) {
  const auto why = [](std::vector<AddressRange> ranges, std::optional<NodeId> other = {}) -> std::string {
    try {
      AddressMap(100, 4, std::move(ranges), other);
    } catch (const KeyError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why({{.first = 0, .last = 0xff, .nodes = {1}}, {.first = 0x80, .last = 0x180, .nodes = {2}}}),
            "tlm.address_map: 0-0xff and 0x80-0x180 overlap; an address belongs to one range");
  EXPECT_EQ(why({{.first = 0x10, .last = 0xff, .nodes = {4}}}),
            "tlm.address_map: 0x10-0xff: there is no node 4; the last is 3");
  EXPECT_NE(why({{.first = 0x10, .last = 0xff, .nodes = {1, 2}}}).find("interleave"), std::string::npos);
  EXPECT_NE(why({{.first = 2, .last = 1, .nodes = {1}}}).find("exchange"), std::string::npos);
  EXPECT_NE(why({{.first = 1, .last = 1}}).find("it has no node"), std::string::npos);
  EXPECT_NE(why({{.first = 1, .last = 1, .nodes = {1}}}, 9).find("there is no node 9"), std::string::npos);
}

TEST(AddressMap, RegionsOfANodeAreGivenInGlobalAddresses) {
  const AddressMap map(100, 8, {{.first = 1000, .last = 1999, .nodes = {1}, .local = 50}});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> regions;
  const auto note = [&](std::uint64_t first, std::uint64_t last) { regions.emplace_back(first, last); };
  map.for_each_region(1, 0, 59, note);
  map.for_each_region(1, 2000, 3000, note);
  map.for_each_region(2, 0, 3000, note);
  EXPECT_EQ(regions, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1000, 1009}}));
}

/// A 64-bit initiator, an interleaved map, and a 64-bit target behind adapters.
TEST(AddressMap, AnInterleavedTransferReachesItsTargetsAtAnyWidth) {
  TransactionParameters parameters;
  parameters.address_map = {{.first = 0x10000, .last = 0x1ffff, .nodes = {1, 2, 3}, .interleave = 256}};
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters);
  FormedInitiator initiator("initiator");
  SocketWidth<32, 64> widen("widen");
  SocketWidth<64, 32> narrow("narrow");
  std::vector<std::unique_ptr<FormedTarget>> targets;
  CheckedBindings bindings;
  bindings.bind(initiator.socket, widen.target_socket);
  widen.initiator_socket.bind(narrow.target_socket);
  narrow.initiator_socket.bind(bench.fabric.sockets(0).target_socket);
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
