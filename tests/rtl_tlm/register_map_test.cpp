// SPDX-License-Identifier: Apache-2.0
// The register maps: unique names, a purpose for each register, and the storage bits of a router counted by
// hand.
#include "rtl_tlm/registers/register_map.h"
#include "rtl_tlm/hierarchy/register_bits.h"
#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/registers/router_memory.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rtl_tlm/mechanisms/circuits/circuit_registers.h"
#include "rtl_tlm/mechanisms/vectors/vector_registers.h"
#include "rtl_tlm/node/interface_registers.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

/// A layout without a router: ports of a line of two routers.
struct MapOf {
  MapOf(const HardwareParameters& hardware, unsigned ports)
      : topology(make_topology(mesh_network({2}))),
        routing(make_routing(*topology, hardware.router.virtual_channels, {})),
        selection(make_selection(*topology, {})),
        context{*topology, *routing, *selection, hardware, 1, {}, {}},
        layout(context.shared<RouterMemory>().layout(context, ports, true)) {}
  std::unique_ptr<Topology> topology;
  std::unique_ptr<RoutingFunction> routing;
  std::unique_ptr<SelectionFunction> selection;
  NetworkContext context;
  const RouterLayout& layout;
};

template <class Entries>
void expect_described(const Entries& entries) {
  std::set<std::string> names;
  for (const auto& entry : entries) {
    const std::string name(entry.name);
    EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
    // A scope of that name would be a SystemC module with the register's name.
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
      EXPECT_FALSE(names.contains(name.substr(0, dot))) << name;
    EXPECT_FALSE(entry.purpose.empty()) << name;
    EXPECT_EQ(entry.purpose.back(), '.') << name;
    EXPECT_EQ(entry.present.when.empty(), entry.present.holds == nullptr) << name;
    EXPECT_EQ(entry.read == nullptr, is_memory(entry.form)) << name;
    const bool counts = entry.form == RegisterForm::number || is_memory(entry.form);
    EXPECT_EQ(entry.greatest != nullptr, counts) << name;
  }
}

/// What a protocol without any hardware but its units needs.
RecoveryNeeds no_needs() {
  return {.flit_counter = false,
          .head_copy = false,
          .mechanisms = MechanismSet{},
          .control_lines = ControlLineSet{0},
          .control_messages = false,
          .padding = false,
          .software_handler = false,
          .sender_copy = false,
          .id_memory = 0};
}

}  // namespace

TEST(RegisterMap, EveryEntryHasAUniqueNameAndAPurpose) {
  expect_described(kRouterRegisters);
  expect_described(kInputVcRegisters);
  expect_described(kCircuitRegisters);
  expect_described(kOutputVcRegisters);
  expect_described(kPortRegisters);
  expect_described(kVectorPortRegisters);
  expect_described(kVectorElementRegisters);
  expect_described(kOutputRegisters);
  expect_described(kFlitRegisters);
  expect_described(kForwardLines);
  expect_described(kBackwardLines);
  expect_described(kInjectorRegisters);
  expect_described(kInjectorVcRegisters);
  expect_described(kReceiverRegisters);
}

TEST(RegisterMap, BitsAreThoseCountedByHand) {
  HardwareSettings settings;
  settings.router.virtual_channels = 2;
  settings.router.input_buffer = 4;
  settings.router.output_buffer = 3;
  settings.router.head_copy = true;
  const MapOf map(HardwareParameters::from(settings), 3);  // 6 virtual channels, 2 nodes
  const RegisterBits bits = register_bits(map.layout);
  // route_fsm, stage, stage_timer; input_buffer, its read pointer; output_vc; candidates,
  // candidate_list, chosen_candidate; vc_accept_pointer; head_copy.
  EXPECT_EQ(bits.input_vcs, 6u * (2 + 2 + 2 + 3 + 2 + 3 + 1 + 2 + 0 + 3 + (1 + 1 + 32 + 64)));
  // owner, credits, free, vc_grant_pointer, output_buffer, its read pointer.
  EXPECT_EQ(bits.output_vcs, 6u * (3 + 3 + 1 + 3 + 2 + 2));
  // faulty, switch pointers of the input, granted_input, switch_grant_pointer, link_pointer.
  EXPECT_EQ(bits.ports, 3u * (1 + 2 + 3 + 3 + 2 + 1));
  EXPECT_EQ(bits.buffers, 6u * (4 + 3) * (8 * 8 + 3));
  EXPECT_EQ(bits.total(), bits.input_vcs + bits.output_vcs + bits.ports + bits.buffers);
}

