// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/random_patterns.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;

/// Calls f(node) for the neighbours of a node.
template <class F>
void for_each_neighbour(const MeshShape& mesh, Node node, F&& f) {
  for (unsigned i = 0; i < mesh.dimensions(); ++i) {
    const std::uint32_t x = mesh.coordinate(node, i);
    if (x > 0) f(node - mesh.stride(i));
    if (x + 1 < mesh.radix(i)) f(node + mesh.stride(i));
  }
}

bool contains(const std::vector<Node>& nodes, Node node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// The fewest nodes of a region that is connected along axes: an L, a U.
std::uint32_t fewest_nodes(PatternShape shape) {
  return shape == PatternShape::concave ? 5 : shape == PatternShape::orthogonally_convex ? 3 : 1;
}

bool is_shape(RegionShape found, PatternShape wanted) {
  switch (wanted) {
    case PatternShape::block:
      return found == RegionShape::block;
    case PatternShape::orthogonally_convex:
      return found == RegionShape::orthogonally_convex;
    case PatternShape::concave:
      return found == RegionShape::concave;
    default:
      return true;
  }
}

}  // namespace

std::string_view to_string(PatternShape shape) {
  switch (shape) {
    case PatternShape::block:
      return "block";
    case PatternShape::orthogonally_convex:
      return "orthogonally-convex";
    case PatternShape::concave:
      return "concave";
    default:
      return "any";
  }
}

RandomPatterns::RandomPatterns(const MeshShape& mesh, std::uint32_t faulty_nodes, PatternShape shape,
                               std::uint32_t regions)
    : mesh_(mesh), faulty_nodes_(faulty_nodes), shape_(shape), regions_(regions) {
  const auto refuse = [&](const std::string& why) {
    throw ConfigurationError(formatted("fault rings: %1% of shape %2% in %3% of the %4% mesh: %5%",
                                       counted(faulty_nodes, "faulty node"), to_string(shape),
                                       counted(regions, "region"), mesh.description(), why));
  };
  if (faulty_nodes == 0) refuse("at least one node must be faulty");
  if (faulty_nodes >= mesh.node_count()) refuse("at least one node must be healthy");
  if (regions == 0) refuse("at least one region is needed");
  if (shape == PatternShape::any && regions != 1)
    refuse("how many regions these are is left to chance; do not give their number");
  if (regions > faulty_nodes / fewest_nodes(shape))
    refuse(formatted("each region needs at least %1%; use more faulty nodes or fewer regions",
                     counted(fewest_nodes(shape), "node")));
  if (shape != PatternShape::block) return;
  for (std::uint32_t nodes = 1; nodes <= faulty_nodes - (regions - 1); ++nodes)
    if (auto boxes = boxes_of(nodes); !boxes.empty()) boxes_[nodes] = std::move(boxes);
  if (regions == 1 && !boxes_.contains(faulty_nodes))
    refuse(
        "no box of that many nodes is shorter than the mesh in every dimension; use another number, or more "
        "regions");
}

std::vector<RandomPatterns::Box> RandomPatterns::boxes_of(std::uint32_t nodes) const {
  std::vector<Box> boxes;
  std::vector<std::uint32_t> size(mesh_.dimensions(), 1);
  const auto add = [&](auto&& self, unsigned i, std::uint32_t left, std::uint64_t places) -> void {
    if (i == mesh_.dimensions()) {
      if (left == 1) boxes.push_back({size, (boxes.empty() ? 0 : boxes.back().until) + places});
      return;
    }
    const std::uint32_t longest = std::max(1u, mesh_.radix(i) - 1);
    for (std::uint32_t l = 1; l <= std::min(longest, left); ++l) {
      if (left % l) continue;
      size[i] = l;
      self(self, i + 1, left / l, places * (mesh_.radix(i) - l + 1));
    }
  };
  add(add, 0, nodes, 1);
  return boxes;
}

