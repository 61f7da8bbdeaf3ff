// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/parameters.h"

#include <algorithm>
#include <string>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend::fcr {

constexpr OptionKey kTimeoutBackoff{.key = {"backoff.timeout", "cycles", "After recovery.timeout.", kAlways},
                                    .values = OptionKey::Number{.initial = 128, .range = {1, 1 << 30}},
                                    .section = &kBackoffSection};
constexpr OptionKey kCapacity{
    .key = {"fcr_capacity", "flits",
            "fcr: flits that a hop can hold, by which messages are padded; 0: what the buffers and wires of "
            "this "
            "hardware hold, so that no fault can lose a message. With less, the guard repairs what is lost.",
            kAlways},
    .values = OptionKey::Number{.initial = 0, .range = {0, 1024}}};

Parameters::Parameters(const RecoverySettings& s, const RoutingSettings& routing)
    : timeout(static_cast<Cycle>(s.timeout)),
      head_wait(static_cast<Cycle>(routing.head_wait_cycles)),
      fault_backoff(static_cast<std::uint32_t>(s.options.number(kKillBackoff))),
      timeout_backoff(static_cast<std::uint32_t>(s.options.number(kTimeoutBackoff))),
      guard(Guard::from(s)) {
  padding.capacity = static_cast<unsigned>(s.options.number(kCapacity));
  // A head without a route is noticed by its router. T_out must not end first, again and again.
  if (timeout > 0 && timeout <= head_wait)
    throw KeyError("recovery.timeout",
                   formatted("%1% cycles, but with fcr it must be longer than a head waits at a fault; set "
                             "it to %2% or more, or routing.head_wait_cycles to less",
                             timeout, head_wait + 1),
                   {"routing.head_wait_cycles"});
}

void Parameters::check(const HardwareParameters& hardware) const {
  const unsigned stall = hardware.longest_stall();
  if (timeout == 0 || timeout > stall) return;
  throw KeyError("recovery.timeout",
                 formatted("%1% cycles, but a message waits up to %2% for a credit in an empty network, and "
                           "fcr would kill it each time; set it to %3% or more, or shorten the latencies of "
                           "link, network_interface and router.pipeline",
                           timeout, stall, stall + 1),
                 {"link.latency", "network_interface.injection_latency"});
}

Cycle Parameters::teardown_cycles(unsigned hops) const {
  const HardwareParameters& h = *padding.hardware;
  const Cycle per_hop = std::max<Cycle>(h.forward_signal_cycles(), h.link_credit_latency());
  const Cycle ends = h.router.pipeline.switch_to_output() + h.injection_credit_latency() +
                     h.network_interface.ejection_cycles();
  return (hops + padding.extra_hops + 2) * per_hop + ends;
}

}  // namespace flitmend::fcr
