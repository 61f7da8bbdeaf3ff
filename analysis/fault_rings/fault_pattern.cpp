// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/fault_pattern.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;

std::string box_text(const FaultBox& box) {
  return coordinate_text(box.origin) + ":" + joined(box.size, "x");
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

FaultPattern::FaultPattern(MeshShape mesh, const std::vector<FaultBox>& boxes,
                           const std::vector<std::vector<std::uint32_t>>& nodes)
    : mesh_(std::move(mesh)), state_(mesh_.node_count(), kClear) {
  if (boxes.empty() && nodes.empty())
    throw ConfigurationError("fault rings: no fault given; give at least one box or node");
  for (const FaultBox& box : boxes) add_box(box, "box " + box_text(box));
  for (const auto& node : nodes)
    add_box({node, std::vector<std::uint32_t>(node.size(), 1)}, "node " + coordinate_text(node));
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
  std::vector<std::uint8_t> seen(mesh_.node_count(), 0);
  Node start = 0;
  while (state_[start] == kFaulty) ++start;
  std::vector<Node> open = {start};
  seen[start] = 1;
  Node reached = 0;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    ++reached;
    for (unsigned i = 0; i < mesh_.dimensions(); ++i) {
      const std::uint32_t x = mesh_.coordinate(node, i);
      const auto visit = [&](Node next) {
        if (seen[next] || state_[next] == kFaulty) return;
        seen[next] = 1;
        open.push_back(next);
      };
      if (x > 0) visit(node - mesh_.stride(i));
      if (x + 1 < mesh_.radix(i)) visit(node + mesh_.stride(i));
    }
  }
  if (reached == healthy_nodes()) return;
  Node cut = 0;
  while (seen[cut] || state_[cut] == kFaulty) ++cut;
  throw ConfigurationError(
      "fault rings: the faults disconnect the healthy nodes of the " + mesh_.description() +
      " mesh: there is no path from node " + coordinate_text(mesh_.coordinates(start)) + " to node " +
      coordinate_text(mesh_.coordinates(cut)) + "; choose faults that leave it connected");
}

}  // namespace flitmend
