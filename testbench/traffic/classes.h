// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocols/routing/virtual_networks.h"
#include "rtl_tlm/signals/class_arbiter.h"
#include "testbench/configuration/configuration.h"
#include "testbench/traffic/flow_description.h"
#include "topologies/topology.h"

namespace flitmend {

/// classes, class, class_dependencies, starvation_limit: the options of section traffic about classes of
/// messages.
extern const OptionKey kClassesOption;
extern const OptionKey kClassOption;
extern const OptionKey kClassDependenciesOption;
extern const OptionKey kStarvationLimitOption;
inline constexpr const OptionKey* kClassOptions[] = {&kClassesOption, &kClassOption,
                                                     &kClassDependenciesOption, &kStarvationLimitOption};

struct MessageClass {
  std::string name;
  ClassParameters parameters;
  unsigned network = 0;  ///< of MessageClasses::networks
};

/// The classes of traffic.classes, by number.
struct MessageClasses {
  std::vector<MessageClass> list;  ///< empty: messages have no classes
  std::vector<VcRange> networks;   ///< the virtual networks in which they travel; one: that of all
  /// Class and class: messages of the first wait at their destinations for messages of the second to leave.
  std::vector<std::pair<unsigned, unsigned>> dependencies;

  bool empty() const { return list.empty(); }
  std::optional<unsigned> number(std::string_view name) const;
  std::vector<std::string_view> names() const;
};

/// Throws ConfigurationError with the place of what is wrong, also if router.arbitration has nothing to go
/// by.
MessageClasses message_classes(const Configuration&, const Topology&);

/// The configuration of one virtual network: its virtual channels, and no classes.
Configuration of_network(const Configuration&, const VcRange&);

/// Gives traffic.class to flows that have no class of their own, if messages have classes.
void give_class(std::span<FlowDescription>, const TrafficSettings&);

/// The arbiters' part of it, with router.arbitration.
ClassRules class_rules(const MessageClasses&, const Configuration&);

/// The configured algorithm, in the virtual networks of the classes. Throws as make_routing does.
std::unique_ptr<RoutingFunction> make_routing(const Topology&, const MessageClasses&, const Configuration&);

}  // namespace flitmend
