// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/hit_phase.h"

#include "rtl_tlm/mechanisms/circuits/circuits.h"

namespace flitmend {

std::optional<HitPhase> hit_phase_named(const std::string& name) {
  for (std::size_t i = 0; i < kHitPhases.size(); ++i)
    if (name == kHitPhases[i]) return static_cast<HitPhase>(i);
  return std::nullopt;
}

std::string hit_phase_names() {
  std::string names;
  for (const char* name : kHitPhases) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

std::optional<HitPhase> phase_of_packet(const MessagePool& messages, MessageIndex index, bool again) {
  const Message& packet = messages[index];
  if (packet.kind == MessageKind::control) return HitPhase::control;
  if (again) return HitPhase::absorption;
  if (packet.original == kNoMessage) return std::nullopt;
  // A copy may be on the way although the message has arrived.
  if (messages[packet.original].hit || messages.fields(packet.original).delivered)
    return HitPhase::retransmission;
  return std::nullopt;
}

HitPhase phase_of_flits(const Doom& doom) {
  return doom.head ? HitPhase::head : doom.tail ? HitPhase::tail : HitPhase::body;
}

namespace {

class Survey {
 public:
  explicit Survey(Fabric& fabric) : fabric_(fabric) {}

  void router(RouterId id) {
    const RouterState state = fabric_.router(id).state();
    for (unsigned vc = 0; vc < state.ids(); ++vc) {
      input_buffer(state, vc);
      output_buffer(state, vc);
      const MessageIndex message = message_at(state, vc);
      if (message != kNoMessage) found_[message].path = true;
    }
    for (PortId port = 0; port < fabric_.topology().port_count(id); ++port) {
      link(id, port);
      if (const auto far = fabric_.topology().neighbour(id, port)) link(far->router, far->port);
    }
    if (id < fabric_.node_count()) interface(fabric_.network_interface(id));
  }

  /// The channel that leaves a router at a port, and the virtual channels at both its ends.
  void link(RouterId from, PortId port) {
    const auto far = fabric_.topology().neighbour(from, port);
    if (!far) return;
    flits_on(fabric_.channel(from, port));
    const RouterState before = fabric_.router(from).state();
    for (unsigned vc = 0; vc < before.vcs(); ++vc) output_buffer(before, port * before.vcs() + vc);
    for (unsigned id = 0; id < before.ids(); ++id) {
      const InputVcState& input = before.input(id);
      if (input.output == kNoVc || before.output_port(id) != port || input.flits_sent == 0) continue;
      found_[message_at(before, id)].path = true;
    }
    const Router& after = fabric_.router(far->router);
    for (unsigned vc = 0; vc < before.vcs(); ++vc) {
      const unsigned id = far->port * before.vcs() + vc;
      if (!after.awaits_tail(id)) continue;
      found_[after.last_flit(id).message].path = true;
    }
  }

  std::map<MessageIndex, Doom> take() {
    found_.erase(kNoMessage);
    return std::move(found_);
  }

 private:
  /// The message in a virtual channel. A circuit is held after its tail has left.
  static MessageIndex message_at(const RouterState& state, unsigned id) {
    const VirtualChannel vc(state, id);
    return state.layout().holds_paths && vc.path_held() ? Circuits::packet(state, id) : vc.message();
  }
  void flit(const Flit& flit) {
    Doom& doom = found_[flit.message];
    if (is_head(flit.kind))
      doom.head = true;
    else if (is_tail(flit.kind))
      doom.tail = true;
    else
      doom.data = true;
  }
  void flits_on(const Channel* channel) {
    if (channel) channel->for_each_flit_underway([&](const Flit& f) { flit(f); });
  }
  void input_buffer(const RouterState& state, unsigned id) {
    const InputVcState& vc = state.input(id);
    const auto depth = static_cast<unsigned>(state.layout().input_slots);
    for (unsigned i = 0; i < vc.count; ++i) flit(state.input_buffer_at(id, (vc.first + i) % depth));
  }
  void output_buffer(RouterState state, unsigned id) {
    const auto depth = static_cast<unsigned>(state.layout().output_buffer);
    if (depth == 0) return;
    const OutputBufferState buffer = state.output_buffer(id);
    for (unsigned i = 0; i < buffer.count; ++i) flit(state.output_slot(id, (buffer.first + i) % depth).flit);
  }
  void interface(const NetworkInterface& interface) {
    flits_on(interface.injection_channel());
    flits_on(interface.ejection_channel());
    interface.receiver.for_each_flit_underway([&](const Flit& f) { flit(f); });
    for (unsigned vc = 0; vc < fabric_.context().hardware.router.virtual_channels; ++vc) {
      const MessageIndex message = interface.injector.sending(vc);
      if (message != kNoMessage && interface.injector.next_flit(vc) > 0) found_[message].path = true;
    }
  }

  Fabric& fabric_;
  std::map<MessageIndex, Doom> found_;
};

}  // namespace

std::map<MessageIndex, Doom> doomed_messages(Fabric& fabric, const FaultyPart& part) {
  Survey survey(fabric);
  if (part.is_router())
    survey.router(part.router);
  else
    survey.link(part.router, part.port);
  return survey.take();
}

}  // namespace flitmend
