#include "rtl_tlm/router_state.h"

#include <algorithm>

namespace flitmend {

const char* to_string(RouteFsm s) {
  static constexpr const char* names[] = {"IDLE", "NEEDS_ROUTE", "ROUTED", "BACKUP", "ABSORB"};
  return names[static_cast<unsigned>(s)];
}

const char* to_string(PipelineStage s) {
  static constexpr const char* names[] = {"NONE", "ROUTING", "VC_ALLOCATION", "SWITCH_ALLOCATION"};
  return names[static_cast<unsigned>(s)];
}

RouterState::RouterState(const HardwareParameters& p, unsigned port_count, unsigned candidate_count)
    : ports(port_count),
      vcs(p.vcs),
      ids(port_count * p.vcs),
      vc_words(mask_words(ids)),
      port_words(mask_words(port_count)),
      depth(p.input_buffer),
      output_depth(p.output_buffer),
      max_candidates(candidate_count),
      input(ids),
      output(ids),
      fifo(std::size_t{ids} * depth),
      output_fifo(std::size_t{ids} * output_depth),
      output_ready(output_fifo.size()),
      candidates(std::size_t{ids} * max_candidates),
      head_copy(p.head_copy ? ids : 0),
      port_of(ids),
      occupied(vc_words),
      pending(vc_words),
      routed(vc_words),
      space(vc_words),
      absorbing(vc_words),
      port(ports) {
  for (unsigned id = 0; id < ids; ++id) port_of[id] = static_cast<std::uint16_t>(id / vcs);
  reset(p);
}

void RouterState::reset(const HardwareParameters& p) {
  std::fill(input.begin(), input.end(), InputVcState{});
  OutputVcState empty;
  empty.credits = static_cast<std::uint16_t>(p.input_buffer);
  std::fill(output.begin(), output.end(), empty);
  std::fill(head_copy.begin(), head_copy.end(), HeadCopy{});
  for (auto* mask : {&occupied, &pending, &routed, &space, &absorbing})
    std::fill(mask->begin(), mask->end(), Word{0});
  for (PortState& state : port) {
    state.free_vcs = low_bits(vcs);
    state.held_vcs = state.output_queued = 0;
    state.granted_at = kNever;
    state.granted_input = kNoVc;
    state.link_pointer = 0;
  }
}

}  // namespace flitmend
