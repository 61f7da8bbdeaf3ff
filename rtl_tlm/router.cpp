#include "rtl_tlm/router.h"

#include <boost/format.hpp>
#include <utility>

#include "base/errors.h"
#include "rtl_tlm/network_interface.h"

namespace flitmend {

Router::Router(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : sc_module(name),
      clock("clock"),
      reset("reset"),
      in("in"),
      out("out"),
      context_(context),
      id_(id),
      local_port_(id < context.topology.node_count() ? context.topology.port_count(id) : kNoPort),
      state_(context.hardware, context.topology.port_count(id) + (local_port_ != kNoPort),
             context.routing.max_candidates(), context.messages, *this),
      ring_mask_(context.hardware.ring - 1),
      vc_allocation_cycles_(context.hardware.vc_allocation),
      one_word_(state_.vc_words == 1 && state_.port_words == 1),
      crossbar_by_vc_(context.hardware.crossbar_by_vc),
      link_arbitration_(context.hardware.output_buffer > 0),
      ejection_cycles_(context.hardware.switch_to_output + context.hardware.ejection_latency +
                       context.hardware.receiver_latency),
      looks_at_outputs_(context.routing.looks_at_outputs()),
      classes_(context.routing.classes()),
      class_vcs_(std::size_t{state_.ports} * classes_),
      granted_(state_.ids),
      available_(context.routing.max_candidates()),
      holder_state_(looks_at_outputs_ ? state_.ids : 0),
      random_(context.seed, RandomPurpose::routing, id) {
  const HardwareParameters& hardware = context.hardware;
  if (state_.ids >= kNoVc)
    throw ConfigurationError(
        (boost::format("router.virtual_channels: %1% on each of %2% ports are %3% virtual channels a router; "
                       "at most 65534 can be told apart: take fewer") %
         state_.vcs % state_.ports % state_.ids)
            .str());
  in.init(state_.ports);
  out.init(state_.ports);
  requests_.reserve(state_.ids);
  for (unsigned port = 0; port < state_.ports; ++port) {
    const bool local = port == local_port_;
    for (unsigned c = 0; c < classes_; ++c)
      class_vcs_[port * classes_ + c] =
          local ? low_bits(hardware.vcs) : context.routing.class_vcs(id, static_cast<PortId>(port), c);
    const std::string port_name = local ? "local" : context.topology.port_name(id, static_cast<PortId>(port));
    inputs_.push_back(std::make_unique<InputController>(port_name.c_str(), state_, port));
    state_.port[port].unlimited = local && hardware.unlimited_ejection;
    outputs_.push_back(std::make_unique<OutputController>((port_name + "_output").c_str(), state_, port));
  }
  vc_allocator_ =
      std::make_unique<VcAllocator>("vc_allocator", state_.ids, state_.vcs, hardware.allocator_iterations);
  crossbar_allocator_ = std::make_unique<CrossbarAllocator>("crossbar_allocator", state_.ports, state_.vcs,
                                                            hardware.allocator_iterations);
  crossbar_ = std::make_unique<Crossbar>("crossbar", state_, hardware);
}

Router::~Router() = default;

void Router::attach(NetworkInterface& interface) {
  interface_ = &interface;
}

void Router::attach(RouterRecovery& recovery, const RouterNeeds& needs) {
  recovery_ = &recovery;
  keeps_copies_ = needs.keeps_copies;
}

void Router::set_wake(Word* wake, std::size_t stride, Word bit) {
  wake_ = wake;
  wake_stride_ = stride;
  wake_bit_ = bit;
}

void Router::end_of_elaboration() {
  for (unsigned port = 0; port < state_.ports; ++port) {
    const auto target = [&](Arrival what) {
      return ArrivalTarget{state_.arriving(0, what) + port / kWordBits,
                           std::size_t{kArrivals} * state_.port_words,
                           Word{1} << (port % kWordBits),
                           wake_,
                           wake_stride_,
                           wake_bit_};
    };
    PortState& ends = state_.port[port];
    if (in[port].size() > 0) {
      ends.in = &in[port]->channel();
      ends.in->set_reader(target(Arrival::flits), target(Arrival::control_in),
                          {&state_.arrived_flits[port], state_.ports});
    }
    if (out[port].size() > 0) {
      ends.out = &out[port]->channel();
      ends.out->set_writer(target(Arrival::credits), target(Arrival::control_out),
                           {&state_.arrived_credits[port], state_.ports});
    }
  }
  if (clock.size() > 0) {
    SC_METHOD(on_clock);
    sensitive << clock->posedge_event();
    dont_initialize();
  }
}

void Router::on_clock() {
  if (reset.size() > 0 && reset->read())
    clear();
  else
    evaluate(cycle_);
  context_.next_cycle = ++cycle_;
}

bool Router::evaluate(Cycle t) {
  return one_word_ ? evaluate_words<1>(t) : evaluate_words<0>(t);
}

template <unsigned kWords>
bool Router::evaluate_words(Cycle t) {
  if (interface_) interface_->evaluate(t);
  take_arrivals<kWords>(t);
  if (recovery_active_) [[unlikely]]
    recovery_->evaluate(*this, t);
  if (any_absorbing_) [[unlikely]]
    absorb_arrived(t);
  const unsigned words = kWords ? kWords : state_.vc_words;
  Word pending = 0;
  for (unsigned w = 0; w < words; ++w) pending |= state_.pending[w];
  if (pending) allocate_vcs<kWords>(t);
  allocate_crossbar<kWords>(t);
  Word work = 0;
  for (unsigned w = 0; w < words; ++w) work |= state_.occupied[w] | state_.pending[w];
  if (link_arbitration_)
    for (unsigned port = 0; port < state_.ports; ++port)
      if (state_.port[port].output_queued) {
        OutputController::arbitrate_link(state_, t, port);
        work |= state_.port[port].output_queued;
      }
  return work != 0 || recovery_active_ || (interface_ && interface_->busy());
}

template <unsigned kWords>
inline void Router::take_arrivals(Cycle t) {
  const unsigned slot = static_cast<unsigned>(t) & ring_mask_;
  const unsigned words = kWords ? kWords : state_.port_words;
  Word* const arriving = state_.arriving(slot, Arrival::flits);
  const auto of = [&](Arrival what, unsigned w) -> Word& {
    return arriving[static_cast<unsigned>(what) * words + w];
  };
  for (unsigned w = 0; w < words; ++w) {
    if (of(Arrival::control_in, w) | of(Arrival::control_out, w)) [[unlikely]]
      take_control(t, slot);
    if (Word rest = std::exchange(of(Arrival::credits, w), 0)) {
      VcMask* const credits = &state_.arrived_credits[std::size_t{slot} * state_.ports];
      do {
        const unsigned port = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
        OutputController::credit(state_, port, std::exchange(credits[port], 0));
      } while (rest &= rest - 1);
    }
    if (Word rest = std::exchange(of(Arrival::flits, w), 0)) {
      const Flit* const flits = &state_.arrived_flits[std::size_t{slot} * state_.ports];
      do {
        const unsigned port = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
        const Flit& flit = flits[port];
        if (recovery_) [[unlikely]] {
          const unsigned id = port * state_.vcs + flit.vc;
          if (!recovery_->flit_arrived(*this, t, id, flit)) {
            discard(t, id, flit);
            continue;
          }
        }
        InputController::accept(state_, t, port, flit);
      } while (rest &= rest - 1);
    }
  }
}

void Router::take_control(Cycle t, unsigned slot) {
  for (const bool input_side : {true, false}) {
    Word* ports = state_.arriving(slot, input_side ? Arrival::control_in : Arrival::control_out);
    for_each_bit(ports, state_.port_words, [&](unsigned port) {
      PortState& p = state_.port[port];
      const bool faulty = (p.in && p.in->faulty(t)) || (p.out && p.out->faulty(t));
      if (faulty != p.faulty) {
        p.faulty = faulty;
        // Heads that wait for a virtual channel route again: their candidates depend on the fault status.
        for_each_bit(state_.pending.data(), state_.vc_words, [&](unsigned id) {
          if (state_.input[id].stage == PipelineStage::vc_allocation)
            state_.input[id].stage = PipelineStage::routing;
        });
        if (recovery_) recovery_->port_status_changed(*this, t, port, faulty);
      }
      if (recovery_) recovery_->control_arrived(*this, t, port, input_side);
    });
    for (unsigned w = 0; w < state_.port_words; ++w) ports[w] = 0;
  }
}

RouteRequest Router::route_request(unsigned id) {
  const unsigned port = state_.port_of[id];
  const Flit& head = state_.front(id);
  const Message& message = context_.messages[head.message];
  return {id_,
          message.source,
          message.destination,
          port == local_port_ ? RouteRequest::kInjected : static_cast<PortId>(port),
          static_cast<std::uint8_t>(id - port * state_.vcs),
          head.word,
          this,
          &random_,
          looks_at_outputs_ ? this : nullptr};
}

void Router::compute_route(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  CandidateList list(state_.candidates_of(id), state_.max_candidates);
  const RouteRequest request = route_request(id);
  context_.routing.route(request, list);
  if (list.overflowed()) [[unlikely]]
    SC_REPORT_FATAL(
        "flitmend/routing",
        (boost::format("%1%: cycle %2%: the routing function gave more than its max_candidates() = %3%") %
         name() % t % state_.max_candidates)
            .str()
            .c_str());
  vc.candidates = static_cast<std::uint8_t>(list.size());
  if (list.empty() && !recovery_ && request.arrival_port == RouteRequest::kInjected) {
    // No way from here: the source learns it. On the way a head waits for the fault status to change instead.
    absorb(t, id);
    return;
  }
  vc.stage = PipelineStage::vc_allocation;
  vc.ready = vc_allocation_cycles_ > 1 ? t + vc_allocation_cycles_ - 1 : t;
}

void Router::request_vc(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  const RouteCandidate* candidates = state_.candidates_of(id);
  const std::uint32_t length = context_.hardware.switching == Switching::wormhole
                                   ? 1
                                   : context_.messages[state_.front(id).message].length;
  for (unsigned first = 0; first < vc.candidates;) {
    // Candidates of one preference stand together; the first preference with something free is asked for.
    unsigned end = first;
    unsigned usable = 0, last = first;
    for (; end < vc.candidates && candidates[end].preference == candidates[first].preference; ++end) {
      const RouteCandidate& c = candidates[end];
      available_[end] = state_.port[c.port].faulty
                            ? 0
                            : OutputController::available(state_, c.port,
                                                          class_vcs_[c.port * classes_ + c.vc_class], length);
      if (available_[end]) {
        ++usable;
        last = end;
      }
    }
    if (usable > 0) {
      const unsigned chosen =
          usable == 1 ? last
                      : first + context_.selection.select(route_request(id), candidates + first,
                                                          available_.data() + first, end - first, *this);
      vc.next_state = candidates[chosen].head_state;
      const unsigned port = candidates[chosen].port;
      if (state_.port[port].unlimited)
        grant_vc(t, id, port * state_.vcs);
      else
        requests_.push_back(
            {static_cast<std::uint16_t>(id), static_cast<std::uint16_t>(port), available_[chosen], kNoVc});
      return;
    }
    first = end;
  }
}

void Router::grant_vc(Cycle t, unsigned id, unsigned output_id) {
  InputVcState& vc = state_.input[id];
  OutputController::reserve(state_, output_id, id);
  vc.output = static_cast<std::uint16_t>(output_id);
  vc.output_port = state_.port_of[output_id];
  if (looks_at_outputs_) holder_state_[output_id] = vc.next_state;
  vc.fsm = RouteFsm::routed;
  vc.stage = PipelineStage::switch_allocation;
  if (vc_allocation_cycles_ == 0) {
    clear_bit(state_.pending.data(), id);
    set_bit(state_.routed.data(), id);
  } else {
    vc.ready = t + 1;
  }
}

template <unsigned kWords>
inline void Router::allocate_vcs(Cycle t) {
  requests_.clear();
  for_each_bit(state_.pending.data(), kWords ? kWords : state_.vc_words, [&](unsigned id) {
    InputVcState& vc = state_.input[id];
    if (t < vc.ready) return;
    if (vc.stage == PipelineStage::switch_allocation) {
      clear_bit(state_.pending.data(), id);
      set_bit(state_.routed.data(), id);
      return;
    }
    if (vc.stage == PipelineStage::routing) {
      compute_route(t, id);
      if (t < vc.ready || vc.fsm != RouteFsm::needs_route) return;
    } else if (looks_at_outputs_) {
      compute_route(t, id);
      vc.ready = t;
      if (vc.fsm != RouteFsm::needs_route) return;
    }
    request_vc(t, id);
  });
  if (requests_.empty()) return;
  vc_allocator_->allocate(requests_);
  for (const VcAllocator::Request& r : requests_)
    if (r.granted != kNoVc) grant_vc(t, r.input, r.granted);
}

template <unsigned kWords>
inline void Router::allocate_crossbar(Cycle t) {
  unsigned granted = 0;
  bool asked = false;
  for (unsigned w = 0; w < (kWords ? kWords : state_.vc_words); ++w)
    for (Word rest = state_.occupied[w] & state_.routed[w] & state_.space[w]; rest; rest &= rest - 1) {
      const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const unsigned out_port = state_.input[id].output_port;
      if (crossbar_by_vc_ || state_.port[out_port].unlimited) {
        granted_[granted++] = static_cast<std::uint16_t>(id);
      } else {
        crossbar_allocator_->request(state_.port_of[id], out_port, id);
        asked = true;
      }
    }
  if (asked) granted += crossbar_allocator_->allocate(granted_.data() + granted);
  for (unsigned i = 0; i < granted; ++i) cross(t, granted_[i]);
}

[[gnu::always_inline]] inline void Router::cross(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  const unsigned output_id = vc.output;
  const unsigned out_port = vc.output_port;

  const Flit& front = InputController::take(state_, id);
  ++vc.flits_sent;
  if (keeps_copies_) [[unlikely]]
    ++vc.retained;
  else
    InputController::return_credit(state_, t, id);
  const bool unlimited = state_.port[out_port].unlimited;
  Flit ejected;
  Flit& flit = unlimited ? ejected : OutputController::send(state_, t, out_port, output_id, id);
  flit = front;
  flit.vc = static_cast<std::uint8_t>(output_id - out_port * state_.vcs);
  const bool last = closes(front.kind);
  if (opens(front.kind)) {
    flit.word = vc.next_state;
    flit.hops = static_cast<std::uint16_t>(flit.hops + (out_port != local_port_));
  }
  if (recovery_) [[unlikely]]
    recovery_->flit_crossed(*this, t, id, output_id, flit);
  if (unlimited) {
    state_.port[out_port].granted_input = static_cast<std::uint16_t>(id);
    state_.port[out_port].granted_at = t;
    interface_->receiver.eject(t, t + ejection_cycles_, flit);
  }
  if (last) {
    OutputController::release(state_, output_id);
    InputController::to_idle(state_, t + 1, id);
  }
}

unsigned Router::credits(PortId port) const {
  unsigned sum = 0;
  for (unsigned vc = 0; vc < state_.vcs; ++vc) sum += state_.output[port * state_.vcs + vc].credits;
  return sum;
}

}  // namespace flitmend
