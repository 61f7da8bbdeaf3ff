// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/hardware_words.h"

#include <systemc>

#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/flit.h"

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

}  // namespace flitmend
