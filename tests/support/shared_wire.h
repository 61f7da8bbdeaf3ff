// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/fabric_bench.h"

namespace flitmend {

/// Two lines of five routers in which a long message keeps the wire from router 1 to router 0 busy. In `both`
/// a short message goes from 0 to 1, whose acknowledgement needs the wire too.
struct SharedWire {
  explicit SharedWire(const HardwareSettings& hardware, const RecoveryProtocol* recovery = nullptr)
      : alone(mesh_network({5}), hardware, {}, "alone", 1, recovery),
        both(mesh_network({5}), hardware, {}, "both", 1, recovery) {
    alone.fabric.network_interface(4).send(0, 100);
    both.fabric.network_interface(4).send(0, 100);
  }
  /// Both lines.
  void run(unsigned cycles) { alone.run(cycles); }
  void send_short() { both.fabric.network_interface(0).send(1, 2); }
  /// Flits of the long message that have left router 1 in `alone`, but not yet in `both`.
  unsigned behind() const { return static_cast<unsigned>(sent(alone) - sent(both)); }
  static std::uint64_t sent(const FabricBench& bench) {
    PortId to_0 = 0;
    while (bench.topology().neighbour(1, to_0)->router != 0) ++to_0;
    return bench.fabric.router(1).state().port(to_0).flits_sent;
  }

  FabricBench alone, both;
};

}  // namespace flitmend
