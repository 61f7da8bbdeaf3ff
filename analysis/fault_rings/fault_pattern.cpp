// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/fault_pattern.h"

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;

std::string box_text(const FaultBox& box) {
  return coordinate_text(box.origin) + ":" + joined(box.size, "x");
}

/// The lowest healthy node, and the lowest of those that healthy nodes do not join to it; none if they join
/// all. `faulty`: by node, at least one 0.
struct Cut {
  Node start;
  std::optional<Node> off;
};
Cut find_cut(const MeshShape& mesh, const std::vector<std::uint8_t>& faulty) {
  Cut cut{static_cast<Node>(std::find(faulty.begin(), faulty.end(), 0) - faulty.begin()), std::nullopt};
  std::vector<std::uint8_t> closed(faulty);
  std::vector<Node> open = {cut.start};
  closed[cut.start] = 1;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (unsigned i = 0; i < mesh.dimensions(); ++i) {
      const std::uint32_t x = mesh.coordinate(node, i);
      const auto visit = [&](Node next) {
        if (closed[next]) return;
        closed[next] = 1;
        open.push_back(next);
      };
      if (x > 0) visit(node - mesh.stride(i));
      if (x + 1 < mesh.radix(i)) visit(node + mesh.stride(i));
    }
  }
  const auto left = std::find(closed.begin(), closed.end(), 0);
  if (left != closed.end()) cut.off = static_cast<Node>(left - closed.begin());
  return cut;
}

}  // namespace

MeshShape::MeshShape(std::vector<std::uint32_t> radix) : radix_(std::move(radix)) {
  constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 26, kMaxCoordinates = std::uint64_t{1} << 28;
  if (radix_.empty()) throw ConfigurationError("mesh: no dimension given; give at least one, like 8x8");
  if (radix_.size() > kMaxDimensions)
    throw ConfigurationError(
        formatted("mesh: %1% dimensions; at most %2% can be analysed", radix_.size(), kMaxDimensions));
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < radix_.size(); ++i) {
    if (radix_[i] == 0)
      throw ConfigurationError(formatted("mesh %1%: dimension %2% has size 0; every size must be at least 1",
                                         description(), i + 1));
    stride_.push_back(static_cast<Node>(nodes));
    nodes *= radix_[i];
    if (nodes > kMaxNodes)
      throw ConfigurationError("mesh " + description() + ": more than 2^26 nodes; make it smaller");
    if (nodes * dimensions() > kMaxCoordinates)
      throw ConfigurationError("mesh " + description() +
                               ": more than 2^28 coordinates of nodes, nodes times " +
                               "dimensions; make it smaller");
  }
  nodes_ = static_cast<Node>(nodes);
}

std::vector<std::uint32_t> MeshShape::coordinates(Node node) const {
  std::vector<std::uint32_t> result;
  for (unsigned i = 0; i < dimensions(); ++i) result.push_back(coordinate(node, i));
  return result;
}

std::uint64_t MeshShape::link_count() const {
  std::uint64_t links = 0;
  for (std::uint32_t r : radix_) links += std::uint64_t{nodes_ / r} * (r - 1);
  return links;
}

std::string MeshShape::description() const {
  return joined(radix_, "x");
}

std::string coordinate_text(const std::vector<std::uint32_t>& coordinates) {
  return joined(coordinates, ",");
}

std::string_view to_string(RingKind kind) {
  return kind == RingKind::f_ring ? "f-ring" : "f-chain";
}

FaultPattern::FaultPattern(MeshShape mesh) : mesh_(std::move(mesh)), state_(mesh_.node_count(), kClear) {}

FaultPattern::FaultPattern(MeshShape mesh, const std::vector<FaultBox>& boxes,
                           const std::vector<std::vector<std::uint32_t>>& nodes)
    : FaultPattern(std::move(mesh)) {
  if (boxes.empty() && nodes.empty())
    throw ConfigurationError("fault rings: no fault given; give at least one box or node");
  for (const FaultBox& box : boxes) add_box(box, "box " + box_text(box));
  for (const auto& node : nodes)
    add_box({node, std::vector<std::uint32_t>(node.size(), 1)}, "node " + coordinate_text(node));
  complete();
}

