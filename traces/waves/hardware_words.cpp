// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/hardware_words.h"

#include "rtl_tlm/flit.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {
namespace {

// The words are those of to_string; the colours say the rest. One colour a value, the last value's enumerator
// given as `last` so that a value without a colour does not compile away unseen.
template <class Enum, std::size_t n>
WaveEnum words_of(std::string_view name, Enum last, const std::string_view (&colours)[n]) {
  WaveEnum words{name, {}};
  for (std::size_t value = 0; value <= static_cast<std::size_t>(last); ++value)
    words.values.push_back({to_string(static_cast<Enum>(value)), colours[value % n]});
  return words;
}

}  // namespace

const WaveEnum& route_fsm_words() {
  static const WaveEnum words =
      words_of("route_fsm", RouteFsm::absorb, {"Gray25", "DarkGoldenrod4", "DarkGreen", "Red4"});
  return words;
}

const WaveEnum& pipeline_stage_words() {
  static const WaveEnum words =
      words_of("stage", PipelineStage::switch_allocation, {"Gray25", "Navy", "DarkOrange4", "DarkCyan"});
  return words;
}

const WaveEnum& flit_kind_words() {
  static const WaveEnum words =
      words_of("flit_kind", FlitKind::broken_tail,
               {"Gray25", "DarkGreen", "SteelBlue4", "SaddleBrown", "DarkOliveGreen", "Red4"});
  return words;
}

}  // namespace flitmend
