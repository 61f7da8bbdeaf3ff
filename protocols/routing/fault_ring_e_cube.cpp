// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "protocols/routing/fault_blocks.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

// Two classes per dimension: for messages in its + and in its − direction.
constexpr unsigned ring_class(unsigned dimension, bool plus) {
  return 2 * dimension + !plus;
}

constexpr std::uint64_t kInColumn = 1;
constexpr std::uint64_t kUpColumn = 2;
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

RingSide side_of(std::uint64_t h) {
  return static_cast<RingSide>(h >> kSideShift & 3);
}

/// By dimension of a mesh: the one in which a message goes along a block that stops it there: the next one of
/// at least two nodes, after the last of them the first. In a line, one without neighbours.
std::vector<unsigned> dimensions_beside(const Grid& mesh) {
  const unsigned n = mesh.dimensions();
  std::vector<unsigned> beside;
  for (unsigned i = 0; i < n; ++i) {
    unsigned j = (i + 1) % n;
    while (j != i && mesh.radix(j) == 1) j = (j + 1) % n;
    beside.push_back(j == i ? (i + 1) % n : j);
  }
  return beside;
}

/// Dimension order on a mesh of n dimensions that goes around blocks of faulty nodes [Boppana95]. The nodes
/// around a block know its extent. A message that a block stops in dimension i goes along the block in the
/// dimension beside i, on the side of its destination, else on the nearer one, and on in dimension i where it
/// gets past the block; dimensions that follow correct the rest. In the last dimension nothing follows: the
/// message, in the column of its destination, goes around the block on the nearer side and returns to the
/// column. Messages in each direction of each dimension have virtual channels of their own, directions come
/// in order, and no message turns back in its class, so the channel dependency graph has no cycle. A block
/// that reaches both borders in the dimension beside stops messages forever. Disabled nodes neither send nor
/// receive.
///
/// h: bit 0: in the destination's column, or on a detour from there; bit 1: in the + direction there; bits 2
/// and 3: its phase on that detour; bits 4 and 5: the side on which it goes around.
///
/// Classes: + in dimension 0, − in dimension 0, + in dimension 1, ….
class FaultRingECube final : public PortClassRouting {
 public:
  /// The topology is a mesh of at least 2 dimensions. At least 3 virtual channels.
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
  /// Before the last dimension: `dimension` is the first with hops left.
  void route_row(const RouteRequest&, unsigned dimension, CandidateList&) const;
  void route_column(const RouteRequest&, std::uint64_t h, CandidateList&) const;
  void push(const RouteRequest&, Hop, unsigned vc_class, std::uint64_t h, CandidateList&) const;

  FaultBlocks blocks_;
  std::vector<unsigned> beside_;  ///< by dimension
  unsigned last_;                 ///< the last dimension of at least two nodes
};

}  // namespace

FaultRingECube::FaultRingECube(const Topology& topology, unsigned vcs)
    : PortClassRouting(
          topology, vcs, 2 * static_cast<unsigned>(topology.dimensions()),
          [&mesh = *structure_of<Grid>(topology), beside = dimensions_beside(*structure_of<Grid>(topology))](
              unsigned dimension, bool plus, unsigned c) {
            return c == ring_class(dimension, plus) || (beside[c / 2] == dimension && mesh.radix(c / 2) > 1);
          }),
      blocks_(grid_),
      beside_(dimensions_beside(grid_)),
      last_(grid_.dimensions() - 1) {
  while (last_ > 0 && grid_.radix(last_) == 1) --last_;
}

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
  unsigned i = 0;
  while (grid_.offset(request.here, request.destination, i) == 0) ++i;
  if (i < last_) return route_row(request, i, out);
  const bool up = grid_.offset(request.here, request.destination, last_) > 0;
  route_column(request, kInColumn | (up ? kUpColumn : 0), out);
}

