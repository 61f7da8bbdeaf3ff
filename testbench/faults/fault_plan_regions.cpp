// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/fault_plan.h"

#include <charconv>
#include <optional>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Parses "2,3" or "2x4"; nullopt if it is anything else.
std::optional<Numbers> numbers(const std::string& text, char separator) {
  Numbers all;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || number < 0 || number > 0xffffffff) return std::nullopt;
    all.push_back(number);
    if (rest == end) return all;
    if (*rest != separator) return std::nullopt;
    at = rest + 1;
  }
}

/// Whether a shape in a box of w columns and h rows contains the node at (x, y) of the box.
bool in_shape(const std::string& shape, std::int64_t x, std::int64_t y, std::int64_t w, std::int64_t h) {
  if (shape == "L") return x == 0 || y == 0;
  if (shape == "U") return x == 0 || y == 0 || x == w - 1;
  if (shape == "T") return y == h - 1 || x == w / 2;
  if (shape == "plus") return x == w / 2 || y == h / 2;
  return true;
}

}  // namespace

std::vector<NodeId> fault_region(const std::string& text, const Topology& topology) {
  const auto refuse = [&](const std::string& why) {
    throw ConfigurationError("'" + text + "': " + why +
                             "; a region is like 'box 2,3:2x4': box, L, U, T or plus, its lowest node, its "
                             "size in nodes; in a list write it in quotes, because of the comma");
  };
  const std::size_t space = text.find(' '), colon = text.find(':');
  if (space == text.npos || colon == text.npos || colon < space) refuse("not a region");
  const std::string shape = text.substr(0, space);
  if (shape != "box" && shape != "L" && shape != "U" && shape != "T" && shape != "plus")
    refuse("unknown shape " + shown_value(shape));
  const auto lowest = numbers(text.substr(space + 1, colon - space - 1), ',');
  const auto size = numbers(text.substr(colon + 1), 'x');
  if (!lowest || !size) refuse("not a region");
  const unsigned dimensions = topology.dimensions();
  if (lowest->size() != dimensions || size->size() != dimensions)
    refuse("the " + topology.description() + " has " + counted(dimensions, "dimension"));
  for (unsigned d = 0; d < dimensions; ++d) {
    if ((*size)[d] < 1 || (*lowest)[d] + (*size)[d] > topology.radix(d))
      refuse("it does not lie inside the " + topology.description());
    if (shape != "box" && d >= 2 && (*size)[d] != 1) refuse("only a box extends in more than two dimensions");
  }
  if (shape != "box" && dimensions < 2) refuse("it needs two dimensions");

  std::vector<NodeId> nodes;
  Numbers offset(dimensions);
  for (;;) {
    if (dimensions < 2 || in_shape(shape, offset[0], offset[1], (*size)[0], (*size)[1])) {
      Numbers at(dimensions);
      for (unsigned d = 0; d < dimensions; ++d) at[d] = (*lowest)[d] + offset[d];
      nodes.push_back(topology.node_at(at).value());
    }
    unsigned d = 0;
    while (d < dimensions && ++offset[d] == (*size)[d]) offset[d++] = 0;
    if (d == dimensions) return nodes;
  }
}

}  // namespace flitmend
