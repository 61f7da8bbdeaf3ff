// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// An R_1 x … x R_n mesh as index arithmetic. No graph is built, so a million nodes cost nothing. Nodes are
/// numbered as in topologies/grid.h: node = x_0 + R_0·(x_1 + R_1·(x_2 + …)), coordinates from 0.
class MeshShape {
 public:
  using Node = std::uint32_t;
  static constexpr unsigned kMaxDimensions = 31;

  /// 1 to 31 dimensions, each radix at least 1, at most 2^26 nodes and 2^28 coordinates (nodes times
  /// dimensions). Throws ConfigurationError.
  explicit MeshShape(std::vector<std::uint32_t> radix);

  unsigned dimensions() const { return static_cast<unsigned>(radix_.size()); }
  std::uint32_t radix(unsigned dimension) const { return radix_[dimension]; }
  Node stride(unsigned dimension) const { return stride_[dimension]; }
  Node node_count() const { return nodes_; }
  std::uint32_t coordinate(Node node, unsigned dimension) const {
    return node / stride_[dimension] % radix_[dimension];
  }
  std::vector<std::uint32_t> coordinates(Node) const;

  /// Undirected links, Σ_i (R_i − 1)·Π_{j≠i} R_j. [Safaei11 eq. 1] means this, but is wrong as printed.
  std::uint64_t link_count() const;
  /// "7x8x11"
  std::string description() const;

 private:
  std::vector<std::uint32_t> radix_;
  std::vector<Node> stride_;
  Node nodes_ = 1;
};

/// "2,2,2"
std::string coordinate_text(const std::vector<std::uint32_t>& coordinates);

/// l_1 x … x l_n nodes whose lowest coordinates are the origin α ([Safaei11 eq. 6], read as 0 ≤ m_i < l_i).
struct FaultBox {
  std::vector<std::uint32_t> origin;
  std::vector<std::uint32_t> size;
};

/// What a path may meet: the faulty nodes F alone, or F and the ring around them, FR = F ∪ R.
enum class FaultRegion { ring, fault };

/// Whether the ring around the faults is complete [Safaei11 Definition 3] or cut at the border of the mesh
/// [Safaei11 Definition 4].
enum class RingKind { f_ring, f_chain };
std::string_view to_string(RingKind);

/// The shape of one region of faulty nodes.
enum class RegionShape {
  block,                ///< a full box; "convex" in [Safaei11]
  orthogonally_convex,  ///< no line along an axis leaves the region and enters it again (L, T, plus)
  concave,              ///< anything else (U, H)
};
std::string_view to_string(RegionShape);
/// Whether no line along an axis leaves the nodes and enters them again. `nodes`: ascending.
bool orthogonally_convex(const MeshShape&, const std::vector<MeshShape::Node>& nodes);
/// The shape of a region of these nodes, in any order, at least one.
RegionShape region_shape(const MeshShape&, std::vector<MeshShape::Node> nodes);

/// A region: a maximal connected set of faulty nodes, where diagonal neighbours are connected too, because a
/// ring cannot pass between them.
struct FaultRegionShape {
  std::vector<MeshShape::Node> nodes;  ///< ascending
  RegionShape shape;
};

/// A mesh with a static set of faulty nodes, any union of boxes and single nodes, and the ring R around it:
/// every healthy node at Chebyshev distance 1 from a faulty node, clipped at the border. Dilation distributes
/// over unions, so one pattern serves [Safaei11 eq. 20–22]: a box, overlapping boxes, any shape.
class FaultPattern {
 public:
  using Node = MeshShape::Node;

  /// Throws ConfigurationError: no fault at all; a box or node outside the mesh or with another number of
  /// dimensions; a box of size 0; every node faulty; faults that disconnect the healthy nodes [Safaei11
  /// assumption 4]. O(n·N).
  FaultPattern(MeshShape mesh, const std::vector<FaultBox>& boxes,
               const std::vector<std::vector<std::uint32_t>>& nodes = {});
  /// The same of nodes by number; one named twice counts once. O(n·N).
  static FaultPattern of_nodes(MeshShape mesh, const std::vector<Node>& faults);
  /// Whether a path of healthy nodes joins any two healthy nodes. O(n·N).
  static bool leaves_connected(const MeshShape&, const std::vector<Node>& faults);

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

  /// Regions in order of their lowest node. O(F·(min(2^n, n·F) + n·log F)), where n does not count dimensions
  /// of size 1. Throws ConfigurationError if that is more than 10^10.
  std::vector<FaultRegionShape> regions() const;
  /// Throws ConfigurationError unless every region is convex in the sense of [Safaei11]: a full box.
  void require_convex() const;

 private:
  static constexpr std::uint8_t kClear = 0, kRing = 1, kFaulty = 2;

  /// Without faults.
  explicit FaultPattern(MeshShape mesh);
  /// `name`: what error messages call the box.
  void add_box(const FaultBox&, const std::string& name);
  /// What follows from the faulty nodes.
  void complete();
  void add_ring();
  /// Throws ConfigurationError if the faults disconnect the healthy nodes.
  void check_connected() const;

  MeshShape mesh_;
  std::vector<std::uint8_t> state_;
  Node fault_nodes_ = 0;
  Node ring_nodes_ = 0;
  RingKind kind_ = RingKind::f_ring;
};

}  // namespace flitmend
