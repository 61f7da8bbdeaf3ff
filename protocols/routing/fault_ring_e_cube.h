// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/fault_blocks.h"
#include "protocols/routing/port_class_routing.h"

namespace flitmend {

/// Dimension order on a 2-D mesh that goes around blocks of faulty nodes [Boppana95]. The nodes around a
/// block know its extent. A message that goes east or west goes around a block on the side of its
/// destination, else on the nearer one, and on in the row where it gets past the block. A message in the
/// column of its destination goes around a block on the nearer side and comes back to the column. Messages to
/// the east, west, south and north each have virtual channels of their own, and no message turns back in its
/// class, so the channel dependency graph has no cycle. Disabled nodes neither send nor receive.
///
/// h: bit 0: in the destination's column, or on a way around from there; bit 1: to the north there; bits 2
/// and 3: what it does on that way; bits 4 and 5: the side on which it goes around.
///
/// Classes: to the east, to the west, in a column to the south, in a column to the north.
class FaultRingECube final : public PortClassRouting {
 public:
  /// The topology is a mesh of 2 dimensions. At least 3 virtual channels.
  FaultRingECube(const Topology&, unsigned vcs);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 1; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { blocks_.update(faults); }

 private:
  struct Hop {
    unsigned dimension;
    bool plus;
  };
  /// Whether a hop leads to a healthy node that is not disabled.
  bool open(RouterId, Hop) const;
  /// The block in the way of a hop; null: the hop is open, or leads out of the mesh.
  const FaultBlocks::Block* block_at(RouterId, Hop) const;
  /// The way along the block that is in the way, in that dimension: + or −. `preferred`: > 0, < 0, or 0 for
  /// the nearer end. A side on which the block reaches the border is closed.
  bool side(RouterId, const FaultBlocks::Block&, unsigned dimension, std::int32_t preferred) const;
  void route_row(const RouteRequest&, std::int32_t left, CandidateList&) const;
  void route_column(const RouteRequest&, std::uint64_t h, CandidateList&) const;
  void push(const RouteRequest&, Hop, unsigned vc_class, std::uint64_t h, CandidateList&) const;

  FaultBlocks blocks_;
};

}  // namespace flitmend
