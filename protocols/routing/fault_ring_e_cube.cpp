// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/fault_blocks.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

enum RingClass : unsigned { kToEast, kToWest, kToSouth, kToNorth, kRingClasses };

constexpr std::uint64_t kInColumn = 1;
constexpr std::uint64_t kNorthwards = 2;
constexpr unsigned kPhaseShift = 2;
constexpr unsigned kSideShift = 4;

/// The phase of a message in the column of its destination.
enum RingPhase : std::uint64_t {
  kInLine,        ///< in the column
  kSideways,      ///< along the face of a block that is in the way
  kPastBlock,     ///< past the block, in another column
  kBackToColumn,  ///< back to the column
};
enum RingSide : std::uint64_t { kNoSide, kPlusSide, kMinusSide };

bool class_exists(unsigned dimension, bool plus, unsigned vc_class) {
  switch (vc_class) {
    case kToEast:
    case kToWest:
      return dimension == 1 || plus == (vc_class == kToEast);
    default:
      return dimension == 0 || plus == (vc_class == kToNorth);
  }
}

RingSide side_of(std::uint64_t h) {
  return static_cast<RingSide>(h >> kSideShift & 3);
}

/// Dimension order on a 2-D mesh that goes around blocks of faulty nodes [Boppana95]. The nodes around a
/// block know its extent. A message that goes east or west goes around a block on the side of its
/// destination, else on the nearer one, and on in the row where it gets past the block. A message in the
/// column of its destination goes around a block on the nearer side and returns to the column. Messages to
/// the east, west, south and north each have virtual channels of their own, and no message turns back in its
/// class, so the channel dependency graph has no cycle. Disabled nodes neither send nor receive.
///
/// h: bit 0: in the destination's column, or on a detour from there; bit 1: to the north there; bits 2 and 3:
/// its phase on that detour; bits 4 and 5: the side on which it goes around.
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
  /// The block that stops a hop; null: the hop is open, or leads out of the mesh.
  const FaultBlocks::Block* block_at(RouterId, Hop) const;
  /// The direction along the blocking block in that dimension: + or −. `preferred`: > 0, < 0, or 0 for
  /// the nearer end. A side on which the block reaches the border is closed.
  bool side(RouterId, const FaultBlocks::Block&, unsigned dimension, std::int32_t preferred) const;
  void route_row(const RouteRequest&, std::int32_t left, CandidateList&) const;
  void route_column(const RouteRequest&, std::uint64_t h, CandidateList&) const;
  void push(const RouteRequest&, Hop, unsigned vc_class, std::uint64_t h, CandidateList&) const;

  FaultBlocks blocks_;
};

}  // namespace

FaultRingECube::FaultRingECube(const Topology& topology, unsigned vcs)
    : PortClassRouting(topology, vcs, kRingClasses, class_exists), blocks_(grid_) {}

bool FaultRingECube::open(RouterId here, Hop hop) const {
  const auto far = topology_.neighbour(here, grid_.port(hop.dimension, hop.plus));
  return far && !blocks_.bad(far->router);
}

const FaultBlocks::Block* FaultRingECube::block_at(RouterId here, Hop hop) const {
  const auto far = topology_.neighbour(here, grid_.port(hop.dimension, hop.plus));
  return far && blocks_.bad(far->router) ? &blocks_.block(far->router) : nullptr;
}

bool FaultRingECube::side(RouterId here, const FaultBlocks::Block& block, unsigned dimension,
                          std::int32_t preferred) const {
  const std::uint32_t x = grid_.coordinate(here, dimension);
  const bool plus_closed = block.high[dimension] + 1 == grid_.radix(dimension);
  const bool minus_closed = block.low[dimension] == 0;
  if (plus_closed != minus_closed) return minus_closed;
  if (preferred != 0) return preferred > 0;
  return block.high[dimension] - x <= x - block.low[dimension];
}

void FaultRingECube::push(const RouteRequest& request, Hop hop, unsigned vc_class, std::uint64_t h,
                          CandidateList& out) const {
  const PortId port = grid_.port(hop.dimension, hop.plus);
  if (open(request.here, hop) && healthy(request, port))
    out.push({.head_state = h, .port = port, .vc_class = static_cast<std::uint8_t>(vc_class)});
}

void FaultRingECube::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (blocks_.bad(request.here) || blocks_.bad(request.destination)) return;
  if (request.head_state & kInColumn) return route_column(request, request.head_state, out);
  if (const std::int32_t left = grid_.offset(request.here, request.destination, 0); left != 0)
    return route_row(request, left, out);
  const bool north = grid_.offset(request.here, request.destination, 1) > 0;
  route_column(request, kInColumn | (north ? kNorthwards : 0), out);
}

void FaultRingECube::route_row(const RouteRequest& request, std::int32_t left, CandidateList& out) const {
  const Hop ahead{0, left > 0};
  const unsigned vc_class = ahead.plus ? kToEast : kToWest;
  const FaultBlocks::Block* const block = block_at(request.here, ahead);
  if (!block) return push(request, ahead, vc_class, 0, out);
  const RingSide kept = side_of(request.head_state);
  const bool north = kept == kNoSide
                         ? side(request.here, *block, 1, grid_.offset(request.here, request.destination, 1))
                         : kept == kPlusSide;
  push(request, {1, north}, vc_class, std::uint64_t{north ? kPlusSide : kMinusSide} << kSideShift, out);
}

void FaultRingECube::route_column(const RouteRequest& request, std::uint64_t h, CandidateList& out) const {
  const bool north = h & kNorthwards;
  const unsigned vc_class = north ? kToNorth : kToSouth;
  const std::uint64_t column = kInColumn | (north ? kNorthwards : 0);
  const auto state = [&](RingPhase phase, std::uint64_t side_bits = 0) {
    return column | std::uint64_t{phase} << kPhaseShift | side_bits;
  };
  const Hop ahead{1, north};
  const std::int32_t left = grid_.offset(request.here, request.destination, 0);
  const Hop back{0, left > 0};
  const auto phase = static_cast<RingPhase>(h >> kPhaseShift & 3);
  switch (left == 0 ? kInLine : phase) {
    case kInLine: {
      const FaultBlocks::Block* const block = block_at(request.here, ahead);
      if (!block) return push(request, ahead, vc_class, state(kInLine), out);
      const bool east = side(request.here, *block, 0, 0);
      return push(request, {0, east}, vc_class,
                  state(kSideways, std::uint64_t{east ? kPlusSide : kMinusSide} << kSideShift), out);
    }
    case kSideways:
      if (open(request.here, ahead)) return push(request, ahead, vc_class, state(kPastBlock), out);
      return push(request, {0, side_of(h) == kPlusSide}, vc_class, h, out);
    case kPastBlock:
      if (open(request.here, back)) return push(request, back, vc_class, state(kBackToColumn), out);
      return push(request, ahead, vc_class, h, out);
    case kBackToColumn:
      return push(request, back, vc_class, h, out);
  }
}

RoutingEntry fault_ring_e_cube_routing() {
  return {
      .name = "fault-ring-e-cube",
      .description = "deterministic, 2-D mesh: dimension order, and around blocks of faulty nodes",
      .reference = "[Boppana95]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "first",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::deterministic,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {"to the east", "to the west", "to the south", "to the north"},
                .virtual_channels = 3,
                .tolerated_faults = 2,
                .disabled = disabled_by_blocks};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<FaultRingECube>(t, vcs); },
  };
}

}  // namespace flitmend
