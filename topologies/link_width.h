// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "topologies/topology.h"

namespace flitmend {

/// Cycles for which a flit of that many bits occupies a link that carries `width` bits per cycle: ceil(flit /
/// width). 1 if the width is 0, which means that of a flit, or if the link is wider than a flit.
constexpr unsigned cycles_per_flit(unsigned width, unsigned flit_bits) {
  return width == 0 || width >= flit_bits ? 1 : (flit_bits + width - 1) / width;
}

/// A port whose link takes the most cycles per flit; none if every link carries one flit per cycle.
std::optional<RouterPort> narrowest_link(const Topology&, unsigned flit_bits);

}  // namespace flitmend
