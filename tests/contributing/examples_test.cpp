// SPDX-License-Identifier: Apache-2.0
// The examples of docs/extending.md, held to what everything of their kind must hold to.
#include <gtest/gtest.h>

#include "contracts/every_directed_fault.h"
#include "contracts/every_injection_process.h"
#include "contracts/every_length_distribution.h"
#include "contracts/every_network_map.h"
#include "contracts/every_pattern.h"
#include "contracts/every_recovery_protocol.h"
#include "contracts/every_routing_algorithm.h"
#include "contracts/every_selection.h"
#include "contracts/every_statistic.h"
#include "contracts/every_topology.h"
#include "rtl_tlm/full_register.h"
#include "support/fabric_bench.h"

namespace flitmend {

TopologyEntry cylinder_topology();
SelectionEntry last_free_selection();
RecoveryEntry twins_recovery();
PatternEntry half_shift_pattern();
InjectionEntry triangular_gaps_injection();
LengthEntry triangular_length();
StatisticEntry source_wait_statistic();

namespace {

/// The registered algorithms that apply to a topology.
std::vector<RoutingCase> algorithms_of(const TopologyEntry& topology) {
  std::vector<RoutingCase> cases = registered_algorithms_on({topology});
  std::erase_if(cases, [](const RoutingCase& c) {
    for (const auto& network : make_examples(c.topologies.front()))
      if (c.entry.applies_to(*network)) return false;
    return true;
  });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Example, EveryTopology, testing::Values(cylinder_topology()),
                         test_name<TopologyEntry>);
INSTANTIATE_TEST_SUITE_P(Example, EveryNetworkMap, testing::Values(cylinder_topology()),
                         test_name<TopologyEntry>);
INSTANTIATE_TEST_SUITE_P(OnTheCylinder, EveryRoutingAlgorithm,
                         testing::ValuesIn(algorithms_of(cylinder_topology())), routing_test_name);
INSTANTIATE_TEST_SUITE_P(Example, EverySelection, testing::Values(last_free_selection()),
                         test_name<SelectionEntry>);
INSTANTIATE_TEST_SUITE_P(Example, EveryRecoveryProtocol,
                         testing::ValuesIn(recovery_cases({twins_recovery()}, 1)), recovery_test_name);
INSTANTIATE_TEST_SUITE_P(Example, EveryDirectedFault,
                         testing::ValuesIn(directed_fault_cases({twins_recovery()})), directed_fault_name);
INSTANTIATE_TEST_SUITE_P(Example, EveryPattern, testing::Values(half_shift_pattern()),
                         test_name<PatternEntry>);
INSTANTIATE_TEST_SUITE_P(Example, EveryInjectionProcess, testing::Values(triangular_gaps_injection()),
                         test_name<InjectionEntry>);
INSTANTIATE_TEST_SUITE_P(Example, EveryLengthDistribution, testing::Values(triangular_length()),
                         test_name<LengthEntry>);
INSTANTIATE_TEST_SUITE_P(Example, EveryStatistic, testing::Values(source_wait_statistic()),
                         test_name<StatisticEntry>);

TEST(ContributingExamples, AlgorithmsForGridsRouteOnACylinder) {
  std::vector<std::string_view> names;
  for (const RoutingCase& c : algorithms_of(cylinder_topology())) names.push_back(c.entry.name);
  EXPECT_NE(std::find(names.begin(), names.end(), "dimension-order"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "duato"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "west-first"), names.end()) << "that is for meshes";
}

TEST(ContributingExamples, ARegisterSaysWhatItsOwnerHolds) {
  HardwareSettings hardware;
  hardware.router.virtual_channels = 1;
  hardware.router.input_buffer = 2;
  FabricBench bench(mesh_network({2, 2}), hardware);
  bool full = false, room = false;
  for (unsigned i = 0; i < 4; ++i) bench.fabric.network_interface(i % 2).send(3, 20);
  for (Cycle t = 0; t < 120; ++t) {
    bench.run(1);
    for (unsigned port = 0; port < 4; ++port) {
      const VirtualChannel vc = bench.fabric.router(1).input(port).vc(0);
      const RegisterValue value = kFullRegister.read(vc);
      ASSERT_EQ(value, RegisterValue(vc.input_buffer() == 2));
      (*value ? full : room) = true;
    }
  }
  EXPECT_TRUE(full);
  EXPECT_TRUE(room);
}

}  // namespace
}  // namespace flitmend
