// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/mechanisms/narrow_links/narrow_links.h"

#include "base/text.h"

namespace flitmend {

void NarrowLinks::connect(RouterState& state, unsigned port, const Channel& channel) {
  CyclePath& path = state.header().path;
  if (path == CyclePath::plain) path = CyclePath::one_word;
  if (path >= CyclePath::of_mechanism) path = CyclePath::any;
  const bool knows = path == CyclePath::one_word || path == CyclePath::any || path == CyclePath::ordered ||
                     path == CyclePath::foreign;
  if (!built(state.layout()) || !knows)
    SC_REPORT_FATAL("flitmend/channel",
                    formatted("%1%: output %2%: its channel takes a flit every %3% cycles, but the router "
                              "may send one per cycle; see HardwareParameters::fit",
                              state.name(), port, channel.flit_cycles())
                        .c_str());
  link(state, port).flit_cycles = channel.flit_cycles();
}

}  // namespace flitmend
