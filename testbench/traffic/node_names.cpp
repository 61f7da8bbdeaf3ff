// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/node_names.h"

#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {

std::optional<RouterId> find_router(const NodeName& name, const Topology& topology) {
  if (name.router.empty()) return find_node(name, topology);
  for (RouterId r = 0; r < topology.router_count(); ++r)
    if (topology.router_name(r) == name.router) return r;
  return std::nullopt;
}

std::optional<NodeId> find_node(const NodeName& name, const Topology& topology) {
  if (!name.router.empty()) {
    const auto router = find_router(name, topology);
    return router && *router < topology.node_count() ? router : std::nullopt;
  }
  if (!name.is_number) return topology.node_at(name.coordinates);
  const std::int64_t number = name.coordinates.at(0);
  return number >= 0 && number < topology.node_count() ? std::optional(static_cast<NodeId>(number))
                                                       : std::nullopt;
}

std::string no_such_node(const NodeName& name, const Topology& topology) {
  std::string text = escaped_text(name.router) + joined(name.coordinates);
  if (!name.is_number && name.router.empty()) text = "[" + text + "]";
  return formatted("there is no node %1% in the %2%; nodes are 0 to %3%, or coordinates in its %4%", text,
                   topology.description(), topology.node_count() - 1,
                   counted(topology.dimensions(), "dimension"));
}

NodeId middle_node(const Topology& topology) {
  std::vector<std::int64_t> middle;
  for (std::uint32_t k : topology.radices()) middle.push_back(k / 2);
  return topology.node_at(middle).value();
}

}  // namespace flitmend