FaultPattern FaultPattern::of_nodes(MeshShape mesh, const std::vector<Node>& faults) {
  FaultPattern pattern(std::move(mesh));
  if (faults.empty()) throw ConfigurationError("fault rings: no fault given; give at least one node");
  for (const Node node : faults) {
    if (node >= pattern.mesh_.node_count())
      throw ConfigurationError(formatted("fault rings: the %1% mesh has no node %2%; its last is %3%",
                                         pattern.mesh_.description(), node, pattern.mesh_.node_count() - 1));
    const auto x = pattern.mesh_.coordinates(node);
    pattern.add_box({x, std::vector<std::uint32_t>(x.size(), 1)}, "node " + coordinate_text(x));
  }
  pattern.complete();
  return pattern;
}

bool FaultPattern::leaves_connected(const MeshShape& mesh, const std::vector<Node>& faults) {
  std::vector<std::uint8_t> faulty(mesh.node_count());
  for (const Node node : faults) faulty[node] = 1;
  return std::find(faulty.begin(), faulty.end(), 0) == faulty.end() || !find_cut(mesh, faulty).off;
}

void FaultPattern::complete() {
  fault_nodes_ = static_cast<Node>(std::count(state_.begin(), state_.end(), kFaulty));
  if (fault_nodes_ == mesh_.node_count())
    throw ConfigurationError("fault rings: every node of the " + mesh_.description() +
                             " mesh is faulty; at least one must be healthy");
  check_connected();
  add_ring();
}

void FaultPattern::add_box(const FaultBox& box, const std::string& name) {
  const unsigned n = mesh_.dimensions();
  if (box.origin.size() != n || box.size.size() != n)
    throw ConfigurationError(formatted("fault %1%: it must have the %2% dimensions of the %3% mesh", name, n,
                                       mesh_.description()));
  for (unsigned i = 0; i < n; ++i) {
    if (box.size[i] == 0)
      throw ConfigurationError("fault " + name + ": a size is 0; every size must be at least 1");
    if (std::uint64_t{box.origin[i]} + box.size[i] > mesh_.radix(i))
      throw ConfigurationError(
          formatted("fault %1%: outside the %2% mesh, whose coordinates in dimension %3% are 0 to %4%", name,
                    mesh_.description(), i + 1, mesh_.radix(i) - 1));
    if (box.origin[i] == 0 || box.origin[i] + box.size[i] == mesh_.radix(i)) kind_ = RingKind::f_chain;
  }
  // Rows along dimension 0, counting through the other dimensions.
  std::vector<std::uint32_t> at(n, 0);
  for (;;) {
    Node first = 0;
    for (unsigned i = 0; i < n; ++i) first += (box.origin[i] + at[i]) * mesh_.stride(i);
    std::fill_n(state_.begin() + first, box.size[0], kFaulty);
    unsigned i = 1;
    while (i < n && ++at[i] == box.size[i]) at[i++] = 0;
    if (i >= n) return;
  }
}

void FaultPattern::add_ring() {
  // Dilating by a cube is the same as dilating along one axis after the other.
  std::vector<std::uint8_t> reached(state_), grown;
  for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
    grown = reached;
    const Node stride = mesh_.stride(i), last = mesh_.radix(i) - 1;
    for (Node node = 0; node < mesh_.node_count(); ++node) {
      if (!reached[node]) continue;
      const std::uint32_t x = mesh_.coordinate(node, i);
      if (x > 0) grown[node - stride] = kFaulty;
      if (x < last) grown[node + stride] = kFaulty;
    }
    reached.swap(grown);
  }
  for (Node node = 0; node < mesh_.node_count(); ++node)
    if (reached[node] && state_[node] == kClear) {
      state_[node] = kRing;
      ++ring_nodes_;
    }
}

void FaultPattern::check_connected() const {
  const Cut cut = find_cut(mesh_, state_);
  if (!cut.off) return;
  throw ConfigurationError(
      "fault rings: the faults disconnect the healthy nodes of the " + mesh_.description() +
      " mesh: there is no path from node " + coordinate_text(mesh_.coordinates(cut.start)) + " to node " +
      coordinate_text(mesh_.coordinates(*cut.off)) + "; choose faults that leave it connected");
}

}  // namespace flitmend
