// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/router_probes.h"

#include <algorithm>

#include "traces/waves/hardware_words.h"

namespace flitmend {
namespace {

constexpr Word bits(unsigned count) {
  return low_bits(count);
}

// Source, destination and id of a message, or three absent values.
Word read_message(const MessagePool& messages, MessageIndex index, Word* values) {
  if (index == kNoMessage) {
    values[0] = values[1] = values[2] = 0;
    return 0;
  }
  const Message& m = messages[index];
  values[0] = m.source;
  values[1] = m.destination;
  values[2] = m.id;
  return bits(3);
}

const char* name_of(ControlLine line) {
  switch (line) {
    case ControlLine::forward_kill:
      return "forward_kill";
    case ControlLine::pad:
      return "pad";
    case ControlLine::backward_kill:
      return "backward_kill";
    case ControlLine::copied:
      return "copied";
    case ControlLine::freed:
      return "freed";
    case ControlLine::tail_gone:
      return "tail_gone";
    case ControlLine::resynchronise:
      return "resynchronise";
    case ControlLine::acknowledgement:
      return "acknowledgement";
  }
  return "line";
}

std::string vc_name(unsigned vc) {
  return "vc" + std::to_string(vc);
}

constexpr WaveColour kHead = WaveColour::yellow, kFlit = WaveColour::orange, kCount = WaveColour::standard;

}  // namespace

RouterProbes::RouterProbes(WaveRecorder& recorder, const NetworkContext& context)
    : recorder_(recorder), context_(context) {
  node_ = SignalKind::integer(width_of(context.topology.node_count() - 1), kHead);
}

// An input virtual channel as a word: "east.vc1".
const WaveEnum& RouterProbes::input_vc_words(const Router& router) {
  std::vector<std::string> names;
  std::string all;
  for (unsigned port = 0; port < router.port_count(); ++port) {
    names.push_back(router.input(port).basename());
    all += names.back() + ' ';
  }
  WaveEnum& words = input_vc_words_[all];
  if (!words.values.empty()) return words;
  const std::string suffix = input_vc_words_.size() > 1 ? "_" + std::to_string(input_vc_words_.size()) : "";
  words.name = texts_.emplace_back("input_vc" + suffix);
  static constexpr std::string_view kColours[] = {"Navy",     "Purple4", "DarkGreen",     "Sienna4",
                                                  "DarkCyan", "Maroon",  "DarkSlateBlue", "DarkOliveGreen"};
  for (unsigned port = 0; port < router.port_count(); ++port)
    for (unsigned vc = 0; vc < router.state().vcs(); ++vc)
      words.values.push_back(
          {texts_.emplace_back(names[port] + "." + vc_name(vc)), kColours[port % std::size(kColours)]});
  return words;
}

Word RouterProbes::Vc::read(const Vc& p, Word* values) {
  const InputVcState& vc = p.state->input(p.id);
  const RouteFsm fsm = p.state->route_fsm(p.id);
  const PipelineStage stage = p.state->stage(p.id);
  const bool idle = fsm == RouteFsm::idle;
  if (vc.count > 0)
    p.message = p.state->front(p.id).message;
  else if (idle)
    p.message = kNoMessage;
  const bool holds = vc.output != kNoVc;
  values[0] = static_cast<Word>(fsm);
  // A head that has got its virtual channel stays in that stage for the rest of the cycle.
  const bool allocating = stage == PipelineStage::switch_allocation && p.state->route(p.id).ready > *p.now;
  values[1] = static_cast<Word>(allocating ? PipelineStage::vc_allocation : stage);
  values[2] = holds ? p.state->output(vc.output).credits : 0;
  values[3] = vc.count;
  values[4] = vc.flits_sent;
  const Word head = read_message(*p.messages, p.message, values + 5);
  return (bits(5) & ~(Word{!holds} << 2)) | head << 5;
}

Word RouterProbes::Vc::read_head_copy(const Vc& p, Word* values) {
  const bool used = p.state->route_fsm(p.id) != RouteFsm::idle;
  const HeadCopy& copy = p.state->head_copy(p.id);
  const bool there = used && copy.message != kNoMessage;
  values[3] = there ? copy.word : 0;
  return read_message(*p.messages, there ? copy.message : kNoMessage, values) | Word{there} << 3;
}

Word RouterProbes::Vc::read_output(const Vc& p, Word* values) {
  const OutputVcState& out = p.state->output(p.id);
  const bool owned = out.owner != kNoVc;
  values[0] = owned ? out.owner : 0;
  values[1] = out.credits;
  values[2] = p.state->output_flits(p.id);
  return Word{owned} | 0b110;
}

Word RouterProbes::Port::read(const Port& p, Word* values) {
  const PortState& port = p.state->port(p.port);
  const bool granted = port.granted_at() == *p.now;
  values[0] = granted ? port.granted_input() : 0;
  values[1] = p.state->arbiter(p.port).faulty;
  return Word{granted} | 0b10;
}

Word RouterProbes::Wire::read_flit(const Wire& p, Word* values) {
  const Flit* flit = p.channel->arriving(*p.now + 1);
  if (!flit) {
    std::fill_n(values, 6, 0);
    return 1;  // the kind says "none"
  }
  values[0] = static_cast<Word>(flit->kind);
  values[1] = flit->vc;
  values[2] = is_head(flit->kind) ? (*p.messages)[flit->message].head_state : flit->number;
  return bits(3) | read_message(*p.messages, flit->message, values + 3) << 3;
}

Word RouterProbes::Wire::read_line(const Wire& p, Word* values) {
  values[0] = p.channel->arriving(p.line, *p.now + 1);
  return 1;
}

Word RouterProbes::Interface::read_sent(const Interface& p, Word* values) {
  const Injector& injector = p.interface->injector;
  values[0] = injector.waiting_at(*p.now);
  if (injector.last_flit_at() != *p.now) {
    std::fill_n(values + 1, 5, 0);
    return 0b11;
  }
  const Flit& flit = injector.last_flit();
  const Message& message = (*p.messages)[flit.message];
  values[1] = static_cast<Word>(flit.kind);
  values[2] = flit.vc;
  values[3] = injector.last_word();
  values[4] = message.destination;
  values[5] = message.id;
  return bits(6);
}

Word RouterProbes::Interface::read_received(const Interface& p, Word* values) {
  const Receiver& receiver = p.interface->receiver;
  if (receiver.last_flit_at() != *p.now) {
    std::fill_n(values, 5, 0);
    return 1;
  }
  const Flit& flit = receiver.last_flit();
  values[0] = static_cast<Word>(flit.kind);
  values[1] = flit.vc;
  values[2] = receiver.last_word();
  values[3] = receiver.last_source();
  values[4] = receiver.last_id();
  return bits(5);
}

Word RouterProbes::Interface::read_lane(const Interface& p, Word* values) {
  const Injector& injector = p.interface->injector;
  const MessageIndex sending = injector.sending(p.vc);
  values[3] = injector.credits(p.vc);
  if (sending == kNoMessage) {
    std::fill_n(values, 3, 0);
    return 0b1000;
  }
  const Message& message = (*p.messages)[sending];
  values[0] = message.destination;
  values[1] = message.id;
  values[2] = injector.next_flit(p.vc);
  return bits(4);
}

void RouterProbes::add_port(ScopeId scope, const Router& router, unsigned port) {
  const RouterState& state = router.state();
  const SignalKind count = SignalKind::integer(width_of(state.layout().input_buffer), kCount);
  const SignalKind words = SignalKind::enumeration(input_vc_words(router));
  const WaveRecorder::Field vc_fields[] = {{"route_fsm", SignalKind::enumeration(route_fsm_words())},
                                           {"stage", SignalKind::enumeration(pipeline_stage_words())},
                                           {"credits", count},
                                           {"input_buffer", count},
                                           {"flit_counter", SignalKind::integer(16, kCount)},
                                           {"head.source", node_},
                                           {"head.destination", node_},
                                           {"head.id", SignalKind::integer(32, kHead)}};
  const WaveRecorder::Field copy_fields[] = {{"head_copy.source", node_},
                                             {"head_copy.destination", node_},
                                             {"head_copy.id", SignalKind::integer(32, kHead)},
                                             {"head_copy.word", SignalKind::integer(64, kHead)}};
  for (unsigned vc = 0; vc < state.vcs(); ++vc) {
    const Vc& probe =
        vcs_.emplace_back(Vc{&state, &context_.messages, &now_, port * state.vcs() + vc, kNoMessage});
    const ScopeId place = below(scope, vc_name(vc));
    recorder_.add_record<&Vc::read>(group_, place, vc_fields, &probe);
    if (state.layout().has_head_copies)
      recorder_.add_record<&Vc::read_head_copy>(group_, place, copy_fields, &probe);
  }
  // Fields that the hardware does not have are left out: they stand last.
  const WaveRecorder::Field output_fields[] = {
      {"owner", words},
      {"credits", count},
      {"output_buffer", SignalKind::integer(width_of(state.layout().output_buffer))}};
  const std::span used(output_fields, state.layout().output_buffer > 0 ? 3u : 2u);
  if (!router.output(port).unlimited())
    for (unsigned vc = 0; vc < state.vcs(); ++vc)
      recorder_.add_record<&Vc::read_output>(
          group_, below(scope, "output." + vc_name(vc)), used,
          &vcs_.emplace_back(Vc{&state, &context_.messages, &now_, port * state.vcs() + vc, kNoMessage}));
  const WaveRecorder::Field port_fields[] = {{"output.granted_input", words},
                                             {"faulty", SignalKind::bit(WaveColour::red)}};
  recorder_.add_record<&Port::read>(group_, scope, port_fields,
                                    &ports_.emplace_back(Port{&state, port, &now_}));
}

std::vector<WaveRecorder::Field> RouterProbes::flit_fields() const {
  return {{"kind", SignalKind::enumeration(flit_kind_words())},
          {"vc", SignalKind::integer(width_of(context_.hardware.vcs - 1), kFlit)},
          {"word", SignalKind::integer(64, kFlit)},
          {"source", node_},
          {"destination", node_},
          {"id", SignalKind::integer(32, kHead)}};
}

SignalId RouterProbes::add_flit(ScopeId scope, const Channel& channel) {
  const Wire& probe = wires_.emplace_back(Wire{&channel, &context_.messages, &now_, {}});
  return recorder_.add_record<&Wire::read_flit>(group_, scope, flit_fields(), &probe);
}

void RouterProbes::add_flit_alias(ScopeId scope, SignalId flit) {
  recorder_.add_alias(scope, flit, flit_fields());
}

void RouterProbes::add_control_lines(ScopeId scope, const Channel& channel, bool forward) {
  for (unsigned i = 0; i < kControlLines; ++i) {
    const auto line = static_cast<ControlLine>(i);
    if (!channel.has(line) || with_flits(line) != forward) continue;
    const WaveRecorder::Field field[] = {
        {name_of(line), {context_.hardware.vcs, SignalKind::Format::binary, WaveColour::red, nullptr}}};
    recorder_.add_record<&Wire::read_line>(
        group_, scope, field, &wires_.emplace_back(Wire{&channel, &context_.messages, &now_, line}));
  }
}

void RouterProbes::add_interface(ScopeId scope, const NetworkInterface& interface) {
  const SignalKind kind = SignalKind::enumeration(flit_kind_words());
  const SignalKind vc = SignalKind::integer(width_of(context_.hardware.vcs - 1), kFlit);
  const SignalKind word = SignalKind::integer(64, kFlit), id = SignalKind::integer(32, kHead);
  const WaveRecorder::Field sent[] = {{"source_queue", SignalKind::integer(32, kCount)},
                                      {"flit.kind", kind},
                                      {"flit.vc", vc},
                                      {"flit.word", word},
                                      {"flit.destination", node_},
                                      {"flit.id", id}};
  const WaveRecorder::Field lane[] = {
      {"destination", node_},
      {"id", id},
      {"next_flit", SignalKind::integer(16, kCount)},
      {"credits", SignalKind::integer(width_of(context_.hardware.input_buffer))}};
  const WaveRecorder::Field received[] = {
      {"flit.kind", kind}, {"flit.vc", vc}, {"flit.word", word}, {"flit.source", node_}, {"flit.id", id}};
  const auto probe = [&](unsigned v) {
    return &interfaces_.emplace_back(Interface{&interface, &context_.messages, &now_, v});
  };
  const ScopeId injector = below(scope, "injector");
  recorder_.add_record<&Interface::read_sent>(group_, injector, sent, probe(0));
  // Where messages leave straight into the router's buffers, those are the credits.
  const std::span used(lane, interface.injection_channel() ? 4u : 3u);
  for (unsigned v = 0; v < context_.hardware.vcs; ++v)
    recorder_.add_record<&Interface::read_lane>(group_, below(injector, vc_name(v)), used, probe(v));
  recorder_.add_record<&Interface::read_received>(group_, below(scope, "receiver"), received, probe(0));
}

}  // namespace flitmend
