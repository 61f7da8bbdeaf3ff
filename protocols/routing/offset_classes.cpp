// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/offset_classes.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace flitmend {
namespace {

// Parts of a class. Of a ring also: whether the route crosses the dateline, and whether it is one of two; in
// order also whether one hop is left, and whether the destination is so near after the dateline that a route
// which has crossed it can lead there.
constexpr unsigned kPlus = 1, kMinus = 2, kCrosses = 4, kTied = 8, kOneHop = 16, kBeforeHalf = 32,
                   kAtHalf = 64, kParts = 128;

/// Between neighbours in that dimension.
std::uint32_t stride_of(const Grid& grid, unsigned dimension) {
  std::uint32_t stride = 1;
  for (unsigned i = 0; i < dimension; ++i) stride *= grid.radix(i);
  return stride;
}

/// Some coordinates in every part that a line or ring of k routers has, seen from x, the nearest of each
/// among them: one and two hops away, beside the dateline, at a tie, around half of the ring.
std::vector<std::uint32_t> some_of_every_part(std::int64_t k, bool ring, std::int64_t x) {
  const std::int64_t half = k / 2;
  std::vector<std::uint32_t> some;
  for (const std::int64_t at : {x, x + 1, x - 1, x + 2, x - 2, std::int64_t{0}, k - 1, x + half, half - 1,
                                half, k - half, k - half - 1})
    if (ring || (at >= 0 && at < k)) some.push_back(static_cast<std::uint32_t>((at + k) % k));
  return some;
}

}  // namespace

std::vector<OffsetClasses::Near> OffsetClasses::nearest(RouterId here, unsigned dimension) const {
  const std::uint32_t k = on_.radix(dimension), x = on_.coordinate(here, dimension);
  const NodeId line = here - x * stride_of(on_, dimension);  // its first node
  std::vector<Near> found;
  const auto add = [&](std::uint32_t to) {
    const NodeId node = line + to * stride_of(on_, dimension);
    found.push_back({node - here, part_of(here, node, dimension), on_.distance(here, node)});
  };
  std::ranges::for_each(some_of_every_part(k, on_.wraps(dimension), x), add);
  std::ranges::sort(found, {}, [](const Near& n) { return std::tuple(n.part, n.hops, n.offset); });
  found.erase(
      std::unique(found.begin(), found.end(), [](const Near& a, const Near& b) { return a.part == b.part; }),
      found.end());
  if (on_.wraps(dimension) && k % 2 == 0 && k > 4)  // where the router before has a tie
    for (const std::uint32_t ahead : {k / 2 - 1, k / 2 + 1}) add((x + ahead) % k);
  return found;
}

unsigned OffsetClasses::part_of(NodeId from, NodeId to, unsigned dimension) const {
  const std::int32_t left = on_.offset(from, to, dimension);
  if (left == 0) return 0;
  const bool plus = left > 0;
  unsigned part = plus ? kPlus : kMinus;
  if (!on_.wraps(dimension)) return part;
  const std::uint32_t k = on_.radix(dimension), at = on_.coordinate(to, dimension);
  if ((on_.coordinate(from, dimension) > at) == plus) part |= kCrosses;
  if (2 * std::abs(left) == static_cast<std::int32_t>(k)) part |= kTied;
  if (looks_ == Looks::everywhere) return part;
  if (std::abs(left) == 1) part |= kOneHop;
  const std::uint32_t beyond = plus ? at + 1 : k - at;  // hops, from the last router before the dateline
  return part | (2 * beyond < k ? kBeforeHalf : 2 * beyond == k ? kAtHalf : 0);
}

void OffsetClasses::add_representatives(RouterId here, std::vector<NodeId>& nodes) const {
  // Adds to some nodes those that lie, in one dimension, in other parts than `here`.
  const auto add_images = [&](std::vector<NodeId>& some, unsigned dimension, unsigned wanted) {
    const std::size_t end = some.size();
    for (const Near& near : nearest(here, dimension))
      if (near.part & wanted)
        for (std::size_t n = 0; n < end; ++n) some.push_back(some[n] + near.offset);
  };
  std::vector<NodeId> some{here};
  for (unsigned i = 0; i < on_.dimensions() && looks_ == Looks::everywhere; ++i)
    add_images(some, i, kPlus | kMinus);
  nodes.insert(nodes.end(), some.begin(), some.end());
  for (unsigned i = 0; i < on_.dimensions() && looks_ == Looks::in_order; ++i) {
    some.assign(1, here);
    add_images(some, i, kPlus | kMinus);
    some.erase(some.begin());
    for (unsigned later = i + 1; later < on_.dimensions(); ++later) add_images(some, later, kTied);
    nodes.insert(nodes.end(), some.begin(), some.end());
  }
}

std::uint64_t OffsetClasses::destination_class(RouterId here, NodeId destination) const {
  std::uint64_t parts = 0;
  for (unsigned i = 0; i < on_.dimensions(); ++i) {
    const unsigned part = part_of(here, destination, i);
    if (looks_ == Looks::everywhere)
      parts = parts * kParts + part;
    else if (parts == 0 && part != 0)
      parts = part | (i + 1) * kParts;
    else if (part & kTied)
      parts |= std::uint64_t{1} << (16 + i);
  }
  return parts;
}

}  // namespace flitmend
