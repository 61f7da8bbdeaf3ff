// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "rtl_tlm/mechanisms/circuits/probes.h"
#include "rtl_tlm/mechanisms/copies/copies.h"
#include "rtl_tlm/mechanisms/narrow_links/narrow_links.h"
#include "rtl_tlm/mechanisms/precedence/precedence.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/router/router.h"
#include "rtl_tlm/router/router_turns.h"

namespace flitmend {

/// Whether the routers of an instance of the cycle have a mechanism.
enum class Presence : std::uint8_t {
  absent,
  present,
  asked  ///< some have it: the router's layout is asked in every cycle
};

/// What is known at compile time of the routers of one instance of the clock cycle (RouterCycle).
struct CycleFeatures {
  bool one_word = true;  ///< masks of ports and of virtual channels take one word each
  bool plain = false;    ///< one_word, no output buffers, no recovery unit
  bool ordered = false;  ///< allocation by class or age
  Presence tail_signals = Presence::absent;
  Presence copies = Presence::absent;
  Presence circuits = Presence::absent;
  Presence narrow_links = Presence::absent;
};

/// For a switch: the paths of mechanisms have no names.
constexpr unsigned number(CyclePath path) {
  return static_cast<unsigned>(path);
}

consteval CycleFeatures features_of(CyclePath path) {
  using enum Presence;
  switch (number(path)) {
    case number(CyclePath::plain):
      return {.plain = true};
    case number(CyclePath::one_word):
      return {.narrow_links = asked};
    case number(path_of(Mechanism::tail_signals)):
      return {.tail_signals = present};
    case number(path_of(Mechanism::copies)):
      return {.copies = present};
    case number(path_of(Mechanism::circuits)):
      return {.circuits = present};
    default:
      return {.one_word = false,
              .ordered = path == CyclePath::ordered,
              .tail_signals = asked,
              .copies = asked,
              .circuits = asked,
              .narrow_links = asked};
  }
}

/// A router's clock cycle, step by step (evaluate). This is the per-flit path. It uses only the router's
/// registers, not the objects of its parts.
template <auto kFeatures>  // of CycleFeatures
class RouterCycle {
 public:
  /// True if work remains even if nothing arrives.
  [[gnu::always_inline]] static bool run(RouterState state, Cycle t) {
    return RouterCycle(state, t).evaluate();
  }

 private:
  static constexpr bool kOneWord = kFeatures.one_word;
  static constexpr bool kPlain = kFeatures.plain;
  static constexpr bool kOrdered = kFeatures.ordered;
  static constexpr bool kPlainBuffers =
      kOneWord && kFeatures.copies == Presence::absent && kFeatures.circuits == Presence::absent;

  // An object holds the local variables of a cycle. It is passed only to inlined functions, so it stays in
  // CPU registers.
  RouterCycle(const RouterState& state, Cycle t)
      : s_(state),
        l_(state.layout()),
        h_(s_.header()),
        t_(t),
        slot_(static_cast<unsigned>(t & (l_.ring - 1))) {}

  [[gnu::always_inline]] bool evaluate() {
    receive_control();
    receive_credits();
    receive_tail_signals();
    receive_flits();
    evaluate_recovery();
    send_control_flits();
    absorb();
    free_copies();
    allocate_vcs();
    allocate_switch();
    Word work = arbitrate_links();
    for (unsigned w = 0; w < words(); ++w) work |= masks(w).occupied | masks(w).pending;
    return (work != 0) | (!kPlain && h_.recovery_active) | (has_circuits() && h_.control_waits) |
           (has_narrow_links() && NarrowLinks::any_busy(s_, t_));
  }

  // --- Arrivals ---

  [[gnu::always_inline]] void receive_control() {
    if (h_.any_control) [[unlikely]]
      router().control_arrived(t_, slot_);
  }