std::vector<std::uint32_t> RandomPatterns::divide(RandomStream& random) const {
  if (regions_ == 1) return {faulty_nodes_};
  // Each region gets all but one of the nodes that it needs. Cuts divide the row of the others, by Floyd's
  // sampling: every set of regions − 1 different cuts is equally likely.
  const std::uint32_t extra = fewest_nodes(shape_) - 1, row = faulty_nodes_ - regions_ * extra;
  const std::uint32_t gaps = row - 1, count = regions_ - 1;
  std::vector<std::uint32_t> cuts;
  for (std::uint32_t gap = gaps - count + 1; gap <= gaps; ++gap) {
    const std::uint32_t cut = 1 + random.below(gap);
    cuts.push_back(std::find(cuts.begin(), cuts.end(), cut) == cuts.end() ? cut : gap);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.push_back(row);
  std::vector<std::uint32_t> parts;
  std::uint32_t before = 0;
  for (const std::uint32_t cut : cuts) {
    parts.push_back(cut - before + extra);
    before = cut;
  }
  return parts;
}

std::vector<Node> RandomPatterns::block(std::uint32_t nodes, RandomStream& random) const {
  const auto boxes = boxes_.find(nodes);
  if (boxes == boxes_.end()) return {};
  const auto& all = boxes->second;
  const auto at = random.below(static_cast<std::uint32_t>(all.back().until));
  const Box& box = *std::find_if(all.begin(), all.end(), [&](const Box& b) { return at < b.until; });
  std::vector<Node> block = {0};
  for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
    const std::uint32_t origin = random.below(mesh_.radix(i) - box.size[i] + 1);
    const std::size_t row = block.size();
    for (std::size_t b = 0; b < row; ++b) block[b] += origin * mesh_.stride(i);
    for (std::uint32_t x = 1; x < box.size[i]; ++x)
      for (std::size_t b = 0; b < row; ++b) block.push_back(block[b] + x * mesh_.stride(i));
  }
  return block;
}

std::vector<Node> RandomPatterns::grown(std::uint32_t nodes, RandomStream& random) const {
  std::vector<Node> region = {random.below(mesh_.node_count())}, around;
  const auto look_around = [&](Node node) {
    for_each_neighbour(mesh_, node, [&](Node next) {
      if (!contains(region, next) && !contains(around, next)) around.push_back(next);
    });
  };
  look_around(region.front());
  while (region.size() < nodes) {
    std::vector<Node> choices = around;
    for (bool grown = false; !grown;) {
      if (choices.empty()) return region;
      const std::uint32_t pick = random.below(static_cast<std::uint32_t>(choices.size()));
      const Node next = choices[pick];
      choices[pick] = choices.back();
      choices.pop_back();
      region.push_back(next);
      if (shape_ == PatternShape::orthogonally_convex) {
        std::vector<Node> sorted = region;
        std::sort(sorted.begin(), sorted.end());
        if (!orthogonally_convex(mesh_, sorted)) {
          region.pop_back();
          continue;
        }
      }
      grown = true;
      around.erase(std::find(around.begin(), around.end(), next));
      look_around(next);
    }
  }
  return region;
}

std::vector<Node> RandomPatterns::any(RandomStream& random) const {
  std::vector<Node> nodes(mesh_.node_count());
  for (Node node = 0; node < nodes.size(); ++node) nodes[node] = node;
  for (std::uint32_t i = 0; i < faulty_nodes_; ++i)
    std::swap(nodes[i], nodes[i + random.below(mesh_.node_count() - i)]);
  nodes.resize(faulty_nodes_);
  return nodes;
}

std::vector<Node> RandomPatterns::region(std::uint32_t nodes, RandomStream& random, std::uint32_t& draws,
                                         std::uint64_t& rejected) const {
  while (draws < kMaxDraws) {
    ++draws;
    std::vector<Node> found = shape_ == PatternShape::block ? block(nodes, random) : grown(nodes, random);
    if (found.empty() || (found.size() == nodes && is_shape(region_shape(mesh_, found), shape_)))
      return found;
    ++rejected;
  }
  return {};
}

bool RandomPatterns::fits(const FaultPattern& pattern) const {
  if (pattern.fault_nodes() != faulty_nodes_) return false;
  if (shape_ == PatternShape::any) return true;
  const auto regions = pattern.regions();  // those that touch are one
  return regions.size() == regions_ && std::all_of(regions.begin(), regions.end(), [&](const auto& region) {
           return is_shape(region.shape, shape_);
         });
}

FaultPattern RandomPatterns::draw(RandomStream& random, std::uint64_t& rejected) const {
  for (std::uint32_t draws = 0; draws < kMaxDraws;) {
    std::vector<Node> faults;
    if (shape_ == PatternShape::any) {
      ++draws;
      faults = any(random);
    } else {
      for (const std::uint32_t nodes : divide(random)) {
        const std::vector<Node> part = region(nodes, random, draws, rejected);
        faults.insert(faults.end(), part.begin(), part.end());
      }
    }
    if (faults.size() == faulty_nodes_ && FaultPattern::leaves_connected(mesh_, faults))
      if (FaultPattern pattern = FaultPattern::of_nodes(mesh_, faults); fits(pattern)) return pattern;
    ++rejected;
  }
  throw ConfigurationError(formatted(
      "fault rings: of %1% random regions no %2% make a pattern of %3% of shape %4% that leaves the %5% mesh "
      "connected; use fewer faulty nodes or regions, another shape, or a larger mesh",
      kMaxDraws, regions_, counted(faulty_nodes_, "faulty node"), to_string(shape_), mesh_.description()));
}

}  // namespace flitmend
