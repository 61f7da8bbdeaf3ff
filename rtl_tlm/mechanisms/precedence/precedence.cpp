// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/precedence/precedence.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "rtl_tlm/context.h"
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {
namespace {

/// How far a number is behind the one served last, in turns of `count`.
unsigned turns_behind(unsigned number, unsigned last, unsigned count) {
  return number > last ? number - last : number + count - last;
}

ClassSet bit_of_class(unsigned c) {
  return static_cast<ClassSet>(1u << c);
}

PrecedenceVc precedence_of(const MessagePool& messages, MessageIndex index) {
  const Message& message = messages[index];
  // A message that is sent again keeps its age.
  const Message& original = message.original == kNoMessage ? message : messages[message.original];
  return {original.created, original.source, original.id,
          message.kind == MessageKind::control ? static_cast<std::uint8_t>(kControlClass)
                                               : message.message_class};
}

/// The arbiters of a router in one cycle.
class PrecedenceMatching {
 public:
  explicit PrecedenceMatching(RouterState& state)
      : s_(state),
        l_(state.layout()),
        rules_(l_.context.hardware.classes),
        vcs_(s_.row<rows::PrecedenceVcs>()),
        arbiters_(s_.row<rows::PrecedenceArbiters>()) {}

  unsigned allocate_switch(const Word* asking, std::uint16_t* granted);
  void allocate_vcs(std::span<VcRequest>, RandomStream*);

 private:
  bool by_age() const { return rules_.arbitration == Arbitration::oldest_first; }
  ClassArbiter& switch_arbiter(unsigned port) { return arbiters_[2 * port]; }
  ClassArbiter& vc_arbiter(unsigned port) { return arbiters_[2 * port + 1]; }

  /// Of the flits that request an output and whose inputs are free: the one that it grants; kNoVc: there is
  /// none. Notes the classes that make requests.
  unsigned choice_of_output(unsigned out, bool first_iteration);
  /// Whether an input prefers the flit `id` over `other`, both its own and granted.
  bool accepts(unsigned in, unsigned id, unsigned other) const;
  void match(unsigned id, bool first_iteration);

  /// The request that is served next, of those for one port; kNoVc: there is none. `free`: the virtual
  /// channels that are left.
  unsigned next_request(std::span<VcRequest>, unsigned first, VcMask free, ClassSet& requesting);
  bool open(const VcRequest& r, VcMask free) const {
    return (r.vcs & free) != 0 && l_.scratch.vc.request_of[r.input] == kNoVc;
  }

  RouterState& s_;
  const RouterLayout& l_;
  const ClassRules& rules_;
  PrecedenceVc* vcs_;
  ClassArbiter* arbiters_;
};

unsigned PrecedenceMatching::choice_of_output(unsigned out, bool first_iteration) {
  const std::vector<std::uint16_t>& next = l_.scratch.vc.next;
  RouterScratch::PortMatch* const matches = l_.scratch.matches.data();
  const unsigned first = l_.scratch.vc.first[out];
  const auto available = [&](unsigned id) {
    return l_.crossbar_input_per_vc || !matches[s_.port_of(id)].taken;
  };
  ClassSet requesting = 0;
  for (unsigned id = first; id != kNoVc; id = next[id])
    if (available(id)) requesting |= bit_of_class(vcs_[id].message_class);
  if (first_iteration) switch_arbiter(out).only(rules_, requesting);
  matches[out].requesting = requesting;
  if (requesting == 0) return kNoVc;

  unsigned best = kNoVc;
  if (by_age()) {
    for (unsigned id = first; id != kNoVc; id = next[id])
      if (available(id) && (best == kNoVc || vcs_[id].older_than(vcs_[best]))) best = id;
    return best;
  }
  const unsigned c = switch_arbiter(out).next(rules_, requesting);
  const ClassArbiter::Class& turn = switch_arbiter(out)[c];
  unsigned least = ~0u;
  for (unsigned id = first; id != kNoVc; id = next[id]) {
    if (vcs_[id].message_class != c || !available(id)) continue;
    const unsigned in = s_.port_of(id);
    const unsigned ports = s_.ports(), vcs = s_.vcs();
    const unsigned behind = l_.crossbar_input_per_vc
                                ? turns_behind(id, turn.last_input, s_.ids())
                                : turns_behind(in, turn.last_input, ports) * (vcs + 1) +
                                      turns_behind(s_.vc_of(id), switch_arbiter(in)[c].last_vc, vcs);
    if (behind < least) {
      least = behind;
      best = id;
    }
  }
  return best;
}

bool PrecedenceMatching::accepts(unsigned in, unsigned id, unsigned other) const {
  if (by_age()) return vcs_[id].older_than(vcs_[other]);
  const unsigned mine = vcs_[id].message_class, its = vcs_[other].message_class;
  if ((mine == kControlClass) != (its == kControlClass)) return mine == kControlClass;
  if (rules_.arbitration == Arbitration::strict && rules_.priority(mine) != rules_.priority(its))
    return rules_.priority(mine) > rules_.priority(its);
  const unsigned last = s_.arbiter(in).switch_pointers.last_output;
  return turns_behind(s_.output_port(id), last, s_.ports()) <
         turns_behind(s_.output_port(other), last, s_.ports());
}

void PrecedenceMatching::match(unsigned id, bool first_iteration) {
  const unsigned in = s_.port_of(id), out = s_.output_port(id), c = vcs_[id].message_class;
  RouterScratch::PortMatch* const matches = l_.scratch.matches.data();
  switch_arbiter(out).grant(rules_, c, matches[out].requesting);
  if (l_.crossbar_input_per_vc) {
    switch_arbiter(out)[c].last_input = static_cast<std::uint16_t>(id);
    s_.arbiter(out).switch_pointers.last_vc = static_cast<std::uint16_t>(id);
    return;
  }
  matches[in].taken = true;
  switch_arbiter(in)[c].last_vc = static_cast<std::uint16_t>(s_.vc_of(id));
  s_.arbiter(in).switch_pointers.last_vc = static_cast<std::uint16_t>(id);
  if (!first_iteration) return;
  switch_arbiter(out)[c].last_input = static_cast<std::uint16_t>(in);
  s_.arbiter(out).switch_pointers.last_input = static_cast<std::uint16_t>(in);
  s_.arbiter(in).switch_pointers.last_output = static_cast<std::uint16_t>(out);
}

unsigned PrecedenceMatching::allocate_switch(const Word* asking, std::uint16_t* granted) {
  RouterScratch& scratch = l_.scratch;
  std::vector<std::uint16_t>& outputs = scratch.outputs;
  outputs.clear();
  for_each_bit(asking, static_cast<unsigned>(l_.vc_words), [&](unsigned id) {
    const unsigned out = s_.output_port(id);
    if (scratch.vc.first[out] == kNoVc) outputs.push_back(static_cast<std::uint16_t>(out));
    scratch.vc.next[id] = std::exchange(scratch.vc.first[out], static_cast<std::uint16_t>(id));
  });
  unsigned count = 0;
  const auto grant = [&](unsigned id, bool first_iteration) {
    match(id, first_iteration);
    granted[count++] = static_cast<std::uint16_t>(id);
  };
  const unsigned iterations = l_.crossbar_input_per_vc ? 1 : l_.allocator_iterations;
  for (unsigned iteration = 0; iteration < iterations; ++iteration) {
    const bool first = iteration == 0;
    scratch.offered.clear();
    for (const std::uint16_t out : outputs) {
      if (scratch.vc.first[out] == kNoVc) continue;  // matched
      const unsigned id = choice_of_output(out, first);
      if (id == kNoVc) continue;
      if (l_.crossbar_input_per_vc) {
        grant(id, first);
        continue;
      }
      const unsigned in = s_.port_of(id);
      std::uint16_t& offer = scratch.matches[in].offer;
      if (offer == kNoVc) scratch.offered.push_back(static_cast<std::uint16_t>(in));
      if (offer == kNoVc || accepts(in, id, offer)) offer = static_cast<std::uint16_t>(id);
    }
    if (scratch.offered.empty()) break;
    for (const std::uint16_t in : scratch.offered) {
      const unsigned id = std::exchange(scratch.matches[in].offer, kNoVc);
      grant(id, first);
      scratch.vc.first[s_.output_port(id)] = kNoVc;
    }
  }
  for (const std::uint16_t out : outputs) scratch.vc.first[out] = kNoVc;
  for (unsigned i = 0; i < count; ++i) scratch.matches[s_.port_of(granted[i])].taken = false;
  std::sort(granted, granted + count);
  return count;
}

unsigned PrecedenceMatching::next_request(std::span<VcRequest> requests, unsigned first, VcMask free,
                                          ClassSet& requesting) {
  const std::vector<std::uint16_t>& next = l_.scratch.vc.next;
  requesting = 0;
  unsigned best = kNoVc;
  for (unsigned i = first; i != kNoVc; i = next[i]) {
    if (!open(requests[i], free)) continue;
    const PrecedenceVc& head = vcs_[requests[i].input];
    requesting |= bit_of_class(head.message_class);
    if (best == kNoVc || head.older_than(vcs_[requests[best].input])) best = i;
  }
  if (best == kNoVc || by_age()) return best;
  const unsigned port = requests[first].port;
  const unsigned c = vc_arbiter(port).next(rules_, requesting);
  const unsigned last = vc_arbiter(port)[c].last_input;
  unsigned least = ~0u;
  for (unsigned i = first; i != kNoVc; i = next[i]) {
    if (!open(requests[i], free) || vcs_[requests[i].input].message_class != c) continue;
    const unsigned behind = turns_behind(requests[i].input, last, s_.ids());
    if (behind >= least) continue;
    least = behind;
    best = i;
  }
  return best;
}

void PrecedenceMatching::allocate_vcs(std::span<VcRequest> requests, RandomStream* random) {
  VcScratch& scratch = l_.scratch.vc;
  VcPointers* const pointers = s_.vc_pointers();
  const unsigned vcs = s_.vcs();
  for (std::size_t i = requests.size(); i-- > 0;) {
    VcRequest& r = requests[i];
    r.granted = kNoVc;
    scratch.request_of[r.input] = kNoVc;
    scratch.next[i] = std::exchange(scratch.first[r.port], static_cast<std::uint16_t>(i));
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const unsigned port = requests[i].port;
    const unsigned first = std::exchange(scratch.first[port], kNoVc);
    if (first == kNoVc) continue;  // served
    VcMask free = ~VcMask{0};
    ClassSet requesting = 0;
    next_request(requests, first, free, requesting);
    vc_arbiter(port).only(rules_, requesting);
    for (unsigned n = next_request(requests, first, free, requesting); n != kNoVc;
         n = next_request(requests, first, free, requesting)) {
      VcRequest& r = requests[n];
      const VcMask mine = r.vcs & free;
      const unsigned last = std::min(pointers[r.input].output - port * vcs, kWordBits - 1);
      unsigned vc = round_robin_behind(mine, last);
      if (random) {
        VcMask rest = mine;
        for (auto skip = random->below(static_cast<std::uint32_t>(std::popcount(mine))); skip > 0; --skip)
          rest &= rest - 1;
        vc = static_cast<unsigned>(std::countr_zero(rest));
      }
      free &= ~(VcMask{1} << vc);
      const unsigned c = vcs_[r.input].message_class;
      vc_arbiter(port).grant(rules_, c, requesting);
      vc_arbiter(port)[c].last_input = r.input;
      r.granted = static_cast<std::uint16_t>(port * vcs + vc);
      pointers[r.granted].input = r.input;
      pointers[r.input].output = r.granted;
      scratch.request_of[r.input] = static_cast<std::uint16_t>(n);
    }
  }
}

/// The virtual channel of a link that sends, of those whose front flits may leave.
unsigned choice_of_link(RouterState& state, unsigned port, VcMask ready) {
  const MessagePool& messages = state.layout().messages;
  const ClassRules& rules = state.layout().context.hardware.classes;
  const auto front = [&](unsigned vc) {
    const unsigned id = port * state.vcs() + vc;
    return precedence_of(messages, state.output_slot(id, state.output_buffer(id).first).flit.message);
  };
  if (rules.arbitration == Arbitration::oldest_first) {
    auto best = static_cast<unsigned>(std::countr_zero(ready));
    for (VcMask rest = ready & (ready - 1); rest; rest &= rest - 1)
      if (const auto vc = static_cast<unsigned>(std::countr_zero(rest)); front(vc).older_than(front(best)))
        best = vc;
    return best;
  }
  std::array<VcMask, kMessageClasses + 1> of_class{};
  ClassSet requesting = 0;
  for (VcMask rest = ready; rest; rest &= rest - 1) {
    const unsigned c = front(static_cast<unsigned>(std::countr_zero(rest))).message_class;
    of_class[c] |= rest & -rest;
    requesting |= bit_of_class(c);
  }
  ClassArbiter& arbiter = state.row<rows::PrecedenceLinks>()[port];
  arbiter.only(rules, requesting);
  const unsigned c = arbiter.next(rules, requesting);
  arbiter.grant(rules, c, requesting);
  const unsigned vc = round_robin_behind(of_class[c], arbiter[c].last_vc);
  arbiter[c].last_vc = static_cast<std::uint16_t>(vc);
  return vc;
}

}  // namespace

void Precedence::note(RouterState& state, unsigned id) {
  state.row<rows::PrecedenceVcs>()[id] = precedence_of(state.layout().messages, state.front(id).message);
}

unsigned Precedence::allocate_switch(RouterState& state, const Word* asking, std::uint16_t* granted) {
  return PrecedenceMatching(state).allocate_switch(asking, granted);
}

void Precedence::allocate_vcs(RouterState& state, std::span<VcRequest> requests, RandomStream* random) {
  PrecedenceMatching(state).allocate_vcs(requests, random);
}

unsigned Precedence::arbitrate_link(RouterState& state, Cycle t, unsigned port) {
  return OutputController::arbitrate_link(
      state, t, port, [&](VcMask ready, unsigned) { return choice_of_link(state, port, ready); });
}

}  // namespace flitmend