  /// Takes the arrivals per virtual channel: calls take(mask, id of its lowest bit).
  template <class Take>
  [[gnu::always_inline]] void for_each_arrival(Word* rings, const Take& take) {
    if constexpr (kOneWord) {
      take(std::exchange(rings[slot_], 0), 0);
    } else {
      for (unsigned w = 0; w < l_.arrival_words; ++w)
        take(std::exchange(rings[w * l_.ring + slot_], 0), s_.first_arrival(w));
    }
  }

  [[gnu::always_inline]] void receive_credits() {
    for_each_arrival(s_.arriving(Arrival::credits), [&](Word mask, unsigned first) {
      if constexpr (kOneWord) {
        // The number of credits is unpredictable, so the first two are counted without a branch on it; if
        // there are fewer, at a dummy register.
        if (const Word dummy = l_.dummy_output; dummy && !l_.atomic)
          for (unsigned i = 0; i < 2; ++i, mask &= mask - 1)
            OutputController::count_credit<kOneWord, kPlain>(
                s_, static_cast<unsigned>(std::countr_zero(mask | dummy)));
      }
      for (Word rest = mask; rest; rest &= rest - 1)
        OutputController::credit<kOneWord, kPlain>(s_, first + static_cast<unsigned>(std::countr_zero(rest)));
    });
  }

  [[gnu::always_inline]] void receive_flits() {
    for_each_arrival(s_.arriving(Arrival::flits), [&](Word mask, unsigned first) {
      if constexpr (kPlain) h_.masks.occupied |= mask;
      for (Word rest = mask; rest; rest &= rest - 1) {
        const unsigned id = first + static_cast<unsigned>(std::countr_zero(rest));
        Flit& flit = s_.arrived_flits(s_.port_of(id))[slot_];
        if constexpr (kPlain) {
          InputController::store<kOneWord, true>(s_, t_, id, flit);
        } else {
          if (follows_tails() && is_tail(flit.kind)) TailSignals::arrived(s_, t_, id);
          if (keeps_copies() && Copies::renaming(s_, id)) [[unlikely]]
            Copies::rename(s_, id, flit);
          if (h_.hooks) {
            if (flit.kind == FlitKind::pad) s_.pads_arrived() += s_.port_of(id) != l_.local_port;
            if (s_.told_of(id, flit.kind) && router().refused(t_, id, flit)) continue;
          }
          InputController::accept<kOneWord, kPlainBuffers>(s_, t_, id, flit);
        }
      }
    });
  }

  [[gnu::always_inline]] void receive_tail_signals() {
    if (follows_tails()) TailSignals::receive(s_, t_, slot_);
    if (has_circuits())
      for_each_arrival(s_.template arriving<rows::CircuitArrivals>(ControlLine::acknowledgement),
                       [&](Word mask, unsigned first) {
                         for (Word rest = mask; rest; rest &= rest - 1)
                           Circuits::acknowledged(s_, t_,
                                                  first + static_cast<unsigned>(std::countr_zero(rest)));
                       });
  }

  // --- Recovery ---

  [[gnu::always_inline]] void evaluate_recovery() {
    if (!kPlain && h_.recovery_active) recovery()->evaluate(router(), t_);
  }

  [[gnu::always_inline]] void send_control_flits() {
    if (has_circuits() && l_.heads_go_back) turn_back_heads(s_, t_);
    if (has_circuits() && h_.control_waits) {
      Circuits::send(s_, t_);
      Circuits::release_paths(s_, t_);
    }
  }

  [[gnu::noinline]] static void turn_back_heads(RouterState state, Cycle t) {
    Router& router = *state.header().router;
    for (unsigned w = 0; w < state.layout().vc_words; ++w)
      for (Word rest = state.masks(w).pending; rest; rest &= rest - 1) {
        const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
        if (Probes::turn_back(state, t, id, router.random_)) router.abandon(t, id);
      }
  }

  [[gnu::always_inline]] void absorb() {
    if (h_.any_absorbing) [[unlikely]]
      router().absorb_arrived(t_);
  }

  /// After evaluate_recovery: the credit of the last copy leaves before RESYNC, which restores all credits.
  [[gnu::always_inline]] void free_copies() {
    if (keeps_copies()) Copies::receive(s_, t_, slot_);
  }

