// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/router_shape.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "rtl_tlm/context.h"

namespace flitmend {

RouterShape::RouterShape(NetworkContext& c, unsigned port_count, bool has_local_port)
    : context(c),
      messages(c.messages),
      ports(port_count),
      local_port(has_local_port ? port_count - 1 : kNoPort),
      vcs(c.hardware.router.virtual_channels),
      ids(port_count * vcs),
      vc_words(mask_words(std::max(1u, port_count * c.hardware.router.virtual_channels))),
      ids_per_arrival_word(kWordBits / vcs * vcs),
      arrival_words(std::max<Size>(1, (ids + ids_per_arrival_word - 1) / ids_per_arrival_word)),
      port_words(mask_words(std::max(1u, port_count))),
      input_buffer(c.hardware.router.input_buffer),
      input_slots(c.hardware.router.input_buffer + c.hardware.extra_slot()),
      input_flits(c.hardware.router.input_buffer +
                  (c.hardware.holds_paths() || c.hardware.router.heads_go_back())),
      output_buffer(c.hardware.router.output_buffer),
      max_candidates(c.routing.max_candidates()),
      classes(c.routing.classes()),
      routing_cycles(c.hardware.router.pipeline.routing),
      vc_allocation_cycles(c.hardware.router.pipeline.vc_allocation),
      switch_cycles(c.hardware.router.pipeline.switch_to_output()),
      ejection_cycles(c.hardware.router.pipeline.switch_to_output() +
                      c.hardware.network_interface.ejection_cycles()),
      ring(c.hardware.ring),
      switching(c.hardware.router.technique()),
      atomic(c.hardware.router.reallocates_atomically()),
      crossbar_by_vc(c.hardware.router.crossbar_by_vc()),
      crossbar_input_per_vc(c.hardware.router.crossbar_input_per_vc()),
      draws_vcs(c.hardware.router.draws_vcs()),
      looks_at_outputs(c.routing.looks_at_outputs()),
      requests_all(c.selection.requests_all()),
      has_head_copies(c.hardware.router.head_copy),
      unlimited_ejection(c.hardware.network_interface.unlimited_ejection()),
      recovery_units(c.hardware.recovery_units),
      flit_counters(c.hardware.flit_counter),
      allocator_iterations(static_cast<std::uint16_t>(c.hardware.router.allocator_iterations)),
      id_memory(c.hardware.id_memory),
      padding(c.hardware.padding),
      complementary(c.hardware.complementary_channels()),
      holds_paths(c.hardware.holds_paths()),
      heads_go_back(c.hardware.router.heads_go_back()),
      head_history(holds_paths || c.hardware.router.at_busy() == AtBusy::backtrack),
      retry_backoff(c.hardware.router.retry_backoff),
      scouting(c.hardware.scouting),
      path(c.hardware.classes.ordered()              ? CyclePath::ordered
           : vc_words > 1 || port_words > 1          ? CyclePath::any
           : c.hardware.mechanisms.has_any(kInCycle) ? path_of((c.hardware.mechanisms & kInCycle).first())
           : complementary                           ? path_of(kHoldsPaths)
           : output_buffer > 0 || c.hardware.has_units() || crossbar_input_per_vc || draws_vcs
               ? CyclePath::one_word
               : CyclePath::plain) {
  if (ids >= kNoVc)
    throw KeyError("router.virtual_channels",
                   formatted("%1% on each of %2% ports are %3% virtual channels per router; at most 65534 "
                             "can be told apart: use fewer",
                             vcs, ports, ids));
  for (unsigned id = 0; id < ids; ++id)
    place.push_back({static_cast<std::uint16_t>(id / vcs), static_cast<std::uint16_t>(id % vcs)});
  switch_shape = {place.data(), port_count, c.hardware.router.virtual_channels, allocator_iterations,
                  vc_words == 1 ? every_bit(port_count, c.hardware.router.virtual_channels) : 0};
  dummy_output = ids < kWordBits ? Word{1} << ids : 0;
}

}  // namespace flitmend
