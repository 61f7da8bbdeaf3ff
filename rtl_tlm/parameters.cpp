// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/parameters.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "topologies/topology.h"

namespace flitmend {

HardwareParameters HardwareParameters::from(const HardwareSettings& s) {
  HardwareParameters p;
  const auto narrow = [](std::int64_t v) { return static_cast<unsigned>(v); };
  p.vcs = narrow(s.router.virtual_channels);
  p.input_buffer = narrow(s.router.input_buffer);
  p.output_buffer = narrow(s.router.output_buffer);
  for (const SwitchingTechnique& technique : kSwitchingTechniques)
    if (technique.word.name == s.router.switching) p.switching = technique.switching;
  p.routing = narrow(s.router.pipeline.routing);
  p.vc_allocation = narrow(s.router.pipeline.vc_allocation);
  p.switch_to_output = narrow(s.router.pipeline.switch_allocation + s.router.pipeline.switch_traversal);
  p.credit_processing = narrow(s.router.pipeline.credit);
  p.atomic_reallocation = s.router.vc_reallocation == "atomic";
  p.crossbar_by_vc = s.router.crossbar == "virtual-channel";
  p.allocator_iterations = narrow(s.router.allocator_iterations);
  p.head_copy = s.router.head_copy;
  p.link_latency = narrow(s.link.latency);
  p.credit_latency = narrow(s.link.credit_cycles());
  p.credits_as_flits = s.link.credit_latency == 0;
  p.flit_bytes = narrow(s.link.flit_bytes);
  p.parallel_injection = s.network_interface.injection == "buffers";
  p.injection_latency = narrow(s.network_interface.injection_latency);
  p.unlimited_ejection = s.network_interface.ejection == "unlimited";
  p.ejection_latency = narrow(s.network_interface.ejection_latency);
  p.reinjection_cycles = narrow(s.network_interface.reinjection_cycles);
  p.receiver_latency = narrow(s.network_interface.receiver_latency);
  p.source_queue = narrow(s.network_interface.source_queue);
  p.limits_injection = s.network_interface.injection_limit == "alo";

  if (p.crossbar_by_vc && p.output_buffer == 0)
    throw KeyError("router.crossbar",
                   "virtual-channel needs output buffers, because several flits of one output cross at once; "
                   "set router.output_buffer to 1 or more, or router.crossbar to port",
                   {"router.output_buffer"});
  if (p.parallel_injection && p.injection_latency != 0)
    throw KeyError("network_interface.injection",
                   "buffers fills the router's injection buffers directly; set "
                   "network_interface.injection_latency to 0, or network_interface.injection to channel",
                   {"network_interface.injection_latency"});
  if (!p.unlimited_ejection && p.ejection_latency == 0)
    throw KeyError("network_interface.ejection",
                   "channel takes at least one cycle; set network_interface.ejection_latency to 1 or more, "
                   "or network_interface.ejection to unlimited",
                   {"network_interface.ejection_latency"});
  const unsigned longest =
      std::max({p.switch_to_output + std::max(p.link_latency, p.ejection_latency + p.receiver_latency),
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
        const unsigned cycles = cycles_per_flit(width, flit_bits());
        const unsigned flight = (own > 0 ? own : link_latency) + cycles - 1;
        const unsigned credit = own > 0 ? link_credit_latency(own) : link_credit_latency();
        longest = std::max({longest, switch_to_output + flight, after_tail + credit});
        slowest_link = std::max(slowest_link, flight);
        quickest_credit = std::min(quickest_credit, credit);
        flit_cycles = std::max(flit_cycles, cycles);
      }
  ring = std::max(ring, std::bit_ceil(longest + 1));
}

void HardwareParameters::equip(const RecoveryNeeds& needs) {
  recovery_units = true;
  flit_counter = needs.flit_counter;
  head_copy = head_copy || needs.head_copy;
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
  const unsigned consumed = ejection_latency + receiver_latency;
  const unsigned ejection = unlimited_ejection  ? switch_to_output + consumed
                            : output_buffer > 0 ? output_buffer + std::min(input_buffer, consumed)
                                                : std::min(input_buffer, switch_to_output + consumed);
  return input_buffer + hops * (output_buffer + input_buffer) + ejection;
}

// A is a router, or the network interface of B. Buffers count in full. A wire adds only the flits that are
// still on it when the credits for them have come back, and C has sent as many again.
unsigned HardwareParameters::flits_between() const {
  const unsigned link = std::max(link_latency, slowest_link);
  const unsigned credit = std::min(link_credit_latency(), quickest_credit);
  const auto beyond = [](unsigned cycles, unsigned less) { return cycles > less ? cycles - less : 0; };
  const unsigned ejection = ejection_latency + receiver_latency;
  if (output_buffer == 0) return input_buffer + switch_to_output + std::max(link, beyond(ejection, credit));
  // C's crossbar refills the path two cycles after the credit: through B's output buffer and its own.
  const unsigned wire = std::max(link, ejection + (unlimited_ejection ? switch_to_output : 0));
  return output_buffer + input_buffer + output_buffer + beyond(wire, credit + 2);
}

unsigned HardwareParameters::longest_stall() const {
  const unsigned slowest = std::max(link_latency, slowest_link);
  const unsigned link =
      switch_to_output + slowest + std::max(link_credit_latency(), link_credit_latency(slowest));
  const unsigned injection = injection_latency + injection_credit_latency();
  const unsigned ejection =
      unlimited_ejection ? 0
                         : switch_to_output + ejection_latency + receiver_latency + ejection_credit_latency();
  return std::max({link, injection, ejection}) + routing + vc_allocation;
}

}  // namespace flitmend