  // --- Route computation and VC allocation ---

  [[gnu::always_inline]] void allocate_vcs() {
    Word pending = 0;
    for (unsigned w = 0; w < words(); ++w) pending |= masks(w).pending;
    if (pending) allocate_pending(s_, t_);
  }

  const Message& message_at(unsigned id) const { return l_.messages[s_.front(id).message]; }
  RouteRequest route_request(unsigned id, const Message& message) {
    const unsigned port = s_.port_of(id);
    return {h_.id,
            message.source,
            message.destination,
            port == l_.local_port ? RouteRequest::kInjected : static_cast<PortId>(port),
            static_cast<std::uint8_t>(s_.vc_of(id)),
            message.head_state,
            h_.any_faulty ? &router() : nullptr,
            &router().random_,
            l_.looks_at_outputs ? &router() : nullptr};
  }

  [[gnu::always_inline]] void compute_route(unsigned id, HeadRoute& r) {
    if constexpr (kOrdered) Precedence::note(s_, id);
    const Message& message = message_at(id);
    r.length = static_cast<std::uint16_t>(message.length);
    const RouteRequest request = route_request(id, message);
    CandidateList list(s_.candidates_of(r), l_.max_candidates);
    l_.context.routing.route(request, list);
    if (list.overflowed()) [[unlikely]]
      router().too_many_candidates(t_);
    r.candidates = static_cast<std::uint8_t>(
        has_circuits() && l_.head_history ? Circuits::untried(s_, id, list) : list.size());
    if (has_circuits() && l_.heads_go_back && l_.looks_at_outputs) Probes::routed(s_, id);
    if (r.candidates == 0 && !(has_circuits() && l_.heads_go_back)) [[unlikely]] {
      if (router().no_route(t_, id, request.arrival_port == RouteRequest::kInjected, l_.scratch.postponed))
        return;
    }
    r.stage = PipelineStage::vc_allocation;
    r.ready = l_.vc_allocation_cycles > 1 ? t_ + l_.vc_allocation_cycles - 1 : t_;
  }

  [[gnu::always_inline]] void grant_vc(unsigned id, unsigned output_id) {
    HeadRoute& r = s_.route(id);
    VcMasks& m = masks_of(id);
    OutputController::reserve<kOneWord>(s_, output_id, id);
    if (l_.crossbar_by_vc) m.bypasses_allocation |= RouterState::bit_of(id);
    s_.input(id).output = static_cast<std::uint16_t>(output_id);
    if (kOneWord || l_.vc_words == 1) s_.wanted()[s_.port_of(output_id)] |= RouterState::bit_of(id);
    if (follows_tails()) TailSignals::granted(s_, id, output_id);
    if (l_.looks_at_outputs) s_.holder_state(output_id) = s_.candidates_of(r)[r.chosen].head_state;
    if (has_circuits() && l_.heads_go_back) Probes::granted(s_, id);
    r.stage = PipelineStage::switch_allocation;
    // Nothing can return this head to route computation, so its routing state is updated here already. Flits
    // that leave then need fewer checks.
    if constexpr (kPlain) write_head(r, output_id, s_.front(id).message);
    if (l_.vc_allocation_cycles == 0) {
      m.pending &= ~RouterState::bit_of(id);
      m.routed |= RouterState::bit_of(id);
    } else {
      r.ready = t_ + 1;
    }
  }

  /// Writes a request of a head to the allocator. Returns the number of requests, 0 or 1.
  [[gnu::always_inline]] unsigned ask_for(unsigned id, HeadRoute& r, unsigned chosen, VcMask free,
                                          VcRequest& request) {
    const RouteCandidate& candidate = s_.candidates_of(r)[chosen];
    r.chosen = static_cast<std::uint8_t>(chosen);
    if (s_.arbiter(candidate.port).unlimited) {
      grant_vc(id, candidate.port * l_.vcs);
      return 0;
    }
    if (follows_tails()) free = TailSignals::prefer(s_, candidate.port, free);
    request = {static_cast<std::uint16_t>(id), candidate.port, free, kNoVc};
    return 1;
  }