void FaultRingECube::route_row(const RouteRequest& request, unsigned dimension, CandidateList& out) const {
  const Hop ahead{dimension, grid_.offset(request.here, request.destination, dimension) > 0};
  const unsigned vc_class = ring_class(dimension, ahead.plus);
  const FaultBlocks::Block* const block = block_at(request.here, ahead);
  if (!block) return push(request, ahead, vc_class, 0, out);
  const unsigned beside = beside_[dimension];
  const RingSide kept = side_of(request.head_state);
  const bool plus = kept == kNoSide ? side(request.here, *block, beside,
                                           grid_.offset(request.here, request.destination, beside))
                                    : kept == kPlusSide;
  push(request, {beside, plus}, vc_class, std::uint64_t{plus ? kPlusSide : kMinusSide} << kSideShift, out);
}

void FaultRingECube::route_column(const RouteRequest& request, std::uint64_t h, CandidateList& out) const {
  const bool up = h & kUpColumn;
  const unsigned vc_class = ring_class(last_, up), beside = beside_[last_];
  const std::uint64_t column = kInColumn | (up ? kUpColumn : 0);
  const auto state = [&](RingPhase phase, std::uint64_t side_bits = 0) {
    return column | std::uint64_t{phase} << kPhaseShift | side_bits;
  };
  const Hop ahead{last_, up};
  const std::int32_t left = grid_.offset(request.here, request.destination, beside);
  const Hop back{beside, left > 0};
  const auto phase = static_cast<RingPhase>(h >> kPhaseShift & 3);
  switch (left == 0 ? kInLine : phase) {
    case kInLine: {
      const FaultBlocks::Block* const block = block_at(request.here, ahead);
      if (!block) return push(request, ahead, vc_class, state(kInLine), out);
      const bool plus = side(request.here, *block, beside, 0);
      return push(request, {beside, plus}, vc_class,
                  state(kSideways, std::uint64_t{plus ? kPlusSide : kMinusSide} << kSideShift), out);
    }
    case kSideways:
      if (open(request.here, ahead)) return push(request, ahead, vc_class, state(kPastBlock), out);
      return push(request, {beside, side_of(h) == kPlusSide}, vc_class, h, out);
    case kPastBlock:
      if (open(request.here, back)) return push(request, back, vc_class, state(kBackToColumn), out);
      return push(request, ahead, vc_class, h, out);
    case kBackToColumn:
      return push(request, back, vc_class, h, out);
  }
}

namespace {

/// Two faulty nodes make blocks of at most two nodes in a dimension, which reach both borders only there.
unsigned tolerated_by_rings(const Topology& mesh) {
  unsigned wide = 0, narrow = 0;
  for (const std::uint32_t radix : mesh.radices()) {
    wide += radix > 1;
    narrow += radix == 2;
  }
  return wide > 2 && narrow > 0 ? 1 : 2;
}

std::vector<std::string_view> ring_class_names(unsigned dimensions) {
  if (dimensions == 2) return {"to the east", "to the west", "to the north", "to the south"};
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (unsigned i = 0; i < kMaxDimensions; ++i)
      for (const char* sign : {"+", "−"}) all.push_back(formatted("%1% in dimension %2%", sign, i));
    return all;
  }();
  return {names.begin(), names.begin() + 2 * dimensions};
}

}  // namespace

RoutingEntry fault_ring_e_cube_routing() {
  return {
      .name = "fault-ring-e-cube",
      .description = "deterministic, mesh: dimension order, and around blocks of faulty nodes",
      .reference = "[Boppana95]",
      .structure = is_mesh,
      .dimensions = {.min = 2},
      .default_selection = "first",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::deterministic,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = ring_class_names(static_cast<unsigned>(t.dimensions())),
                .virtual_channels = 3,
                .tolerated_faults = tolerated_by_rings(t),
                .disabled = disabled_by_blocks};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<FaultRingECube>(t, vcs); },
  };
}

}  // namespace flitmend
