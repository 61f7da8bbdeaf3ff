// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/interfaces/routing_function.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {

/// Why an algorithm cannot deadlock.
enum class DeadlockProof {
  dependency_graph,  ///< its channel dependency graph has no cycle [Dally87]
  escape_channels,   ///< the extended graph of its escape channels has no cycle [Duato93]
  none,              ///< it can deadlock: for study, or with detection and recovery
};
const char* to_string(DeadlockProof);

/// How many of the productive ports (those that bring a message nearer) a head may choose from.
enum class Adaptivity {
  deterministic,  ///< one port in every state
  partial,        ///< in some states several, in some not all
  full,           ///< all, in every state
};
const char* to_string(Adaptivity);

/// All faults that leave two nodes connected.
inline constexpr unsigned kAnyFaults = ~0u;

/// What an algorithm needs and guarantees on one topology with given options. The generic tests hold it to
/// every word.
struct RoutingProperties {
  Adaptivity adaptivity;
  DeadlockProof proof;
  /// What each class of virtual channels is for, in the order of RouteCandidate::vc_class.
  std::vector<std::string_view> vc_classes = {"any"};
  unsigned virtual_channels = 1;  ///< minimum per physical channel
  /// Whether a virtual channel may be given to a new message only when the last flit of the previous one has
  /// left it (router.vc_reallocation: atomic). Not needed if whole packets fit in a buffer.
  bool atomic_vc_reallocation = false;
  std::uint32_t extra_hops = 0;  ///< the most hops beyond a shortest path; 0: minimal
  /// Number of faulty nodes, known from the start, with which every two healthy, connected nodes still have a
  /// route, whichever candidates are chosen.
  unsigned tolerated_faults = 0;
  /// Whether network interfaces on the way absorb messages and inject them again.
  bool absorbs = false;
  /// Bits of the probability vectors of neighbours that cross a link in a cycle; 0: it uses none.
  unsigned vector_wires = 0;
  /// Whether routers add the destinations of messages that loop to their faulty sets.
  bool learns_from_loops = false;
  /// By node: the healthy ones that such faults take out of use, so that they neither send nor receive. Null:
  /// none.
  std::vector<bool> (*disabled)(const FaultSet&) = nullptr;
  /// The turn model: which changes of direction the algorithm never makes. All others it makes where a
  /// network is large enough to show them. Null: it is not defined by turns.
  bool (*forbids_turn)(const LinkDirection& from, const LinkDirection& to) = nullptr;

  /// "2 virtual channels (escape, adaptive)"; without the names if there are many.
  std::string virtual_channels_text() const;
};

/// An option of an algorithm.
struct RoutingOption {
  const OptionKey* key;
  bool (*applies_to)(const Topology&) = nullptr;  ///< null: wherever the algorithm does
  /// Why a value other than the default does not go with the other options; null: it does. No function: it
  /// always does.
  const char* (*conflict)(const RoutingSettings&) = nullptr;
};

/// A routing algorithm that a configuration can name: defined in its own file, listed in
/// protocols/routing/algorithms.def.
struct RoutingEntry {
  struct Dimensions {
    unsigned min = 1;
    unsigned max = kMaxDimensions;
  };

  std::string_view name;
  std::string_view description;
  std::string_view reference;  ///< where it is defined, as docs/references.md is cited
  /// The structure that it is defined for: is_mesh, is_grid, is_switched_grid, …
  bool (*structure)(const Topology&);
  Dimensions dimensions = {};
  std::vector<RoutingOption> options = {};
  std::vector<RoutingSettings> examples = {};  ///< values of its options that the generic tests go through
  std::string_view default_selection;
  /// What is wrong with the options on that topology, beyond what they declare. Throws ConfigurationError.
  void (*check)(const Topology&, const RoutingSettings&) = nullptr;
  /// The topology is one that it applies to, and the options are its own.
  RoutingProperties (*properties)(const Topology&, const RoutingSettings&);
  /// The same, and there are as many virtual channels as it needs.
  std::unique_ptr<RoutingFunction> (*make)(const Topology&, unsigned virtual_channels,
                                           const RoutingSettings&);

  bool applies_to(const Topology&) const;
  bool has(const OptionKey&) const;
  /// Throws ConfigurationError if an option is set that it does not have, or not on that topology.
  void check_options(const Topology&, const RoutingSettings&) const;
  /// The registered topologies that have its structure.
  std::vector<std::string_view> topologies() const;
  /// "of 2 dimensions"; empty where any number will do.
  std::string dimensions_text() const;
};

const Registry<RoutingEntry>& routing_algorithms();
/// The options of all of them, each once, in the order of the algorithms. Throws ContractError if two
/// declarations have one name.
const std::vector<const OptionKey*>& routing_options();

/// A network of that topology to which the algorithm applies: of the default size, else an example.
std::unique_ptr<Topology> example_network(const TopologyEntry&, const RoutingEntry&);

/// What the configured algorithm needs and guarantees. Throws ConfigurationError if it does not apply to the
/// topology, or does not have an option that is set.
RoutingProperties routing_properties(const Topology&, const RoutingSettings&);

/// The configured algorithm on that topology, which must outlive it. Throws ConfigurationError as
/// routing_properties does, and if there are fewer virtual channels than it needs, or not 1 to 64.
std::unique_ptr<RoutingFunction> make_routing(const Topology&, unsigned virtual_channels,
                                              const RoutingSettings&);

}  // namespace flitmend