  /// The free virtual channels of a candidate's class.
  [[gnu::always_inline]] VcMask available(const RouteCandidate& c, std::uint32_t length) {
    if (s_.arbiter(c.port).faulty) return 0;
    const VcMask free =
        OutputController::available<kPlain>(s_, c.port, s_.class_vcs(c.port, c.vc_class), length);
    return follows_tails() ? TailSignals::grantable(s_, c.port, free) : free;
  }

  [[gnu::always_inline]] unsigned request_preferred(unsigned id, std::uint32_t length, VcRequest& request) {
    HeadRoute& r = s_.route(id);
    const unsigned count = r.candidates;
    const RouteCandidate* const candidates = s_.candidates_of(r);
    VcMask* const free = l_.scratch.available.data();
    for (unsigned first = 0; first < count;) {
      // Candidates of equal preference are adjacent. The first preference with a free virtual channel is
      // requested.
      unsigned end = first;
      unsigned usable = 0, last = first;
      for (; end < count && candidates[end].preference == candidates[first].preference; ++end) {
        free[end] = available(candidates[end], length);
        if (free[end]) {
          ++usable;
          last = end;
        }
      }
      if (usable > 0) {
        const unsigned chosen =
            usable == 1
                ? last
                : first + l_.context.selection.select(route_request(id, message_at(id)), candidates + first,
                                                      free + first, end - first, router());
        return ask_for(id, r, chosen, free[chosen], request);
      }
      first = end;
    }
    return 0;
  }

  /// One request per candidate with a free virtual channel. A port that consumes all flits at once is taken
  /// at once, if no candidate before it can be requested.
  [[gnu::always_inline]] unsigned request_all(unsigned id, std::uint32_t length, VcRequest* requests) {
    HeadRoute& r = s_.route(id);
    const RouteCandidate* const candidates = s_.candidates_of(r);
    unsigned asked = 0;
    for (unsigned i = 0; i < r.candidates; ++i) {
      const VcMask free = available(candidates[i], length);
      if (free == 0 || (asked > 0 && s_.arbiter(candidates[i].port).unlimited)) continue;
      const unsigned first = r.chosen;
      if (ask_for(id, r, i, free, requests[asked]) == 0) return 0;
      requests[asked].candidate = static_cast<std::uint16_t>(i);
      if (asked++ > 0) r.chosen = static_cast<std::uint8_t>(first);
    }
    return asked;
  }

  [[gnu::noinline]] static unsigned request_one_or_all(RouterState state, Cycle t, unsigned id,
                                                       std::uint32_t length, VcRequest* requests) {
    RouterCycle cycle(state, t);
    return cycle.l_.requests_all ? cycle.request_all(id, length, requests)
                                 : cycle.request_preferred(id, length, *requests);
  }

  [[gnu::always_inline]] unsigned request_vc(unsigned id, HeadRoute& r, VcRequest* requests) {
    if (r.candidates == 1) {
      const VcMask free = available(*s_.candidates_of(r), r.length);
      return free == 0 ? 0 : ask_for(id, r, 0, free, *requests);
    }
    return r.candidates > 1 ? request_one_or_all(s_, t_, id, r.length, requests) : 0;
  }

