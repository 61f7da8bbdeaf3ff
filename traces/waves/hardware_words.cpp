// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/hardware_words.h"

#include <iterator>
#include <systemc>

#include "rtl_tlm/flit.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {
namespace {

// Short words, so that a viewer has room for them in a state that lasts a single cycle, and colours: a pair
// for each value. docs/waves.md says what the words stand for.
template <class Enum, std::size_t n>
WaveEnum words_of(std::string_view name, const WaveEnum::Value (&values)[n]) {
  sc_assert(n == enum_words<Enum>().size());
  return {name, {std::begin(values), std::end(values)}};
}

}  // namespace

const WaveEnum& route_fsm_words() {
  static const WaveEnum words = words_of<RouteFsm>(
      "route_fsm", {{"IDL", "Gray25"}, {"REQ", "DarkGoldenrod4"}, {"ACT", "DarkGreen"}, {"ABS", "Red4"}});
  return words;
}

const WaveEnum& pipeline_stage_words() {
  static const WaveEnum words = words_of<PipelineStage>(
      "stage", {{"-", "Gray25"}, {"RC", "Navy"}, {"VA", "DarkOrange4"}, {"SA", "DarkCyan"}});
  return words;
}

const WaveEnum& flit_kind_words() {
  static const WaveEnum words = words_of<FlitKind>("flit_kind", {{"-", "Gray25"},
                                                                 {"H", "DarkGreen"},
                                                                 {"D", "SteelBlue4"},
                                                                 {"T", "SaddleBrown"},
                                                                 {"HT", "DarkOliveGreen"},
                                                                 {"BT", "Red4"}});
  return words;
}

}  // namespace flitmend
