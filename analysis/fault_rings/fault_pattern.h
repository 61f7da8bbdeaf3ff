// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/fault_rings/mesh_shape.h"

namespace flitmend {

/// l_1 x … x l_n nodes whose least coordinates are the origin α (eq. 6, read as 0 ≤ m_i < l_i).
struct FaultBox {
  std::vector<std::uint32_t> origin;
  std::vector<std::uint32_t> size;
};

/// What a path may meet: the faulty nodes F alone, or F and the ring around them, FR = F ∪ R.
enum class FaultRegion { ring, fault };

/// Whether the ring around the faults is whole (Definition 3) or was cut at the border of the mesh
/// (Definition 4).
enum class RingKind { f_ring, f_chain };
std::string_view to_string(RingKind);

/// The shape of one region of faulty nodes.
enum class RegionShape {
  block,                ///< a full box: what the paper calls convex
  orthogonally_convex,  ///< no line along an axis leaves the region and enters it again (L, T, plus)
  concave,              ///< anything else (U, H)
};
std::string_view to_string(RegionShape);

/// A region: a largest set of faulty nodes that hang together, diagonal neighbours included (a ring cannot
/// pass between those).
struct FaultRegionShape {
  std::vector<MeshShape::Node> nodes;  ///< ascending
  RegionShape shape;
};

/// A mesh with a static set of faulty nodes: any union of boxes and single nodes, and the ring R around it:
/// every healthy node at Chebyshev distance 1 from a faulty one, clipped at the border. Dilation distributes
/// over unions, so one pattern serves eqs. 20 (a box), 21 (overlapping boxes) and 22 (any shape).
class FaultPattern {
 public:
  using Node = MeshShape::Node;

  /// Throws ConfigurationError: no fault at all, a box or node outside the mesh or of another number of
  /// dimensions, a box of size 0, every node faulty, or faults that disconnect the healthy nodes (assumption
  /// 4 of the paper). O(n·N).
  FaultPattern(MeshShape mesh, const std::vector<FaultBox>& boxes,
               const std::vector<std::vector<std::uint32_t>>& nodes = {});

  const MeshShape& mesh() const { return mesh_; }
  bool faulty(Node node) const { return state_[node] == kFaulty; }
  /// Whether the node belongs to the region X that a path may meet.
  bool in_region(Node node, FaultRegion region) const {
    return region == FaultRegion::ring ? state_[node] != kClear : state_[node] == kFaulty;
  }
  Node fault_nodes() const { return fault_nodes_; }
  Node ring_nodes() const { return ring_nodes_; }
  Node healthy_nodes() const { return mesh_.node_count() - fault_nodes_; }
  RingKind kind() const { return kind_; }

  /// Regions in order of their least node. O(F·(min(2^n, n·F) + n·log F)), n not counting dimensions of size
  /// 1. Throws ConfigurationError where that is more than 10^10.
  std::vector<FaultRegionShape> regions() const;
  /// Throws ConfigurationError unless every region is convex as the paper has it: a full box.
  void require_convex() const;

 private:
  static constexpr std::uint8_t kClear = 0, kRing = 1, kFaulty = 2;

  /// `name` is what a message calls it.
  void add_box(const FaultBox&, const std::string& name);
  void add_ring();
  void check_connected() const;

  MeshShape mesh_;
  std::vector<std::uint8_t> state_;
  Node fault_nodes_ = 0;
  Node ring_nodes_ = 0;
  RingKind kind_ = RingKind::f_ring;
};

}  // namespace flitmend