  [[gnu::always_inline]] void allocate_pending() {
    VcRequest* const requests = l_.scratch.requests.data();
    unsigned count = 0;
    for (unsigned w = 0; w < words(); ++w)
      for (Word rest = masks(w).pending; rest; rest &= rest - 1) {
        const unsigned id = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
        HeadRoute& r = s_.route(id);
        if (t_ < r.ready) continue;
        if (r.stage == PipelineStage::switch_allocation) {
          masks(w).pending &= ~(rest & -rest);
          masks(w).routed |= rest & -rest;
          continue;
        }
        if (r.stage == PipelineStage::routing) {
          compute_route(id, r);
          if (t_ < r.ready || !(masks(w).pending & rest & -rest)) continue;
        } else if (l_.looks_at_outputs) {
          compute_route(id, r);
          r.ready = t_;
          if (!(masks(w).pending & rest & -rest)) continue;
        }
        count += request_vc(id, r, requests + count);
      }
    if (count == 0) return;
    if constexpr (kOrdered)
      Precedence::allocate_vcs(s_, {requests, count}, l_.draws_vcs ? &router().random_ : nullptr);
    else if (!kPlain && l_.draws_vcs)
      VcAllocator::draw(s_.vcs(), {requests, count}, router().random_);
    else
      VcAllocator::allocate(
          {static_cast<unsigned>(l_.ids), static_cast<unsigned>(l_.vcs), l_.allocator_iterations},
          s_.vc_pointers(), l_.scratch.vc, {requests, count});
    if (l_.requests_all)
      for (unsigned i = 0; i < count; ++i)
        if (requests[i].granted != kNoVc)
          s_.route(requests[i].input).chosen = static_cast<std::uint8_t>(requests[i].candidate);
    for (unsigned i = 0; i < count; ++i)
      if (requests[i].granted != kNoVc) grant_vc(requests[i].input, requests[i].granted);
  }

  [[gnu::noinline]] static void allocate_pending(RouterState state, Cycle t) {
    RouterCycle(state, t).allocate_pending();
  }

  // --- Switch allocation and traversal ---

  /// Takes the front flit out of its input buffer.
  [[gnu::always_inline]] const Flit& dequeue(unsigned id) {
    ++s_.input(id).flits_sent;
    if (keeps_copies())
      Copies::crosses(s_, t_, id, s_.front(id));
    else if (!has_circuits() || !Circuits::leaves_again(s_, id))
      InputController::return_credit(s_, t_, id);
    return InputController::pop<kOneWord>(s_, id);
  }

  /// A flit has left: updates the message's routing state, the output and the virtual channel that it left.
  [[gnu::always_inline]] void after_departure(unsigned id, unsigned output_id, const Flit& flit) {
    const FlitKind kind = flit.kind;
    if constexpr (!kPlain) {
      if (is_head(kind)) write_head(s_.route(id), output_id, flit.message);
      if (h_.hooks && (h_.hooks & hooks_of(kind)))
        recovery()->flit_crossed(router(), t_, id, output_id, flit);
    }
    if (has_circuits()) {
      if (l_.holds_paths) {
        if ((is_head(kind) && l_.scouting > 0) || is_tail(kind)) Circuits::crossed(s_, id, output_id, flit);
        return;
      }
      if (kind == FlitKind::head || (l_.heads_go_back && kind == FlitKind::head_tail)) {
        Circuits::reserved(s_, id, output_id);
        // A message of one flit: its head may still come back, until the acknowledgement does.
        if (kind == FlitKind::head_tail && s_.port_of(output_id) != l_.local_port) return;
      }
    }
    if (is_tail(kind)) {
      if (follows_tails()) TailSignals::crossed(s_, t_, id, output_id, flit);
      if (keeps_copies() && Copies::waits(s_, id)) return;
      release(s_, output_id);
      InputController::to_idle<kOneWord, kPlainBuffers>(s_, t_ + 1, id);
    }
  }

  /// Not inlined: it would cost every flit CPU registers.
  [[gnu::noinline]] static void release(RouterState state, unsigned output_id) {
    OutputController::release(state, output_id);
  }

  void write_head(HeadRoute& r, unsigned output_id, MessageIndex head) {
    Message& message = l_.messages[head];
    message.head_state = s_.candidates_of(r)[r.chosen].head_state;
    message.hops = static_cast<std::uint16_t>(message.hops + (s_.port_of(output_id) != l_.local_port));
  }

