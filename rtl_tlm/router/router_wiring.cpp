// SPDX-License-Identifier: Apache-2.0
// What a router is connected to: its registers to channels, to its network interface and its recovery unit,
// and the bits that wake it.
#include <bit>
#include <string>

#include "base/text.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_links.h"
#include "rtl_tlm/registers/router_memory.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {

void Router::attach(NetworkInterface& interface) {
  state_.header().interface = &interface;
}

void Router::attach(RouterRecovery& recovery) {
  const auto refuse = [&](const char* why) {
    SC_REPORT_FATAL("flitmend/recovery", (std::string(name()) + ": " + why).c_str());
  };
  if (context_.next_cycle > 0) refuse("a recovery unit is attached after the first cycle; attach it before");
  if (!context_.hardware.has_units())
    refuse("its hardware has no recovery units; set HardwareParameters::recovery_units");
  recovery_ = &recovery;
  set_hooks(recovery.hooks());
}

void Router::set_injector_target(const VcTarget& signals, const MaskRings& rings) {
  const unsigned port = static_cast<unsigned>(state_.layout().local_port);
  const unsigned shift = static_cast<unsigned>(std::countr_zero(signals.first));
  state_.mask_wires(port) = {rings, signals.wake,
                             static_cast<std::uint8_t>((shift - port * state_.vcs()) % kWordBits),
                             static_cast<std::uint8_t>(std::countr_zero(signals.wake_bit)), 1};
}

void Router::set_room_target(const VcTarget& credits) {
  const unsigned local = static_cast<unsigned>(state_.layout().local_port);
  const unsigned shift = static_cast<unsigned>(std::countr_zero(credits.first));
  PortState& port = state_.port(local);
  port.in_vcs = credits.vcs;
  port.in_wake = credits.wake;
  port.in_turn = static_cast<std::uint8_t>((shift - local * state_.vcs()) % kWordBits);
  port.in_wake_bit = static_cast<std::uint8_t>(std::countr_zero(credits.wake_bit));
  port.in_delay = 1;
}

void Router::replace_cycle(ReplacedCycle& cycle) {
  replaced_ = &cycle;
  state_.header().path = CyclePath::foreign;
}

void Router::set_wake(Word* wake, Word* active, Word bit) {
  wake_ = wake;
  active_ = active;
  wake_bit_ = bit;
}

ArrivalTarget Router::arrivals_by_port(Arrival what, unsigned port) {
  return {state_.arriving_control(what, port / kWordBits), Word{1} << (port % kWordBits), wake_, wake_bit_,
          &state_.header().any_control};
}

VcTarget Router::arrivals_by_vc(Arrival what, unsigned port) {
  const VcPlace place = state_.vc_place(what, port);
  return {place.ring, Word{1} << place.shift, low_bits(state_.vcs()) << place.shift, wake_, wake_bit_};
}

// The rings of a channel and of the routers at its ends have the same indices.
void Router::check_ring(const char* side, unsigned port, const CreditWires& wires, unsigned delay) const {
  const unsigned ring = context_.hardware.ring;
  if (wires.mask + 1 != ring || delay >= ring)
    SC_REPORT_FATAL("flitmend/channel",
                    formatted("%1%: %2% %3%: its channel has %4% slots and takes %5% cycles; it needs the "
                              "network's %6% slots and fewer cycles: see HardwareParameters::ring",
                              name(), side, port, wires.mask + 1, delay, ring)
                        .c_str());
}

void Router::connect_in(unsigned port, Channel& channel) {
  check_ring("input", port, channel.credit_wires(), channel.credit_latency());
  state_.channels(port).in = &channel;
  channel.set_reader(arrivals_by_vc(Arrival::flits, port), arrivals_by_port(Arrival::control_in, port),
                     state_.arrived_flits(port));
}

void Router::connect_out(unsigned port, Channel& channel) {
  check_ring("output", port, channel.flit_wires(),
             context_.hardware.router.pipeline.switch_to_output() + channel.latency());
  state_.channels(port).out = &channel;
  channel.set_writer(arrivals_by_vc(Arrival::credits, port), arrivals_by_port(Arrival::control_out, port),
                     state_.mask_rings(port));
  if (channel.flit_cycles() > 1) NarrowLinks::connect(state_, port, channel);
}

void Router::start_of_simulation() {
  const RouterLayout& layout = state_.layout();
  // Channels that are narrower than others change the path.
  if (state_.header().path == CyclePath::any)
    switch_allocator_ = std::make_unique<SwitchAllocator>(layout.ports, layout.vcs,
                                                          context_.hardware.router.allocator_iterations,
                                                          state_.arbiters(), layout.place.data());
  // An end that needs no waking has no bit: a word that nobody reads takes it.
  const auto wake = [&](const CreditWires& wires) {
    return wires.wake_bit ? wires.wake : context_.shared<RouterMemory>().nobody(layout);
  };
  const auto number = [](Word bit) { return static_cast<std::uint8_t>(bit ? std::countr_zero(bit) : 0); };
  for (unsigned p = 0; p < layout.ports; ++p) {
    const auto turn = [&](const CreditWires& wires) {
      return static_cast<std::uint8_t>((number(wires.first) - p * layout.vcs) % kWordBits);
    };
    const PortChannels& ends = state_.channels(p);
    PortState& port = state_.port(p);
    if (ends.in) {
      const CreditWires& wires = ends.in->credit_wires();
      port.in_vcs = wires.vcs;
      port.in_wake = wake(wires);
      port.in_turn = turn(wires);
      port.in_wake_bit = number(wires.wake_bit);
      port.in_delay = static_cast<std::uint16_t>(wires.latency);
      if (layout.has<rows::MaskWiring>())
        state_.mask_wires(p) = {ends.in->mask_rings(), port.in_wake, port.in_turn, port.in_wake_bit,
                                port.in_delay};
    }
    if (ends.out) {
      const FlitWires& wires = ends.out->flit_wires();
      port.out_vcs = wires.vcs;
      port.out_wake = wake(wires);
      port.out_registers = wires.registers;
      port.out_turn = turn(wires);
      port.out_wake_bit = number(wires.wake_bit);
      port.out_delay = static_cast<std::uint16_t>(layout.switch_cycles + wires.latency);
    }
  }
}

}  // namespace flitmend
