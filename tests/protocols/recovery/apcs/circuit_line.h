// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "protocols/recovery/registry.h"
#include "rtl_tlm/fabric/control_line_pulses.h"
#include "support/line_bench.h"

namespace flitmend {

inline std::unique_ptr<RecoveryProtocol> apcs_with(std::int64_t scouting, std::int64_t retry_limit = 16) {
  RecoverySettings s;
  s.options.set("scouting", scouting);
  s.retry_limit = retry_limit;
  return recovery_protocols().at("apcs").make(s, {});
}

/// A line of five routers with APCS. In preset iq the head of a message sent in cycle 0 leaves in 1, crosses
/// routers 0, 1, 2, 3, 4 in 4, 9, 14, 19, 24, and arrives at 1, 2, 3, 4 three cycles later.
struct CircuitLine : LineBench {
  explicit CircuitLine(const char* preset_name, std::int64_t scouting = 0, std::int64_t retry_limit = 16)
      : LineBench(apcs_with(scouting, retry_limit), preset(preset_name)) {}

  unsigned local(RouterId r) { return fabric.router(r).local_port(); }
  /// The port through which messages from node 0 come.
  unsigned from(RouterId r) { return r == 0 ? local(r) : west(r); }
  /// The only circuit from node 0 through a router, by its input virtual channel; kNoVc: there is none.
  unsigned circuit(RouterId r) {
    for (unsigned vc = 0; vc < state(r).vcs(); ++vc)
      if (state(r).route_fsm(from(r) * state(r).vcs() + vc) != RouteFsm::idle)
        return from(r) * state(r).vcs() + vc;
    return kNoVc;
  }
  /// Circuits that start at a node.
  unsigned started(NodeId node) {
    unsigned count = 0;
    for (unsigned vc = 0; vc < state(node).vcs(); ++vc)
      count += fabric.network_interface(node).injector.path(vc) != kNoMessage;
    return count;
  }
};

}  // namespace flitmend
