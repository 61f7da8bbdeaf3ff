// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {

/// A preset as FCR needs it.
inline HardwareSettings atomic(const char* name) {
  HardwareSettings s = preset(name);
  s.router.vc_reallocation = "atomic";
  return s;
}

inline auto fcr_presets() {
  return testing::Values("iq", "sbrp", "kary-ncube");
}
inline std::string fcr_preset_name(const testing::TestParamInfo<const char*>& preset) {
  std::string name = preset.param;
  std::erase(name, '-');
  return name;
}

/// A line with FCR. In preset iq the head of a message sent in cycle 0 leaves in 1, crosses routers 0, 1, 2,
/// 3, 4 in 4, 9, 14, 19, 24, arrives at 1, 2, 3, 4 three cycles later, and is consumed in 28.
struct FcrLine : LineBench {
  explicit FcrLine(const char* preset = "iq", const RecoverySettings& recovery = {},
                   std::int64_t head_wait = 200)
      : LineBench(make(recovery, head_wait), atomic(preset)) {}
  static std::unique_ptr<RecoveryProtocol> make(const RecoverySettings& recovery, std::int64_t head_wait) {
    RoutingSettings routing;
    routing.head_wait_cycles = head_wait;
    return recovery_protocols().at("fcr").make(recovery, routing);
  }
  const Injector& injector() { return fabric.network_interface(0).injector; }
  /// The virtual channel on which node 0 sends; its number of virtual channels if it does not.
  unsigned sending_vc() {
    unsigned vc = 0;
    while (vc < state(0).vcs() && injector().sending(vc) == kNoMessage) ++vc;
    return vc;
  }
  bool sending() { return sending_vc() < state(0).vcs(); }
  /// The port through which messages from node 0 come.
  unsigned from(RouterId r) { return r == 0 ? fabric.router(0).local_port() : west(r); }
  /// Whether a line is high on the channel that leaves a router eastwards, for the next cycle.
  bool high(ControlLine line, RouterId r) {
    return fabric.channel(r, east(r))->arriving(line, fabric.cycles()) != 0;
  }
};

}  // namespace flitmend
