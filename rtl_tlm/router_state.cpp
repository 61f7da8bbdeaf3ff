#include "rtl_tlm/router_state.h"

#include <algorithm>
#include <memory>
#include <type_traits>

namespace flitmend {

const char* to_string(RouteFsm s) {
  static constexpr const char* names[] = {"IDLE", "NEEDS_ROUTE", "ROUTED", "BACKUP", "ABSORB"};
  return names[static_cast<unsigned>(s)];
}

const char* to_string(PipelineStage s) {
  static constexpr const char* names[] = {"NONE", "ROUTING", "VC_ALLOCATION", "SWITCH_ALLOCATION"};
  return names[static_cast<unsigned>(s)];
}

template <class F>
void RouterState::for_each_row(const HardwareParameters& p, F&& f) {
  const std::size_t all_ids = ids;
  for (auto* mask : {&occupied, &pending, &routed, &space, &direct, &absorbing}) f(*mask, vc_words);
  f(arrivals, std::size_t{ring} * port_words);
  f(arrived_vcs, vc_words == 1 ? 0 : std::size_t{2} * mask_words(ports * kSlotWords) * ring);
  f(port, ports);
  f(input, ids);
  f(output, ids);
  f(port_of, ids);
  f(status, ports);
  f(arrived_flits, std::size_t{ring} * ports);
  f(head, ids);
  f(fifo, all_ids * depth);
  f(output_fifo, all_ids * output_depth);
  f(output_ready, all_ids * output_depth);
  f(candidates, all_ids * max_candidates);
  f(head_copy, p.head_copy ? ids : 0);
  f(channels, ports);
}

RouterState::RouterState(const HardwareParameters& p, unsigned port_count, unsigned candidate_count,
                         const MessagePool& message_pool, const sc_core::sc_object& router)
    : ports(port_count),
      vcs(p.vcs),
      ids(port_count * p.vcs),
      vc_words(mask_words(ids)),
      port_words(mask_words(port_count)),
      depth(p.input_buffer),
      output_depth(p.output_buffer),
      max_candidates(candidate_count),
      routing_cycles(p.routing),
      switch_cycles(p.switch_to_output),
      ring(p.ring),
      switching(p.switching),
      atomic(p.atomic_reallocation),
      messages(&message_pool),
      owner(&router) {
  std::size_t size = 0;
  const auto place = [&size]<class T>(const Registers<T>&, std::size_t count) {
    size = (size + alignof(T) - 1) / alignof(T) * alignof(T);
    const std::size_t at = size;
    size += count * sizeof(T);
    return at;
  };
  for_each_row(p, [&](auto& row, std::size_t count) { place(row, count); });
  block_.reset(static_cast<std::byte*>(::operator new (size, std::align_val_t{64})));
  size = 0;
  for_each_row(p, [&]<class T>(Registers<T>& row, std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    row.first_ = reinterpret_cast<T*>(block_.get() + place(row, count));
    row.size_ = count;
    std::uninitialized_value_construct_n(row.first_, count);
  });
  for (unsigned id = 0; id < ids; ++id) port_of[id] = static_cast<std::uint16_t>(id / vcs);
  reset(p);
}

void RouterState::reset(const HardwareParameters& p) {
  std::fill(input.begin(), input.end(), InputVcState{});
  OutputVcState empty;
  empty.credits = static_cast<std::uint16_t>(p.input_buffer);
  std::fill(output.begin(), output.end(), empty);
  std::fill(head_copy.begin(), head_copy.end(), HeadCopy{});
  for (auto* mask : {&occupied, &pending, &routed, &space, &direct, &absorbing})
    std::fill(mask->begin(), mask->end(), Word{0});
  for (ArrivalSlot& slot : arrivals)  // what arrives at the interface is not the router's
    for (const Arrival what : {Arrival::flits, Arrival::credits, Arrival::control_in, Arrival::control_out})
      slot[what] = 0;
  std::fill(arrived_vcs.begin(), arrived_vcs.end(), ArrivalSlot{});
  for (PortState& state : port) {
    state.free_vcs = low_bits(vcs);
    state.held_vcs = state.output_queued = 0;
    state.granted = PortState{}.granted;
  }
  for (PortStatusBits& bits : status) bits.link_pointer = 0;
}

}  // namespace flitmend
