// SPDX-License-Identifier: Apache-2.0
// SystemC's hierarchy of a whole run: every module says what it is.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <systemc>
#include <vector>

#include "testbench/configuration/loader.h"
#include "testbench/simulation.h"

namespace flitmend {
namespace {

/// The modules below some objects, by their kind: how many there are.
void count_kinds(const std::vector<sc_core::sc_object*>& objects, std::map<std::string, int>& kinds) {
  for (const sc_core::sc_object* object : objects) {
    if (dynamic_cast<const sc_core::sc_module*>(object)) {
      const std::string kind = object->kind();
      ++kinds[kind];
      EXPECT_TRUE(kind.starts_with("flitmend_")) << object->name() << " is a " << kind;
    }
    count_kinds(object->get_child_objects(), kinds);
  }
}

TEST(Hierarchy, NamesTheKindOfEveryModule) {
  const Configuration c = parse_configuration(
      "network: {size: [3, 3]}\nrecovery: {protocol: sbrp-1}\nfaults: {node_rate: 1e-4, duration: 20}\n"
      "simulation: {hierarchy: full}\n",
      "c.yaml", {});
  const Simulation simulation(c);
  std::map<std::string, int> kinds;
  count_kinds(sc_core::sc_get_top_level_objects(), kinds);
  for (const char* one : {"flitmend_fabric", "flitmend_fault_injector", "flitmend_generator_schedule"})
    EXPECT_EQ(kinds[one], 1) << one;
  for (const char* per_node :
       {"flitmend_router", "flitmend_recovery_unit", "flitmend_network_interface", "flitmend_injector",
        "flitmend_receiver", "flitmend_network_sockets", "flitmend_traffic_generator",
        "flitmend_traffic_sink", "flitmend_vc_allocator", "flitmend_switch_allocator", "flitmend_crossbar"})
    EXPECT_EQ(kinds[per_node], 9) << per_node;
  EXPECT_EQ(kinds["flitmend_input_controller"], kinds["flitmend_output_controller"]);
  EXPECT_EQ(kinds["flitmend_channel"], 2 * 12 + 2 * 9);  // both ways of 12 links; injection and ejection
}

TEST(Hierarchy, HasNoPartsOfRoutersIfItIsCompact) {
  const Configuration c =
      parse_configuration("network: {size: [3, 3]}\nsimulation: {hierarchy: compact}\n", "c.yaml", {});
  const Simulation simulation(c);
  std::map<std::string, int> kinds;
  count_kinds(sc_core::sc_get_top_level_objects(), kinds);
  for (const char* per_node : {"flitmend_router", "flitmend_network_interface", "flitmend_injector",
                               "flitmend_receiver", "flitmend_traffic_generator", "flitmend_traffic_sink"})
    EXPECT_EQ(kinds[per_node], 9) << per_node;
  for (const char* part : {"flitmend_input_controller", "flitmend_output_controller", "flitmend_channel",
                           "flitmend_vc_allocator", "flitmend_switch_allocator", "flitmend_crossbar"})
    EXPECT_EQ(kinds[part], 0) << part;
}

}  // namespace
}  // namespace flitmend
