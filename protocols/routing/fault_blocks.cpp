// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/fault_blocks.h"

#include <algorithm>

#include "topologies/structure.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kBad = ~0u - 1;  // in no block yet

}  // namespace

bool FaultBlocks::bad_at(RouterId router, PortId port) const {
  const auto far = mesh_.neighbour(router, port);
  return far && bad(far->router);
}

void FaultBlocks::update(const FaultSet& faults) {
  const RouterId routers = mesh_.router_count();
  block_.assign(routers, kNone);
  blocks_.clear();
  for (RouterId router = 0; router < routers; ++router) {
    if (faults.router_faulty(router)) block_[router] = kBad;
    for (PortId port = 0; port < mesh_.port_count(router); ++port)
      if (const auto far = mesh_.neighbour(router, port); far && faults.channel_faulty(router, port))
        block_[std::min(router, far->router)] = kBad;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (RouterId router = 0; router < routers; ++router) {
      if (bad(router)) continue;
      const bool in_x = bad_at(router, mesh_.port(0, true)) || bad_at(router, mesh_.port(0, false));
      const bool in_y = bad_at(router, mesh_.port(1, true)) || bad_at(router, mesh_.port(1, false));
      if (!in_x || !in_y) continue;
      block_[router] = kBad;
      changed = true;
    }
  }
  for (RouterId router = 0; router < routers; ++router)
    if (block_[router] == kBad) join(router);
}

/// Makes a block of the region of that node.
void FaultBlocks::join(RouterId first) {
  const auto number = static_cast<std::uint32_t>(blocks_.size());
  Block block{{mesh_.coordinate(first, 0), mesh_.coordinate(first, 1)},
              {mesh_.coordinate(first, 0), mesh_.coordinate(first, 1)}};
  std::vector<RouterId> todo = {first};
  block_[first] = number;
  while (!todo.empty()) {
    const RouterId router = todo.back();
    todo.pop_back();
    for (const unsigned i : {0u, 1u}) {
      block.low[i] = std::min(block.low[i], mesh_.coordinate(router, i));
      block.high[i] = std::max(block.high[i], mesh_.coordinate(router, i));
    }
    for (PortId port = 0; port < mesh_.port_count(router); ++port)
      if (const auto far = mesh_.neighbour(router, port); far && block_[far->router] == kBad) {
        block_[far->router] = number;
        todo.push_back(far->router);
      }
  }
  blocks_.push_back(block);
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
