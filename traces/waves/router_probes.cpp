// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/router_probes.h"

#include <algorithm>
#include <systemc>

#include "rtl_tlm/registers/register_text.h"
#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/flit.h"
#include "topologies/topology.h"

namespace flitmend {

namespace {

// The short words are the hardware's; the colours are ours, one per value.
template <class Enum, std::size_t n>
WaveEnum words_of(std::string_view name, const std::string_view (&colours)[n]) {
  if (n != enum_words<Enum>().size())
    SC_REPORT_FATAL("flitmend/waves", "a value of an enumeration of waves has no colour");
  WaveEnum words{name, {}};
  for (const EnumWord& value : enum_words<Enum>())
    words.values.push_back({value.short_word, colours[words.values.size()]});
  return words;
}

}  // namespace

const WaveEnum& route_fsm_words() {
  static const WaveEnum words = words_of<RouteFsm>(
      "route_fsm", {"Gray25", "DarkGoldenrod4", "DarkGreen", "Red4", "DarkOrchid4", "Navy"});
  return words;
}

const WaveEnum& pipeline_stage_words() {
  static const WaveEnum words =
      words_of<PipelineStage>("stage", {"Gray25", "Navy", "DarkOrange4", "DarkCyan"});
  return words;
}

const WaveEnum& flit_kind_words() {
  static const WaveEnum words =
      words_of<FlitKind>("flit_kind", {"Gray25", "DarkGreen", "SteelBlue4", "SaddleBrown", "DarkOliveGreen",
                                       "Red4", "DarkOrchid4", "Navy", "Gray50"});
  return words;
}

namespace {

constexpr WaveColour kHeadColour = WaveColour::yellow, kFlitColour = WaveColour::orange;

}  // namespace

RouterProbes::RouterProbes(WaveRecorder& recorder, const Topology& topology) : recorder_(recorder) {
  constexpr NodeId kMostNames = 4096;  // beyond that, numbers: the names would be a file of their own
  node_words_.name = "node";
  if (topology.node_count() > kMostNames) return;
  for (NodeId node = 0; node < topology.node_count(); ++node)
    node_words_.values.push_back({texts_.emplace_back(place_name(topology, node)), ""});
}

const RouterProbes::PortWords& RouterProbes::words_of(const Router& router) {
  std::string all;
  for (unsigned port = 0; port < router.port_count(); ++port) all += port_name(router.state(), port) + ' ';
  PortWords& words = port_words_[all];
  if (!words.ports.values.empty()) return words;
  const std::string suffix = port_words_.size() > 1 ? "_" + std::to_string(port_words_.size()) : "";
  words.ports.name = texts_.emplace_back("port" + suffix);
  words.vcs.name = texts_.emplace_back("router_vc" + suffix);
  static constexpr std::string_view kColours[] = {"Navy",     "Purple4", "DarkGreen",     "Sienna4",
                                                  "DarkCyan", "Maroon",  "DarkSlateBlue", "DarkOliveGreen"};
  for (unsigned port = 0; port < router.port_count(); ++port) {
    const std::string_view colour = kColours[port % std::size(kColours)];
    const std::string& name = texts_.emplace_back(port_name(router.state(), port));
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
    case RegisterForm::ids:
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
      if (node_words_.values.empty()) return SignalKind::integer(width, kHeadColour);
      // GTKWave has no words for a signal of one bit.
      return {std::max(2u, node_words_.width()), SignalKind::Format::words, kHeadColour, &node_words_};
    case RegisterForm::message_id:
      return SignalKind::integer(width, kHeadColour);
  }
  return SignalKind::integer(width);
}

}  // namespace flitmend