  [[gnu::always_inline]] void cross(unsigned id, unsigned port) {
    const unsigned output_id = s_.input(id).output;
    const Flit& front = dequeue(id);
    Flit& flit = kPlain || l_.output_buffer == 0
                     ? OutputController::send_to_link<kOneWord>(s_, t_, port, output_id, id)
                     : OutputController::send_to_buffer(s_, t_, port, output_id, id);
    flit = front;
    flit.vc = static_cast<std::uint8_t>(s_.vc_of(output_id));
    if (keeps_copies() && l_.output_buffer == 0) Copies::left(s_, t_, id, s_.port(port).out_delay);
    if (has_narrow_links() && l_.output_buffer == 0) NarrowLinks::sent(s_, t_, port);
    after_departure(id, output_id, flit);
  }

  /// To a local port that consumes all flits at once.
  void eject(unsigned id) {
    const unsigned output_id = s_.input(id).output;
    s_.port(s_.output_port(id)).grant(t_, id);
    Flit flit = dequeue(id);
    flit.vc = 0;
    if (keeps_copies()) Copies::left(s_, t_, id, static_cast<unsigned>(l_.ejection_cycles));
    after_departure(id, output_id, flit);
    if (PostponedSteps* const postponed = l_.scratch.postponed) [[unlikely]]
      postponed->ejections.push_back({h_.id, t_ + l_.ejection_cycles, flit});
    else
      h_.interface->eject(t_, t_ + l_.ejection_cycles, flit);
  }

