// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/parameters.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "topologies/topology.h"

namespace flitmend {

HardwareParameters HardwareParameters::from(const HardwareSettings& s) {
  HardwareParameters p;
  static_cast<HardwareSettings&>(p) = s;
  p.router.head_copy |= s.router.heads_go_back();
  const PipelineSettings& pipeline = s.router.pipeline;
  const NetworkInterfaceSettings& interface = s.network_interface;

  if (s.router.crossbar_by_vc() && s.router.output_buffer == 0)
    throw KeyError(
        "router.crossbar",
        "virtual-channel needs output buffers, because several flits of one output cross at once; "
        "set router.output_buffer to 1 or more, or router.crossbar to virtual-channel-inputs or port",
        {"router.output_buffer"});
  p.classes.arbitration = s.router.arbitration_rule();
  if (interface.injects_in_parallel() && interface.injection_latency != 0)
    throw KeyError("network_interface.injection",
                   "buffers fills the router's injection buffers directly; set "
                   "network_interface.injection_latency to 0, or network_interface.injection to channel",
                   {"network_interface.injection_latency"});
  if (!interface.unlimited_ejection() && interface.ejection_latency == 0)
    throw KeyError("network_interface.ejection",
                   "channel takes at least one cycle; set network_interface.ejection_latency to 1 or more, "
                   "or network_interface.ejection to unlimited",
                   {"network_interface.ejection_latency"});
  const unsigned longest =
      std::max({pipeline.switch_to_output() + std::max(s.link.latency, interface.ejection_cycles()),
                p.link_credit_latency(), p.injection_credit_latency(), p.ejection_credit_latency(), 1u});
  p.ring = std::bit_ceil(longest + 1);
  return p;
}

void HardwareParameters::fit(const Topology& topology) {
  const unsigned after_tail = mechanisms.has_any(kWithholdSignals) ? consumed_after() : 0;
  unsigned longest = 0;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId p = 0; p < topology.port_count(r); ++p)
      if (const unsigned own = topology.link_latency(r, p), width = topology.link_width(r, p);
          own > 0 || width > 0) {
        const unsigned cycles = cycles_per_flit(width, link.flit_bits());
        const unsigned flight = (own > 0 ? own : link.latency) + cycles - 1;
        const unsigned credit = own > 0 ? link_credit_latency(own) : link_credit_latency();
        longest = std::max({longest, router.pipeline.switch_to_output() + flight, after_tail + credit});
        slowest_link = std::max(slowest_link, flight);
        quickest_credit = std::min(quickest_credit, credit);
        flit_cycles = std::max(flit_cycles, cycles);
      }
  ring = std::max(ring, std::bit_ceil(longest + 1));
}

void HardwareParameters::equip(const RecoveryNeeds& needs) {
  recovery_units = true;
  flit_counter = needs.flit_counter;
  router.head_copy = router.head_copy || needs.head_copy;
  mechanisms = needs.mechanisms;
  padding = needs.padding;
  id_memory = needs.id_memory;
  if (!mechanisms.has_any(kWithholdSignals)) return;
  const unsigned longest =
      consumed_after() + std::max({link_credit_latency(), injection_credit_latency(), 1u});
  ring = std::max(ring, std::bit_ceil(longest + 1));
}

// Flits on a wire have a place in the next buffer. Beyond the last router, they hold credits of the ejection
// channel; with unlimited ejection one may be consumed per cycle.
unsigned HardwareParameters::flits_on_way(unsigned hops) const {
  const unsigned input = router.input_buffer, output = router.output_buffer;
  const unsigned to_output = router.pipeline.switch_to_output(),
                 consumed = network_interface.ejection_cycles();
  const unsigned ejection = network_interface.unlimited_ejection() ? to_output + consumed
                            : output > 0                           ? output + std::min(input, consumed)
                                                                   : std::min(input, to_output + consumed);
  return input + hops * (output + input) + ejection;
}

// A is a router, or the network interface of B. Buffers count in full. A wire adds only the flits that are
// still on it when the credits for them have returned, and C has sent the same number again.
unsigned HardwareParameters::flits_between() const {
  const unsigned input = router.input_buffer, output = router.output_buffer;
  const unsigned to_output = router.pipeline.switch_to_output(),
                 ejection = network_interface.ejection_cycles();
  const unsigned slowest = std::max(link.latency, slowest_link);
  const unsigned credit = std::min(link_credit_latency(), quickest_credit);
  const auto beyond = [](unsigned cycles, unsigned less) { return cycles > less ? cycles - less : 0; };
  if (output == 0) return input + to_output + std::max(slowest, beyond(ejection, credit));
  // C's crossbar refills the path two cycles after the credit: through B's output buffer and its own.
  const unsigned wire =
      std::max(slowest, ejection + (network_interface.unlimited_ejection() ? to_output : 0));
  return output + input + output + beyond(wire, credit + 2);
}

unsigned HardwareParameters::longest_stall() const {
  const PipelineSettings& pipeline = router.pipeline;
  const unsigned slowest = std::max(link.latency, slowest_link);
  const unsigned between =
      pipeline.switch_to_output() + slowest + std::max(link_credit_latency(), link_credit_latency(slowest));
  const unsigned injection = network_interface.injection_latency + injection_credit_latency();
  const unsigned ejection =
      network_interface.unlimited_ejection()
          ? 0
          : pipeline.switch_to_output() + network_interface.ejection_cycles() + ejection_credit_latency();
  return std::max({between, injection, ejection}) + pipeline.routing + pipeline.vc_allocation;
}

}  // namespace flitmend
