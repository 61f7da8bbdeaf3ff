// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/message_observer.h"
#include "rtl_tlm/interfaces/routing_function.h"
#include "rtl_tlm/parameters.h"
#include "rtl_tlm/signals/broken_messages.h"
#include "rtl_tlm/signals/counters.h"
#include "rtl_tlm/signals/message.h"
#include "rtl_tlm/signals/register_traces.h"
#include "rtl_tlm/signals/shared_parts.h"

namespace flitmend {

/// What all routers and interfaces of one network share: its graph and algorithms, the hardware's parameters,
/// the message descriptors and the observers of messages.
struct NetworkContext {
  const Topology& topology;
  const RoutingFunction& routing;
  const SelectionFunction& selection;
  HardwareParameters hardware;
  std::uint64_t seed = 1;
  MessagePool messages;
  std::vector<MessageObserver*> observers;
  std::vector<PacketObserver*> packet_observers{};
  /// Messages that have lost flits. The fabric tells their senders at the end of a cycle.
  BrokenMessages broken{messages};
  /// Permanently dead nodes, known to every router and interface. Empty if there are none.
  std::vector<bool> dead_nodes{};
  bool any_dead_node = false;
  /// All present faults, and the permanent ones, which the management of the network knows.
  FaultSet faults{topology};
  FaultSet permanent_faults{topology};
  std::uint64_t fault_changes = 0;  ///< times that `faults` has changed
  Cycle last_fault_change = 0;
  /// Originals delivered in this cycle whose senders the fabric is to tell: InterfaceRecovery::delivered.
  std::vector<MessageIndex> delivered{};
  bool node_dead(NodeId node) const { return any_dead_node && dead_nodes[node]; }
  /// A management step is under way: no message leaves a source queue.
  bool sources_stopped = false;
  Cycle next_cycle = 0;  ///< the clock edge that has not been evaluated yet
  /// Whether t is the last cycle evaluated.
  bool is_last_cycle(Cycle t) const { return next_cycle > 0 && t == next_cycle - 1; }
  /// Into routers: by injectors, and what a recovery unit appends or sends again.
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_consumed = 0;       ///< by receivers
  std::uint64_t flits_discarded = 0;      ///< by faults, recovery and reset
  std::uint64_t absorptions = 0;          ///< of messages by interfaces on their way
  std::uint64_t messages_in_network = 0;  ///< created and not yet delivered
  /// Descriptors of delivered messages of which senders keep a copy because nothing tells them.
  std::size_t copies_of_delivered = 0;
  RecoveryCounters recovery_counters{};
  ManagementCounters management_counters{};
  RegisterTraces traces{};  ///< registers that SystemC's trace files record
  SharedParts parts{};
  /// The object of that type that the whole network shares: RouterMemory, or the counters of a mechanism.
  template <class T>
  T& shared() const {
    return parts.get<T>();
  }

  /// Whether every register is an object of SystemC's hierarchy.
  bool full_hierarchy() const {
    return hardware.hierarchy == Hierarchy::full ||
           (hardware.hierarchy == Hierarchy::automatic && topology.node_count() <= kLargestFullHierarchy);
  }
};

}  // namespace flitmend
