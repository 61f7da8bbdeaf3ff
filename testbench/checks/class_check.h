// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/checks/deadlock_check.h"
#include "testbench/traffic/classes.h"

namespace flitmend {

/// The virtual networks with one number of virtual channels, which have the same proofs.
struct NetworkKind {
  Configuration configuration;  ///< of_network
  std::string classes;          ///< "class 'a', on virtual channels 0-1"
};
/// All kinds of a configuration; without classes, itself alone.
std::vector<NetworkKind> network_kinds(const Configuration&);
/// Checks of all kinds as one: the worst status, and what differs is said with its classes.
DeadlockCheck together(const std::vector<NetworkKind>&, const std::vector<DeadlockCheck>&);

/// check_deadlock for messages with classes: each virtual network is proved with its own virtual channels,
/// then the dependencies between classes. If messages of class a wait at their destinations for messages of
/// class b, the network of a waits for that of b. Without a cycle among networks nothing else is needed: the
/// last network empties by its own proof, then those that wait for it. In a network that waits for itself,
/// the dependency graph of channels with these waits is searched for a cycle. A cycle of classes, or of
/// several networks, is not proved. Throws as check_deadlock does. `show` gets what was found in each
/// kind of network.
DeadlockCheck check_by_class(const Configuration&, const Topology&, const MessageClasses&, ProofListener*,
                             const ShowFinding& show);

}  // namespace flitmend
