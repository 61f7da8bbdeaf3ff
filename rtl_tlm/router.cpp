#include "rtl_tlm/router.h"

#include <boost/format.hpp>

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
             context.routing.max_candidates()),
      ring_mask_(context.hardware.ring - 1),
      vc_allocation_cycles_(context.hardware.vc_allocation),
      link_arbitration_(context.hardware.output_buffer > 0),
      unlimited_ejection_(context.hardware.unlimited_ejection),
      ejection_cycles_(context.hardware.switch_to_output + context.hardware.ejection_latency +
                       context.hardware.receiver_latency),
      looks_at_outputs_(context.routing.looks_at_outputs()),
      classes_(context.routing.classes()),
      class_vcs_(std::size_t{state_.ports} * classes_),
      flit_arrivals_(std::size_t{context.hardware.ring} * state_.port_words),
      credit_arrivals_(flit_arrivals_.size()),
      control_in_(flit_arrivals_.size()),
      control_out_(flit_arrivals_.size()),
      available_(context.routing.max_candidates()),
      holder_state_(looks_at_outputs_ ? state_.ids : 0),
      random_(context.seed, RandomPurpose::routing, id) {
  const HardwareParameters& hardware = context.hardware;
  in.init(state_.ports);
  out.init(state_.ports);
  requests_.reserve(state_.ids);
  for (unsigned port = 0; port < state_.ports; ++port) {
    const bool local = port == local_port_;
    for (unsigned c = 0; c < classes_; ++c)
      class_vcs_[port * classes_ + c] =
          local ? low_bits(hardware.vcs) : context.routing.class_vcs(id, static_cast<PortId>(port), c);
    const std::string port_name = local ? "local" : context.topology.port_name(id, static_cast<PortId>(port));
    inputs_.push_back(
        std::make_unique<InputController>(port_name.c_str(), state_, hardware, context.messages, port));
    outputs_.push_back(std::make_unique<OutputController>((port_name + "_output").c_str(), state_, hardware,
                                                          context.messages, port,
                                                          local && unlimited_ejection_));
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
    const auto target = [&](std::vector<Word>& ring) {
      return ArrivalTarget{&ring[port / kWordBits],
                           state_.port_words,
                           Word{1} << (port % kWordBits),
                           wake_,
                           wake_stride_,
                           wake_bit_};
    };
    if (in[port].size() > 0) {
      state_.port[port].in = &in[port]->channel();
      state_.port[port].in->set_reader(target(flit_arrivals_), target(control_in_));
    }
    if (out[port].size() > 0) {
      state_.port[port].out = &out[port]->channel();
      state_.port[port].out->set_writer(target(credit_arrivals_), target(control_out_));
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
  if (interface_) interface_->evaluate(t);
  take_arrivals(t);
  if (recovery_active_) recovery_->evaluate(*this, t);
  if (any_absorbing_) [[unlikely]]
    absorb_arrived(t);
  allocate_vcs(t);
  allocate_crossbar(t);
  if (link_arbitration_)
    for (unsigned port = 0; port < state_.ports; ++port)
      if (state_.port[port].output_queued) outputs_[port]->arbitrate_link(t);
  return busy();
}

bool Router::busy() const {
  Word work = 0;
  for (unsigned w = 0; w < state_.vc_words; ++w) work |= state_.occupied[w] | state_.pending[w];
  if (link_arbitration_)
    for (const PortState& port : state_.port) work |= port.output_queued;
  return work != 0 || recovery_active_ || (interface_ && interface_->busy());
}

void Router::take_arrivals(Cycle t) {
  const unsigned slot = static_cast<unsigned>(t) & ring_mask_;
  for (unsigned w = 0; w < state_.port_words; ++w) {
    const std::size_t at = std::size_t{slot} * state_.port_words + w;
    if (control_in_[at] | control_out_[at]) [[unlikely]]
      take_control(t, slot);
    Word& credits = credit_arrivals_[at];
    for (Word rest = credits; rest; rest &= rest - 1) {
      const unsigned port = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      outputs_[port]->credit(state_.port[port].out->take_credits(t));
    }
    credits = 0;
    Word& flits = flit_arrivals_[at];
    for (Word rest = flits; rest; rest &= rest - 1) {
      const unsigned port = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const Flit& flit = state_.port[port].in->read(t);
      if (recovery_) [[unlikely]] {
        const unsigned id = port * state_.vcs + flit.vc;
        if (!recovery_->flit_arrived(*this, t, id, flit)) {
          discard(t, id, flit);
          continue;
        }
      }
      inputs_[port]->accept(t, flit);
    }
    flits = 0;
  }
}

void Router::take_control(Cycle t, unsigned slot) {
  for (const bool input_side : {true, false}) {
    std::vector<Word>& ring = input_side ? control_in_ : control_out_;
    Word* ports = &ring[std::size_t{slot} * state_.port_words];
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
                            : outputs_[c.port]->available(class_vcs_[c.port * classes_ + c.vc_class], length);
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
      if (outputs_[port]->unlimited())
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
  outputs_[state_.port_of[output_id]]->reserve(output_id, id);
  vc.output = static_cast<std::uint16_t>(output_id);
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

void Router::allocate_vcs(Cycle t) {
  requests_.clear();
  for_each_bit(state_.pending.data(), state_.vc_words, [&](unsigned id) {
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

void Router::allocate_crossbar(Cycle t) {
  bool asked = false;
  for (unsigned w = 0; w < state_.vc_words; ++w)
    for (Word rest = state_.occupied[w] & state_.routed[w] & state_.space[w]; rest; rest &= rest - 1) {
      const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
      const unsigned out_port = state_.port_of[state_.input[id].output];
      if (crossbar_->by_vc() || outputs_[out_port]->unlimited()) {
        cross(t, id);
      } else {
        crossbar_allocator_->request(state_.port_of[id], out_port, id);
        asked = true;
      }
    }
  if (asked) crossbar_allocator_->allocate([&](unsigned id) { cross(t, id); });
}

void Router::cross(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  const unsigned output_id = vc.output;
  const unsigned in_port = state_.port_of[id];
  const unsigned out_port = state_.port_of[output_id];
  InputController& input = *inputs_[in_port];
  OutputController& output = *outputs_[out_port];

  Flit flit = input.take(id);
  ++vc.flits_sent;
  if (opens(flit.kind)) {
    flit.word = vc.next_state;
    flit.hops = static_cast<std::uint16_t>(flit.hops + (out_port != local_port_));
  }
  flit.vc = static_cast<std::uint8_t>(output_id - out_port * state_.vcs);
  if (keeps_copies_) [[unlikely]]
    ++vc.retained;
  else
    input.return_credit(t, id);
  if (output.unlimited()) {
    state_.port[out_port].granted_input = static_cast<std::uint16_t>(id);
    state_.port[out_port].granted_at = t;
    interface_->receiver.eject(t, t + ejection_cycles_, flit);
  } else {
    output.send(t, output_id, id, flit);
  }
  if (recovery_) [[unlikely]]
    recovery_->flit_crossed(*this, t, id, output_id, flit);
  if (closes(flit.kind)) {
    output.release(output_id);
    input.to_idle(t + 1, id);
  }
}

unsigned Router::credits(PortId port) const {
  unsigned sum = 0;
  for (unsigned vc = 0; vc < state_.vcs; ++vc) sum += state_.output[port * state_.vcs + vc].credits;
  return sum;
}

}  // namespace flitmend
