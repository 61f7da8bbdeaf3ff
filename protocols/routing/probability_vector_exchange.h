// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "protocols/routing/probability_vectors.h"
#include "rtl_tlm/fabric/recovery_protocol.h"
#include "topologies/kary_cube.h"

namespace flitmend {

/// The hardware in which routers of a k-ary n-cube exchange probability vectors [AlSadi03]: registers,
/// control lines, and a unit per router (ProbabilityVectorUnit). It wraps a recovery protocol and leaves the
/// behaviour of its units unchanged.
///
/// In a round a router sends one element of its vector to all healthy neighbours, over `wires` lines per
/// channel. The next element depends on those of the neighbours, so it follows when they have arrived. If an
/// element changes, it and those after it are sent again: after D + 1 rounds all vectors equal those of
/// ProbabilityVectorTable.
///
/// A router that learns from loops adds the destination of a message that loops there to its faulty set, in a
/// register of a bit per node, and sends all elements again (LearntLoops).
class ProbabilityVectorExchange final : public RecoveryProtocol {
 public:
  /// The topology is a k-ary n-cube; 1 to 64 wires. `learns`: from loops.
  ProbabilityVectorExchange(const Topology&, unsigned wires, std::unique_ptr<RecoveryProtocol>,
                            bool learns = false);

  std::unique_ptr<RouterRecovery> make_unit(Router&) const override;
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface&) const override;
  UnitRegisters unit_registers() const override;

 protected:
  void equip(HardwareParameters&, const Topology&) const override;

 private:
  KaryCube cube_;
  ProbabilityVectorRule rule_;
  unsigned wires_;
  std::unique_ptr<RecoveryProtocol> recovery_;
  bool learns_;
};

}  // namespace flitmend
