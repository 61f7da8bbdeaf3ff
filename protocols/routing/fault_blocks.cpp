// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/fault_blocks.h"

#include <algorithm>
#include <utility>

#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kBad = ~0u - 1;  // in no block yet

}  // namespace

std::vector<bool> nodes_in_blocks(const Grid& mesh, const FaultSet& faults) {
  const RouterId routers = mesh.router_count();
  std::vector<bool> bad(routers);
  for (RouterId router = 0; router < routers; ++router) {
    if (faults.router_faulty(router)) bad[router] = true;
    for (PortId port = 0; port < mesh.port_count(router); ++port)
      if (const auto far = mesh.neighbour(router, port); far && faults.channel_faulty(router, port))
        bad[std::min(router, far->router)] = true;
  }
  const auto bad_in = [&](RouterId router, unsigned dimension) {
    for (const bool plus : {true, false})
      if (const auto far = mesh.neighbour(router, mesh.port(dimension, plus)); far && bad[far->router])
        return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (RouterId router = 0; router < routers; ++router) {
      if (bad[router]) continue;
      unsigned in = 0;
      for (unsigned i = 0; i < mesh.dimensions(); ++i) in += bad_in(router, i);
      if (in < 2) continue;
      bad[router] = changed = true;
    }
  }
  return bad;
}

void FaultBlocks::update(const FaultSet& faults) {
  blocks_.clear();
  const std::vector<bool> in_block = nodes_in_blocks(mesh_, faults);
  for (RouterId router = 0; router < in_block.size(); ++router)
    block_[router] = in_block[router] ? kBad : kNone;
  for (RouterId router = 0; router < in_block.size(); ++router)
    if (block_[router] == kBad) join(router);
}

/// Makes a block of the region of that node.
void FaultBlocks::join(RouterId first) {
  const auto number = static_cast<std::uint32_t>(blocks_.size());
  Block block;
  for (unsigned i = 0; i < mesh_.dimensions(); ++i) block.low.push_back(mesh_.coordinate(first, i));
  block.high = block.low;
  std::vector<RouterId> todo = {first};
  block_[first] = number;
  while (!todo.empty()) {
    const RouterId router = todo.back();
    todo.pop_back();
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
      block.low[i] = std::min(block.low[i], mesh_.coordinate(router, i));
      block.high[i] = std::max(block.high[i], mesh_.coordinate(router, i));
    }
    for (PortId port = 0; port < mesh_.port_count(router); ++port)
      if (const auto far = mesh_.neighbour(router, port); far && block_[far->router] == kBad) {
        block_[far->router] = number;
        todo.push_back(far->router);
      }
  }
  blocks_.push_back(std::move(block));
}

std::vector<bool> disabled_by_blocks(const FaultSet& faults) {
  FaultBlocks blocks(*structure_of<Grid>(faults.topology()));
  blocks.update(faults);
  std::vector<bool> disabled(faults.topology().router_count());
  for (RouterId router = 0; router < disabled.size(); ++router)
    disabled[router] = blocks.bad(router) && !faults.router_faulty(router);
  return disabled;
}

}  // namespace flitmend
