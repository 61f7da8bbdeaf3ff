// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// Why an algorithm cannot deadlock.
enum class DeadlockProof {
  dependency_graph,  ///< its channel dependency graph has no cycle [Dally87]
  escape_channels,   ///< the extended graph of its escape channels has no cycle [Duato93]
  none,              ///< it can deadlock: for study, or with detection and recovery
};
const char* to_string(DeadlockProof);

/// What an algorithm needs on one topology with given options.
struct RoutingNeeds {
  unsigned virtual_channels = 1;  ///< minimum per physical channel
  std::string classes;            ///< their use: "2 escape, 1 adaptive"
  DeadlockProof proof = DeadlockProof::dependency_graph;
  /// Whether a virtual channel may be given to a new message only when the last flit of the previous one has
  /// left it (router.vc_reallocation: atomic). Not needed if whole packets fit in a buffer.
  bool atomic_vc_reallocation = false;
};

struct RoutingEntry {
  std::string_view name;
  std::string_view description;
  std::vector<std::string_view> topologies;  ///< where it applies
  std::vector<std::string_view> options;     ///< further keys of `routing` that it uses
  std::string_view default_selection;
  DeadlockProof proof;          ///< with default options; RoutingNeeds has that of given options
  bool minimal;                 ///< every candidate is on a shortest path
  bool atomic_vc_reallocation;  ///< see RoutingNeeds; with default options
  /// Throws ConfigurationError if the topology (of a listed kind) or an option does not fit.
  RoutingNeeds (*needs)(const Topology&, const RoutingSettings&);
  /// There are enough virtual channels.
  std::unique_ptr<RoutingFunction> (*make)(const Topology&, unsigned virtual_channels,
                                           const RoutingSettings&);

  bool applies_to(const Topology&) const;
  bool has_option(std::string_view key) const;
};

const Registry<RoutingEntry>& routing_algorithms();

/// What the configured algorithm needs. Throws ConfigurationError if it does not apply to the topology, or
/// does not have an option that is set.
RoutingNeeds routing_needs(const Topology&, const RoutingSettings&);

/// The configured algorithm on that topology, which must outlive it. Throws ConfigurationError as
/// routing_needs does, and if there are fewer virtual channels than it needs, or not 1 to 64.
std::unique_ptr<RoutingFunction> make_routing(const Topology&, unsigned virtual_channels,
                                              const RoutingSettings&);

}  // namespace flitmend