  [[gnu::always_inline]] void allocate_switch() {
    const auto output_of = [&](unsigned id) -> unsigned { return s_.output_port(id); };
    const auto bypass = [&](unsigned id) {
      if (s_.arbiter(s_.output_port(id)).unlimited)
        eject(id);
      else
        cross(id, output_of(id));
    };
    if constexpr (kOneWord) {
      VcMasks& m = h_.masks;
      Word ready = m.occupied & m.routed & m.has_credit;
      if (follows_tails()) ready = TailSignals::admit(s_, 0, ready);
      if (keeps_copies()) ready &= ~Copies::masks_of(s_, 0).closing;
      if (has_circuits()) ready = Circuits::admit(s_, 0, ready);
      if (has_narrow_links()) ready = NarrowLinks::admit(s_, t_, 0, ready);
      const Word asking = ready & ~m.bypasses_allocation;
      for (Word rest = ready & m.bypasses_allocation; rest; rest &= rest - 1)
        bypass(static_cast<unsigned>(std::countr_zero(rest)));
      if (!asking) return;
      if (!kPlain && l_.crossbar_input_per_vc)
        SwitchAllocator::allocate_outputs_word(s_.ports(), s_.arbiters(), s_.wanted(), asking,
                                               [&](unsigned id, unsigned out) { cross(id, out); });
      else
        SwitchAllocator::allocate_word(l_.switch_shape, s_.arbiters(), s_.wanted(), asking, output_of,
                                       [&](unsigned id, unsigned out) { cross(id, out); });
    } else {
      Word* const asking = l_.scratch.asking.data();
      Word any = 0;
      for (unsigned w = 0; w < l_.vc_words; ++w) {
        const VcMasks& m = s_.masks(w);
        Word ready = m.occupied & m.routed & m.has_credit;
        if (follows_tails()) ready = TailSignals::admit(s_, w, ready);
        if (keeps_copies()) ready &= ~Copies::masks_of(s_, w).closing;
        if (has_circuits()) ready = Circuits::admit(s_, w, ready);
        if (has_narrow_links()) ready = NarrowLinks::admit(s_, t_, w, ready);
        asking[w] = ready & ~m.bypasses_allocation;
        any |= asking[w];
        for (Word rest = ready & m.bypasses_allocation; rest; rest &= rest - 1)
          bypass(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
      }
      if (!any) return;
      std::uint16_t* const granted = l_.scratch.granted.data();
      unsigned count = 0;
      if constexpr (kOrdered) {
        count = Precedence::allocate_switch(s_, asking, granted);
      } else {
        SwitchAllocator& allocator = *router().switch_allocator_;
        count = l_.crossbar_input_per_vc ? allocator.allocate_outputs(asking, output_of, granted)
                                         : allocator.allocate(asking, output_of, granted);
      }
      for (unsigned i = 0; i < count; ++i) cross(granted[i], output_of(granted[i]));
    }
  }

  // --- Links ---

  /// Returns nonzero while flits are in output buffers.
  [[gnu::always_inline]] Word arbitrate_links() {
    Word buffered = 0;
    if (!kPlain && l_.output_buffer > 0)
      for (unsigned w = 0; w < (kOneWord ? 1 : l_.port_words); ++w) {
        for (Word rest = s_.buffered_ports()[w]; rest; rest &= rest - 1) {
          const unsigned port = w * kWordBits + static_cast<unsigned>(std::countr_zero(rest));
          if ((has_circuits() && Circuits::port(s_, port).sent_at == t_) ||
              (has_narrow_links() && NarrowLinks::busy(s_, t_, port)))
            continue;
          unsigned output_id = kNoVc;
          if constexpr (kOrdered)
            output_id = Precedence::arbitrate_link(s_, t_, port);
          else
            output_id = OutputController::arbitrate_link(s_, t_, port);
          if (output_id == kNoVc) continue;
          if (keeps_copies()) Copies::left_buffer(s_, t_, output_id);
          if (has_narrow_links()) NarrowLinks::sent(s_, t_, port);
        }
        buffered |= s_.buffered_ports()[w];
      }
    return buffered;
  }

  // --- What the router consists of ---

  Router& router() const { return *h_.router; }
  RouterRecovery* recovery() const { return kPlain ? nullptr : router().recovery_; }
  static bool has(Presence presence, bool built) {
    return presence == Presence::asked ? built : presence == Presence::present;
  }
  bool follows_tails() const { return has(kFeatures.tail_signals, TailSignals::built(l_)); }
  bool keeps_copies() const { return has(kFeatures.copies, Copies::built(l_)); }
  bool has_circuits() const { return has(kFeatures.circuits, l_.complementary); }
  bool has_narrow_links() const { return has(kFeatures.narrow_links, NarrowLinks::built(l_)); }
  unsigned words() const { return kOneWord ? 1 : l_.vc_words; }
  VcMasks& masks(unsigned word) { return kOneWord ? h_.masks : s_.masks(word); }
  VcMasks& masks_of(unsigned id) { return s_.template masks_of<kOneWord>(id); }

  RouterState s_;
  const RouterLayout& l_;
  RouterHeader& h_;
  const Cycle t_;
  const unsigned slot_;
};

namespace {

/// A router that is not plain.
[[gnu::noinline]] bool evaluate_other(RouterState state, Cycle t) {
  switch (number(state.header().path)) {
    case number(CyclePath::one_word):
      return RouterCycle<features_of(CyclePath::one_word)>::run(state, t);
    case number(path_of(Mechanism::tail_signals)):
      return RouterCycle<features_of(path_of(Mechanism::tail_signals))>::run(state, t);
    case number(path_of(Mechanism::copies)):
      return RouterCycle<features_of(path_of(Mechanism::copies))>::run(state, t);
    case number(path_of(Mechanism::circuits)):
      return RouterCycle<features_of(path_of(Mechanism::circuits))>::run(state, t);
    case number(CyclePath::ordered):
      return RouterCycle<features_of(CyclePath::ordered)>::run(state, t);
    default:
      return RouterCycle<features_of(CyclePath::any)>::run(state, t);
  }
}

}  // namespace

// The cycle of plain routers is compiled into the loop.
Word Router::evaluate(const RouterState* states, Word now, Cycle t, RouterTurns turns) {
  Word active = 0;
  evaluate_in_turn(states, now, t, turns, [&](const RouterState& state, unsigned bit) {
    const CyclePath path = state.header().path;
    bool work = true;
    if (path == CyclePath::plain) [[likely]]
      work = RouterCycle<features_of(CyclePath::plain)>::run(state, t);
    else if (path == CyclePath::foreign)
      state.header().router->replaced_->evaluate(t);
    else
      work = evaluate_other(state, t);
    active |= Word{work} << bit;
  });
  return active;
}

bool Router::evaluate(RouterState state, Cycle t) {
  return evaluate(&state, 1, t, {}) != 0;
}

}  // namespace flitmend
