// What a router does in a clock cycle: arrivals, VC allocation, crossbar allocation, the flits that cross.
//
// This is the per-flit path: it looks at the router's registers alone. It has three instances. One word: the
// masks of ports and of virtual channels take a word each, as in every usual router, and stand at fixed
// places. Plain: of those, routers without output buffers and without a recovery unit.
#include <algorithm>
#include <array>
#include <boost/format.hpp>
#include <utility>

#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/router.h"

namespace flitmend {
namespace {

/// The masks by input id where they take one word each.
enum OneWordMask : unsigned { kOccupied, kPending, kRouted, kSpace, kDirect };

}  // namespace

/// Takes what has arrived by virtual channel: calls take(mask, id of its lowest bit).
template <bool kOneWord, class Take>
[[gnu::always_inline]] inline void Router::take_arrived(Arrival what, unsigned slot, const Take& take) {
  if constexpr (kOneWord) {
    take(std::exchange(state_.arrivals[slot][what], 0), 0);
  } else {
    for (unsigned port = 0; port < state_.ports; ++port)
      take(std::exchange(state_.vc_place(what, port).ring[slot * kSlotWords], 0), port * state_.vcs);
  }
}

template <bool kOneWord, bool kPlain>
[[gnu::always_inline]] inline void Router::take_credits(unsigned slot) {
  take_arrived<kOneWord>(Arrival::credits, slot, [&](Word mask, unsigned first) {
    for (Word rest = mask; rest; rest &= rest - 1)
      OutputController::credit(state_, first + static_cast<unsigned>(std::countr_zero(rest)),
                               kPlain || state_.output_depth == 0);
  });
}

template <bool kOneWord, bool kPlain>
[[gnu::always_inline]] inline void Router::take_flits(Cycle t, unsigned slot) {
  const unsigned ring = ring_mask_ + 1;
  const Flit* const flits = state_.arrived_flits.data() + slot;
  take_arrived<kOneWord>(Arrival::flits, slot, [&](Word mask, unsigned first) {
    if constexpr (kPlain) state_.occupied[0] |= mask;
    for (Word rest = mask; rest; rest &= rest - 1) {
      const unsigned id = first + static_cast<unsigned>(std::countr_zero(rest));
      const Flit& flit = flits[std::size_t{state_.port_of[id]} * ring];
      if constexpr (kPlain)
        InputController::store(state_, t, id, flit);
      else if (recovery_ && !recovery_->flit_arrived(*this, t, id, flit))
        discard(t, id, flit);
      else
        InputController::accept(state_, t, id, flit);
    }
  });
}

template <bool kOneWord>
[[gnu::always_inline]] inline void Router::take_control(Cycle t, unsigned slot) {
  Word any = 0;
  for (unsigned w = 0; w < (kOneWord ? 1 : state_.port_words); ++w) {
    ArrivalSlot& arrived = state_.arrivals[w * (ring_mask_ + 1) + slot];
    any |= arrived[Arrival::control_in] | arrived[Arrival::control_out];
  }
  if (any) [[unlikely]]
    control_arrived(t, slot);
}

void Router::control_arrived(Cycle t, unsigned slot) {
  for (const bool input_side : {true, false}) {
    const Arrival side = input_side ? Arrival::control_in : Arrival::control_out;
    const auto take = [&](unsigned port) {
      const PortChannels& p = state_.channels[port];
      const bool faulty = (p.in && p.in->faulty(t)) || (p.out && p.out->faulty(t));
      if (faulty != state_.status[port].faulty) {
        state_.status[port].faulty = faulty;
        any_faulty_ = std::any_of(state_.status.begin(), state_.status.end(),
                                  [](const PortStatusBits& bits) { return bits.faulty; });
        // Heads that wait for a virtual channel route again: their candidates depend on the fault status.
        for_each_bit(state_.pending.data(), state_.vc_words, [&](unsigned id) {
          if (state_.input[id].stage == PipelineStage::vc_allocation)
            state_.input[id].stage = PipelineStage::routing;
        });
        if (recovery_) recovery_->port_status_changed(*this, t, port, faulty);
      }
      if (recovery_) recovery_->control_arrived(*this, t, port, input_side);
    };
    for (unsigned w = 0; w < state_.port_words; ++w)
      for (Word rest = std::exchange(state_.arrivals[w * state_.ring + slot][side], 0); rest;
           rest &= rest - 1)
        take(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
  }
}

inline RouteRequest Router::route_request(unsigned id) {
  const unsigned port = state_.port_of[id];
  const Flit& head = state_.front(id);
  const Message& message = context_.messages[head.message];
  return {id_,
          message.source,
          message.destination,
          port == local_port_ ? RouteRequest::kInjected : static_cast<PortId>(port),
          static_cast<std::uint8_t>(id - port * state_.vcs),
          head.word,
          any_faulty_ ? this : nullptr,
          &random_,
          looks_at_outputs_ ? this : nullptr};
}

[[gnu::always_inline]] inline void Router::compute_route(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  CandidateList list(state_.candidates_of(id), state_.max_candidates);
  const RouteRequest request = route_request(id);
  context_.routing.route(request, list);
  if (list.overflowed()) [[unlikely]]
    too_many_candidates(t);
  vc.candidates = static_cast<std::uint8_t>(list.size());
  if (list.empty() && !recovery_ && request.arrival_port == RouteRequest::kInjected) {
    // No way from here: the source learns it. On the way a head waits for the fault status to change instead.
    absorb(t, id);
    return;
  }
  vc.stage = PipelineStage::vc_allocation;
  state_.head[id].ready = vc_allocation_cycles_ > 1 ? t + vc_allocation_cycles_ - 1 : t;
}

void Router::too_many_candidates(Cycle t) const {
  SC_REPORT_FATAL(
      "flitmend/routing",
      (boost::format("%1%: cycle %2%: the routing function gave more than its max_candidates() = %3%") %
       name() % t % state_.max_candidates)
          .str()
          .c_str());
}

[[gnu::always_inline]] inline void Router::grant_vc(Cycle t, unsigned id, unsigned output_id) {
  InputVcState& vc = state_.input[id];
  OutputController::reserve(state_, output_id, id);
  if (crossbar_by_vc_) set_bit(state_.direct.data(), id);
  vc.output = static_cast<std::uint16_t>(output_id);
  vc.output_port = state_.port_of[output_id];
  if (looks_at_outputs_) holder_state_[output_id] = state_.head[id].next_state;
  vc.fsm = RouteFsm::routed;
  vc.stage = PipelineStage::switch_allocation;
  if (vc_allocation_cycles_ == 0) {
    clear_bit(state_.pending.data(), id);
    set_bit(state_.routed.data(), id);
  } else {
    state_.head[id].ready = t + 1;
  }
}

[[gnu::always_inline]] inline bool Router::ask_for(Cycle t, unsigned id, const RouteCandidate& candidate,
                                                   VcMask free, VcAllocator::Request& request) {
  state_.head[id].next_state = candidate.head_state;
  if (state_.status[candidate.port].unlimited) {
    grant_vc(t, id, candidate.port * state_.vcs);
    return false;
  }
  request = {static_cast<std::uint16_t>(id), candidate.port, free, kNoVc};
  return true;
}

/// The free virtual channels that a candidate names.
[[gnu::always_inline]] inline VcMask Router::available(const RouteCandidate& c, std::uint32_t length) const {
  if (state_.status[c.port].faulty) return 0;
  return OutputController::available(state_, c.port, class_vcs_[c.port * classes_ + c.vc_class], length);
}

bool Router::request_preferred(Cycle t, unsigned id, std::uint32_t length, VcAllocator::Request& request) {
  const unsigned count = state_.input[id].candidates;
  const RouteCandidate* const candidates = state_.candidates_of(id);
  for (unsigned first = 0; first < count;) {
    // Candidates of one preference stand together; the first preference with something free is asked for.
    unsigned end = first;
    unsigned usable = 0, last = first;
    for (; end < count && candidates[end].preference == candidates[first].preference; ++end) {
      available_[end] = available(candidates[end], length);
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
      return ask_for(t, id, candidates[chosen], available_[chosen], request);
    }
    first = end;
  }
  return false;
}

[[gnu::always_inline]] inline bool Router::request_vc(Cycle t, unsigned id, VcAllocator::Request& request) {
  const unsigned count = state_.input[id].candidates;
  const RouteCandidate* const candidates = state_.candidates_of(id);
  const std::uint32_t length =
      state_.whole_messages() ? context_.messages[state_.front(id).message].length : 1;
  if (count == 1) {
    const VcMask free = available(candidates[0], length);
    return free != 0 && ask_for(t, id, candidates[0], free, request);
  }
  return count > 1 && request_preferred(t, id, length, request);
}

void Router::allocate_vcs(Cycle t) {
  unsigned requests = 0;
  for_each_bit(state_.pending.data(), state_.vc_words, [&](unsigned id) {
    InputVcState& vc = state_.input[id];
    HeadState& head = state_.head[id];
    if (t < head.ready) return;
    if (vc.stage == PipelineStage::switch_allocation) {
      clear_bit(state_.pending.data(), id);
      set_bit(state_.routed.data(), id);
      return;
    }
    if (vc.stage == PipelineStage::routing) {
      compute_route(t, id);
      if (t < head.ready || vc.fsm != RouteFsm::needs_route) return;
    } else if (looks_at_outputs_) {
      compute_route(t, id);
      head.ready = t;
      if (vc.fsm != RouteFsm::needs_route) return;
    }
    requests += request_vc(t, id, requests_[requests]);
  });
  if (requests == 0) return;
  vc_allocator_->allocate({requests_.data(), requests});
  for (unsigned i = 0; i < requests; ++i)
    if (requests_[i].granted != kNoVc) grant_vc(t, requests_[i].input, requests_[i].granted);
}

/// Takes the front flit off its bank; whether the bank is occupied yet is marked by the caller.
template <bool kPlain>
[[gnu::always_inline]] inline const Flit& Router::leave(Cycle t, unsigned id) {
  InputVcState& vc = state_.input[id];
  ++vc.flits_sent;
  if (!kPlain && keeps_copies_)
    ++vc.retained;
  else
    InputController::return_credit(state_, t, id);
  return InputController::unload(state_, id);
}

/// What a flit that has left does to its head's words and to the virtual channel behind it.
template <bool kPlain>
[[gnu::always_inline]] inline void Router::left(Cycle t, unsigned id, unsigned output_id, Flit& flit) {
  const FlitKind kind = flit.kind;
  if (!kPlain && recovery_) {
    if (opens(kind)) write_head(id, flit);
    recovery_->flit_crossed(*this, t, id, output_id, flit);
  } else if (kind == FlitKind::data) {
    return;
  } else if (opens(kind)) {
    write_head(id, flit);
  }
  if (closes(kind)) {
    OutputController::release(state_, output_id);
    InputController::to_idle(state_, t + 1, id);
  }
}

inline void Router::write_head(unsigned id, Flit& flit) {
  flit.word = state_.head[id].next_state;
  flit.hops = static_cast<std::uint16_t>(flit.hops + (state_.input[id].output_port != local_port_));
}

template <bool kPlain>
[[gnu::always_inline]] inline void Router::cross(Cycle t, unsigned id) {
  const unsigned output_id = state_.input[id].output;
  const unsigned port = state_.input[id].output_port;
  const Flit& front = leave<kPlain>(t, id);
  Flit& flit = kPlain || state_.output_depth == 0
                   ? OutputController::send_to_link(state_, t, port, output_id, id)
                   : OutputController::send_to_buffer(state_, t, port, output_id, id);
  flit = front;
  flit.vc = static_cast<std::uint8_t>(output_id - port * state_.vcs);
  left<kPlain>(t, id, output_id, flit);
}

/// To a local port whose flits are all consumed at once.
template <bool kPlain>
inline void Router::eject(Cycle t, unsigned id) {
  const unsigned output_id = state_.input[id].output;
  state_.port[state_.input[id].output_port].grant(t, id);
  Flit flit = leave<kPlain>(t, id);
  flit.vc = 0;
  left<kPlain>(t, id, output_id, flit);
  interface_->receiver.eject(t, t + ejection_cycles_, flit);
  interface_busy_ |= interface_->receiver.busy();
}

template <bool kOneWord, bool kPlain>
[[gnu::always_inline]] inline void Router::allocate_crossbar(Cycle t) {
  Word emptied = 0;  // plain: banks that are empty now
  const auto moved = [&](unsigned id) {
    const bool empty = state_.input[id].count == 0;
    if constexpr (kPlain)
      emptied |= Word{empty} << id;
    else if (empty)
      clear_bit(state_.occupied.data(), id);
  };
  const auto move_direct = [&](unsigned id) {
    if (state_.status[state_.input[id].output_port].unlimited)
      eject<kPlain>(t, id);
    else
      cross<kPlain>(t, id);
    moved(id);
  };
  const auto move = [&](const std::uint16_t* granted, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      cross<kPlain>(t, granted[i]);
      moved(granted[i]);
    }
  };
  const auto input_of = [&](unsigned id) -> unsigned { return state_.port_of[id]; };
  const auto output_of = [&](unsigned id) -> unsigned { return state_.input[id].output_port; };
  if constexpr (kOneWord) {
    Word* const masks = state_.occupied.data();
    const Word ready = masks[kOccupied] & masks[kRouted] & masks[kSpace];
    const Word asking = ready & ~masks[kDirect];
    for (Word rest = ready & masks[kDirect]; rest; rest &= rest - 1)
      move_direct(static_cast<unsigned>(std::countr_zero(rest)));
    if (asking) {
      std::array<std::uint16_t, kWordBits> granted;
      move(granted.data(), crossbar_allocator_->allocate_word(asking, input_of, output_of, granted.data()));
    }
    if constexpr (kPlain) masks[kOccupied] &= ~emptied;
  } else {
    bool any = false;
    for (unsigned w = 0; w < state_.vc_words; ++w) {
      const Word ready = state_.occupied[w] & state_.routed[w] & state_.space[w];
      asking_[w] = ready & ~state_.direct[w];
      any |= asking_[w] != 0;
      for (Word rest = ready & state_.direct[w]; rest; rest &= rest - 1)
        move_direct(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
    }
    if (any)
      move(granted_.data(),
           crossbar_allocator_->allocate(asking_.data(), input_of, output_of, granted_.data()));
  }
}

template <bool kOneWord, bool kPlain>
inline bool Router::evaluate_path(Cycle t) {
  const unsigned slot = static_cast<unsigned>(t) & ring_mask_;
  ArrivalSlot& arrived = state_.arrivals[slot];
  if ((arrived[Arrival::interface_flits] | arrived[Arrival::interface_credits]) != 0 || interface_busy_)
    if (interface_)
      interface_busy_ = interface_->evaluate(t, std::exchange(arrived[Arrival::interface_flits], 0),
                                             std::exchange(arrived[Arrival::interface_credits], 0));
  take_control<kOneWord>(t, slot);
  take_credits<kOneWord, kPlain>(slot);
  take_flits<kOneWord, kPlain>(t, slot);
  if (!kPlain && recovery_active_) recovery_->evaluate(*this, t);
  if (any_absorbing_) [[unlikely]]
    absorb_arrived(t);
  Word* const masks = state_.occupied.data();
  const auto any = [&](OneWordMask which, const Registers<Word>& rows) {
    if constexpr (kOneWord) return masks[which];
    Word bits = 0;
    for (unsigned w = 0; w < state_.vc_words; ++w) bits |= rows[w];
    return bits;
  };
  if (any(kPending, state_.pending)) allocate_vcs(t);
  allocate_crossbar<kOneWord, kPlain>(t);
  Word work = any(kOccupied, state_.occupied) | any(kPending, state_.pending);
  if (!kPlain && link_arbitration_)
    for (unsigned port = 0; port < state_.ports; ++port)
      if (state_.port[port].output_queued) {
        OutputController::arbitrate_link(state_, t, port);
        work |= state_.port[port].output_queued;
      }
  return (work != 0) | recovery_active_ | interface_busy_;
}

bool Router::evaluate(Cycle t) {
  if (plain_) return evaluate_path<true, true>(t);
  return one_word_ ? evaluate_path<true, false>(t) : evaluate_path<false, false>(t);
}

}  // namespace flitmend
