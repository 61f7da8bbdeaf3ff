// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/router_probes.h"

#include <algorithm>

#include "traces/waves/hardware_words.h"

namespace flitmend {
namespace {

constexpr WaveColour kHeadColour = WaveColour::yellow, kFlitColour = WaveColour::orange;

std::string vc_name(unsigned vc) {
  return "vc" + std::to_string(vc);
}

}  // namespace

const RouterProbes::PortWords& RouterProbes::words_of(const Router& router) {
  std::string all;
  for (unsigned port = 0; port < router.port_count(); ++port)
    all += std::string(router.input(port).basename()) + ' ';
  PortWords& words = port_words_[all];
  if (!words.ports.values.empty()) return words;
  const std::string suffix = port_words_.size() > 1 ? "_" + std::to_string(port_words_.size()) : "";
  words.ports.name = texts_.emplace_back("port" + suffix);
  words.vcs.name = texts_.emplace_back("router_vc" + suffix);
  static constexpr std::string_view kColours[] = {"Navy",     "Purple4", "DarkGreen",     "Sienna4",
                                                  "DarkCyan", "Maroon",  "DarkSlateBlue", "DarkOliveGreen"};
  for (unsigned port = 0; port < router.port_count(); ++port) {
    const std::string_view colour = kColours[port % std::size(kColours)];
    const std::string& name = texts_.emplace_back(router.input(port).basename());
    words.ports.values.push_back({name, colour});
    for (unsigned vc = 0; vc < router.state().vcs(); ++vc)
      words.vcs.values.push_back({texts_.emplace_back(name + "." + vc_name(vc)), colour});
  }
  return words;
}

SignalKind RouterProbes::kind_of(RegisterForm form, unsigned width, const Router& router) {
  switch (form) {
    case RegisterForm::number:
    case RegisterForm::flits:
    case RegisterForm::candidates:
      break;
    case RegisterForm::bit:
      return SignalKind::bit();
    case RegisterForm::fault:
      return SignalKind::bit(WaveColour::red);
    case RegisterForm::mask:
      return {width, SignalKind::Format::binary, WaveColour::red, nullptr};
    case RegisterForm::route_fsm:
      return SignalKind::enumeration(route_fsm_words());
    case RegisterForm::stage:
      return SignalKind::enumeration(pipeline_stage_words());
    case RegisterForm::flit_kind:
      return SignalKind::enumeration(flit_kind_words());
    case RegisterForm::vc:
    case RegisterForm::word:
      return SignalKind::integer(width, kFlitColour);
    case RegisterForm::port:
      return SignalKind::enumeration(words_of(router).ports);
    case RegisterForm::router_vc:
      return SignalKind::enumeration(words_of(router).vcs);
    case RegisterForm::node:
    case RegisterForm::message_id:
      return SignalKind::integer(width, kHeadColour);
  }
  return SignalKind::integer(width);
}

template <class Entries, class Owner>
std::vector<WaveRecorder::Field> RouterProbes::fields_of(const Entries& entries, const Router& router,
                                                         const Owner& owner) {
  std::vector<WaveRecorder::Field> fields;
  for (const auto& entry : entries) {
    fields.push_back({entry.name, {}});
    if (entry.readable(owner))
      fields.back().kind = kind_of(entry.form, register_width(entry, owner), router);
    else
      fields.back().kind.width = 0;
  }
  return fields;
}

template <const auto& kEntries, class Owner>
SignalId RouterProbes::add(ScopeId scope, const Router& router, const Owner& owner) {
  const auto fields = fields_of(kEntries, router, owner);
  if (std::none_of(fields.begin(), fields.end(), [](const auto& f) { return f.kind.width > 0; })) return 0;
  const Owner& kept = std::get<std::deque<Owner>>(owners_).emplace_back(owner);
  return recorder_.add_record<&read_registers<kEntries, Owner>>(group_, scope, fields, &kept);
}

void RouterProbes::add_port(ScopeId scope, const Router& router, unsigned port) {
  const RouterState& state = router.state();
  const unsigned first = port * state.vcs();
  for (unsigned vc = 0; vc < state.vcs(); ++vc)
    add<kInputVcRegisters>(below(scope, vc_name(vc)), router, VirtualChannel(state, first + vc));
  const ScopeId output = below(scope, "output");
  if (state.layout().allocates_outputs(port))
    for (unsigned vc = 0; vc < state.vcs(); ++vc)
      add<kOutputVcRegisters>(below(output, vc_name(vc)), router, OutputVirtualChannel(state, first + vc));
  add<kOutputRegisters>(output, router, PortView(state, port));
  add<kPortRegisters>(scope, router, PortView(state, port));
}

SignalId RouterProbes::add_flit(ScopeId scope, const Channel& channel, const Router& reader) {
  return add<kFlitRegisters>(scope, reader, ChannelEnd(&channel, reader.state().layout()));
}

void RouterProbes::add_flit_alias(ScopeId scope, SignalId flit, const Channel& channel,
                                  const Router& reader) {
  recorder_.add_alias(scope, flit,
                      fields_of(kFlitRegisters, reader, ChannelEnd(&channel, reader.state().layout())));
}

void RouterProbes::add_forward_lines(ScopeId scope, const Channel& channel, const Router& reader) {
  add<kForwardLines>(scope, reader, ChannelEnd(&channel, reader.state().layout()));
}

void RouterProbes::add_backward_lines(ScopeId scope, const Channel& channel, const Router& writer) {
  add<kBackwardLines>(scope, writer, ChannelEnd(&channel, writer.state().layout()));
}

void RouterProbes::add_interface(ScopeId scope, const NetworkInterface& interface, const Router& router) {
  const RouterLayout& layout = router.state().layout();
  const ScopeId injector = below(scope, "injector");
  add<kInjectorRegisters>(injector, router, InterfacePart(&interface, layout));
  for (unsigned vc = 0; vc < layout.vcs; ++vc)
    add<kInjectorVcRegisters>(below(injector, vc_name(vc)), router, InterfacePart(&interface, layout, vc));
  add<kReceiverRegisters>(below(scope, "receiver"), router, InterfacePart(&interface, layout));
}

}  // namespace flitmend
