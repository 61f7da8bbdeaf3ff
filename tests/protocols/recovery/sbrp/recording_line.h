// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "support/line_bench.h"
#include "support/recording_ends.h"

namespace flitmend {

struct RecordedLog {
  RecoveryLog log;
};

/// A line with the routers of SBRP-0 and SBRP-1; its ends only record what they are told. In preset iq the
/// head of a message sent in cycle 0 leaves in 1, crosses routers 0, 1, 2, 3, 4 in 4, 9, 14, 19, 24, arrives
/// at 1, 2, 3, 4 three cycles later, and is consumed in 28.
struct RecordingLine : RecordedLog, LineBench {
  explicit RecordingLine(const HardwareSettings& hardware = preset("iq"), unsigned head_wait = 200)
      : LineBench(std::make_unique<RecordingProtocol>(head_wait, log), hardware) {}

  /// The port towards node 4: at router 4 that of its interface.
  unsigned onward(RouterId r) { return r == 4 ? fabric.router(4).local_port() : east(r); }
  VcMask lingering(RouterId r) { return TailSignals::at_port(state(r), onward(r)).lingering; }
  VcMask owed(RouterId r) {
    return TailSignals::at_port(state(r), r == 0 ? fabric.router(0).local_port() : west(r)).owed;
  }
  unsigned crossed(RouterId r) {
    unsigned most = 0;
    for (unsigned vc = 0; vc < state(r).vcs(); ++vc)
      most = std::max<unsigned>(most, state(r).input(west(r) * state(r).vcs() + vc).flits_sent);
    return most;
  }
  /// One request only, for the first message of node 0.
  void expect_asked(Cycle t, NodeId at, std::uint32_t length, std::uint32_t count) {
    ASSERT_EQ(log.cuts.size(), 1u);
    EXPECT_EQ(log.cuts[0].t, t);
    EXPECT_EQ(log.cuts[0].at, at);
    EXPECT_EQ(log.cuts[0].message, (CutMessage{.source = 0,
                                               .destination = 4,
                                               .id = 0,
                                               .length = length,
                                               .first = 0,
                                               .count = count,
                                               .sub_message = 0}));
  }
};

inline HardwareSettings one_vc(const char* name) {
  HardwareSettings s = preset(name);
  s.router.virtual_channels = 1;
  return s;
}

}  // namespace flitmend
