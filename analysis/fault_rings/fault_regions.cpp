// SPDX-License-Identifier: Apache-2.0
// Regions of a fault pattern and their shapes.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "analysis/fault_rings/fault_pattern.h"
#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;
constexpr double kMaxGroupingSteps = 1e10;

/// Union-find over 0 … n − 1; the representative is the lowest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t find(std::uint32_t a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Two nodes are neighbours, diagonals included, iff a 2 x … x 2 cell contains both. A cell is identified by
/// its upper corner. That may be one beyond the mesh, so cells are counted in a mesh that is one larger.
void join_by_cells(const MeshShape& mesh, const std::vector<unsigned>& wide, const std::vector<Node>& faults,
                   DisjointSets& sets) {
  std::unordered_map<std::uint64_t, std::uint32_t> owner;
  for (std::uint32_t f = 0; f < faults.size(); ++f)
    for (std::uint32_t up = 0; up < (1u << wide.size()); ++up) {
      std::uint64_t cell = 0;
      for (std::size_t w = wide.size(); w-- > 0;)
        cell = cell * (mesh.radix(wide[w]) + 1) + mesh.coordinate(faults[f], wide[w]) + (up >> w & 1);
      const auto [entry, first] = owner.try_emplace(cell, f);
      if (!first) sets.join(entry->second, f);
    }
}

/// The same, pair by pair: for few faults in many dimensions.
void join_by_pairs(const MeshShape& mesh, const std::vector<unsigned>& wide, const std::vector<Node>& faults,
                   DisjointSets& sets) {
  const auto touch = [&](Node a, Node b) {
    return std::all_of(wide.begin(), wide.end(), [&](unsigned i) {
      const std::uint32_t x = mesh.coordinate(a, i), y = mesh.coordinate(b, i);
      return std::max(x, y) - std::min(x, y) <= 1;
    });
  };
  for (std::uint32_t f = 1; f < faults.size(); ++f)
    for (std::uint32_t g = 0; g < f; ++g)
      if (touch(faults[f], faults[g])) sets.join(f, g);
}

bool is_block(const MeshShape& mesh, const std::vector<Node>& nodes) {
  std::uint64_t volume = 1;
  for (unsigned i = 0; i < mesh.dimensions(); ++i) {
    std::uint32_t low = ~0u, high = 0;
    for (Node node : nodes) {
      low = std::min(low, mesh.coordinate(node, i));
      high = std::max(high, mesh.coordinate(node, i));
    }
    volume *= high - low + 1;
  }
  return volume == nodes.size();
}

}  // namespace

bool orthogonally_convex(const MeshShape& mesh, const std::vector<Node>& nodes) {
  for (unsigned i = 0; i < mesh.dimensions(); ++i) {
    // A run starts where the previous node is not in the region; two starts on one line mean a gap.
    std::vector<Node> lines;
    for (Node node : nodes) {
      const std::uint32_t x = mesh.coordinate(node, i);
      if (x == 0 || !std::binary_search(nodes.begin(), nodes.end(), node - mesh.stride(i)))
        lines.push_back(node - x * mesh.stride(i));
    }
    std::sort(lines.begin(), lines.end());
    if (std::adjacent_find(lines.begin(), lines.end()) != lines.end()) return false;
  }
  return true;
}

std::string_view to_string(RegionShape shape) {
  switch (shape) {
    case RegionShape::block:
      return "block";
    case RegionShape::orthogonally_convex:
      return "orthogonally convex";
    default:
      return "concave";
  }
}

RegionShape region_shape(const MeshShape& mesh, std::vector<Node> nodes) {
  if (is_block(mesh, nodes)) return RegionShape::block;
  std::sort(nodes.begin(), nodes.end());
  return orthogonally_convex(mesh, nodes) ? RegionShape::orthogonally_convex : RegionShape::concave;
}

std::vector<FaultRegionShape> FaultPattern::regions() const {
  std::vector<Node> faults;
  for (Node node = 0; node < mesh_.node_count(); ++node)
    if (faulty(node)) faults.push_back(node);
  std::vector<unsigned> wide;
  for (unsigned i = 0; i < mesh_.dimensions(); ++i)
    if (mesh_.radix(i) > 1) wide.push_back(i);

  const double count = static_cast<double>(faults.size()), corners = std::exp2(wide.size());
  const double steps = count * std::min(corners, count * static_cast<double>(wide.size()));
  if (steps > kMaxGroupingSteps)
    throw ConfigurationError(
        formatted("fault rings: the %1% faulty nodes of a mesh of %2% are too many to group into regions; "
                  "use fewer faults or dimensions",
                  faults.size(), counted(wide.size(), "dimension")));
  DisjointSets sets(faults.size());
  if (corners <= count * static_cast<double>(wide.size()))
    join_by_cells(mesh_, wide, faults, sets);
  else
    join_by_pairs(mesh_, wide, faults, sets);

  std::map<std::uint32_t, FaultRegionShape> by_least;
  for (std::uint32_t f = 0; f < faults.size(); ++f) by_least[sets.find(f)].nodes.push_back(faults[f]);
  std::vector<FaultRegionShape> result;
  for (auto& [least, region] : by_least) {
    region.shape = region_shape(mesh_, region.nodes);
    result.push_back(std::move(region));
  }
  return result;
}

void FaultPattern::require_convex() const {
  for (const FaultRegionShape& region : regions())
    if (region.shape != RegionShape::block)
      throw ConfigurationError(
          "fault rings: the fault region at node " +
          coordinate_text(mesh_.coordinates(region.nodes.front())) + " (" +
          counted(region.nodes.size(), "node") + ", " + std::string(to_string(region.shape)) +
          ") is not convex: it does not fill a box; complete the box, or do not ask for convex "
          "regions");
}

}  // namespace flitmend
