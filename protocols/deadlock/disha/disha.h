// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/bits.h"
#include "rtl_tlm/fabric/recovery_protocol.h"
#include "topologies/grid.h"

namespace flitmend {

/// Progressive recovery from deadlock [Anjan95], on grids without faults. One token tours the routers. A head
/// that has waited for its time-out captures it there, and takes its message to the destination through the
/// deadlock buffers (DeadlockLane), in dimension order. The destination's router releases the token when the
/// tail leaves its deadlock buffer.
///
/// With wormhole switching it needs atomic reallocation of virtual channels: then every head that cannot move
/// is at the front of its buffer, and requests an output virtual channel.
class Disha final : public RecoveryProtocol {
 public:
  /// The topology is a grid. `timeout`: cycles, at least 1.
  Disha(const Topology&, unsigned timeout);

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override;
  /// The ports by which the token leaves a router during a tour: those of a spanning tree of the network, in
  /// ascending order after the port at which it arrived.
  Word tour_ports(RouterId router) const { return tour_[router]; }
  /// The port of the lane from `here` to another router.
  PortId lane_port(RouterId here, NodeId destination) const;

 protected:
  void equip(HardwareParameters&, const Topology&) const override;

 private:
  const Grid& grid_;
  unsigned timeout_;
  std::vector<Word> tour_;
};

}  // namespace flitmend
