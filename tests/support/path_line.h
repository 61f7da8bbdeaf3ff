// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>

#include "rtl_tlm/mechanisms/circuits/circuit_registers.h"
#include "support/line_bench.h"

namespace flitmend {

inline HardwareSettings pipelined(HardwareSettings hardware = preset("iq")) {
  hardware.router.switching = "pipelined-circuit";
  return hardware;
}

/// The register of that name of the circuit through an input virtual channel.
inline std::uint64_t circuit_register(const RouterState& state, unsigned id, std::string_view name) {
  const auto entry = std::find_if(std::begin(kCircuitRegisters), std::end(kCircuitRegisters),
                                  [&](const auto& e) { return e.name == name; });
  const VirtualChannel vc(state, id);
  EXPECT_TRUE(entry->present.holds(vc)) << name;
  return entry->read(vc).value_or(~std::uint64_t{0});
}

/// A line of five routers with pipelined circuits. In preset iq the head of a message sent in cycle c crosses
/// router r in cycle c + 4 + 5r.
struct PathLine : LineBench {
  explicit PathLine(const HardwareSettings& hardware = pipelined()) : LineBench(nullptr, hardware) {}

  /// The only input virtual channel that is not idle at a router; kNoVc: there is none.
  unsigned busy(RouterId r) {
    unsigned found = kNoVc;
    for (unsigned id = 0; id < state(r).ids(); ++id)
      if (state(r).route_fsm(id) != RouteFsm::idle) {
        EXPECT_EQ(found, unsigned{kNoVc}) << "router " << r << " has two";
        found = id;
      }
    return found;
  }
  std::uint64_t read(RouterId r, unsigned id, std::string_view name) {
    return circuit_register(state(r), id, name);
  }
  std::uint64_t sent_east(RouterId r) { return state(r).port(east(r)).flits_sent; }
};

}  // namespace flitmend