TEST(RegisterMap, RecoveryFromDeadlockTakesADeadlockBufferAndATimerPerVirtualChannel) {
  HardwareParameters hardware = HardwareParameters::from(preset("kary-ncube"));
  const MapOf plain(hardware, 3);
  hardware.deadlock_timeout = 64;
  const MapOf with_lane(hardware, 3);
  const RegisterBits a = register_bits(plain.layout), b = register_bits(with_lane.layout);
  EXPECT_EQ(b.input_vcs - a.input_vcs, 12u * (16 + 1)) << "wait_timer; LANE";
  EXPECT_EQ(b.output_vcs, a.output_vcs);
  EXPECT_EQ(b.ports, a.ports);
  EXPECT_EQ(b.router - a.router, 1u + 2 + 4 + 1 + 2) << "token, token_from, recovering, occupied, output";
  EXPECT_EQ(b.buffers - a.buffers, 8u * 8 + 3);
}

TEST(RegisterMap, HardwareThatIsNotThereTakesNoBits) {
  HardwareParameters hardware = HardwareParameters::from(preset("kary-ncube"));
  const MapOf plain(hardware, 3);
  hardware.recovery_units = true;
  const MapOf with_units(hardware, 3);
  hardware.mechanisms = {Mechanism::copies};
  const MapOf with_copies(hardware, 3);
  const RegisterBits a = register_bits(plain.layout), b = register_bits(with_units.layout),
                     c = register_bits(with_copies.layout);
  // Unlimited ejection: the local port has no output virtual channels. 4 virtual channels, buffers of 8
  // flits. They are drawn at random, so they need no pointers.
  EXPECT_EQ(a.output_vcs, 8u * (4 + 4 + 1));
  EXPECT_EQ(b.input_vcs - a.input_vcs, 12u * (1 + 16 + 1 + 1))
      << "flushing, wait_timer, tail_due, resync_due";
  EXPECT_EQ(b.output_vcs - a.output_vcs, 8u) << "held";
  EXPECT_EQ(b.router - a.router, 1u) << "down";
  EXPECT_EQ(c.input_vcs - b.input_vcs, 12u * (4 + 4 + 1 + 1 + 1 + 1 + 1))
      << "copies, copies_resent, closing, restart_head, renaming; BACKUP; a slot more for the read pointer";
  EXPECT_EQ(a.buffers, c.buffers);
}

TEST(RegisterMap, ShadowRegistersAreCounted) {
  HardwareParameters hardware = HardwareParameters::from(preset("kary-ncube"));
  RecoveryNeeds needs = no_needs();
  needs.head_copy = true;
  hardware.equip(needs);
  const MapOf plain(hardware, 3);
  needs.mechanisms = MechanismSet{Mechanism::tail_signals};
  hardware.equip(needs);
  const MapOf with_shadows(hardware, 3);
  const RegisterBits a = register_bits(plain.layout), b = register_bits(with_shadows.layout);
  EXPECT_EQ(b.input_vcs - a.input_vcs, 12u) << "tail_owed";
  // lingering; source, destination, id, length, SSNF, input virtual channel.
  EXPECT_EQ(b.output_vcs - a.output_vcs, 8u * (1 + 1 + 1 + 32 + 16 + 16 + 4));
  // lingering; source, destination, id, length, SSNF.
  EXPECT_EQ(interface_bits(with_shadows.layout) - interface_bits(plain.layout),
            4u * (1 + 1 + 1 + 32 + 16 + 16));
}

TEST(RegisterMap, MemoryOfIdsIsCountedPerSource) {
  HardwareParameters hardware = HardwareParameters::from(preset("kary-ncube"));
  RecoveryNeeds needs = no_needs();
  hardware.equip(needs);
  const MapOf without(hardware, 3);
  needs.id_memory = 64;
  hardware.equip(needs);
  const MapOf with(hardware, 3);
  EXPECT_EQ(interface_bits(with.layout) - interface_bits(without.layout), 2u * (32 + 64)) << "2 nodes";
  EXPECT_EQ(register_bits(with.layout).total(), register_bits(without.layout).total());
}

TEST(RegisterMap, FlitCountersAreCountedOnlyWhereAProtocolNeedsThem) {
  HardwareParameters hardware = HardwareParameters::from(preset("kary-ncube"));
  RecoveryNeeds needs = no_needs();
  needs.head_copy = true;
  needs.mechanisms = MechanismSet{Mechanism::tail_signals};
  hardware.equip(needs);
  const MapOf without(hardware, 3);
  needs.flit_counter = true;
  hardware.equip(needs);
  const MapOf with(hardware, 3);
  const RegisterBits a = register_bits(without.layout), b = register_bits(with.layout);
  EXPECT_EQ(b.input_vcs - a.input_vcs, 12u * 16) << "flit_counter";
  EXPECT_EQ(b.output_vcs - a.output_vcs, 8u * (16 + 16)) << "shadow.first, shadow.count";
  EXPECT_EQ(interface_bits(with.layout) - interface_bits(without.layout), 4u * (16 + 16))
      << "shadow.first, shadow.count";
}

}  // namespace flitmend
