// SPDX-License-Identifier: Apache-2.0
#include "topologies/kary_cube.h"

#include <charconv>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

KaryCube::KaryCube(std::uint32_t k, std::uint32_t n) : k_(k), n_(n) {
  if (k < 2) throw ConfigurationError(formatted("k-ary n-cube: k is %1%; it must be at least 2", k));
  if (n < 1 || n > kMaxDimensions)
    throw ConfigurationError(formatted("k-ary n-cube: n is %1%; it must be 1 to %2%", n, kMaxDimensions));
  std::uint64_t nodes = 1;
  for (unsigned i = 0; i < n; ++i) {
    nodes *= k;
    if (nodes > kMaxNodes)
      throw ConfigurationError("k-ary n-cube: a " + description() +
                               " has more than 2^24 nodes; make k or n "
                               "smaller");
  }
  nodes_ = static_cast<Node>(nodes);
  digit_.resize(std::size_t{nodes_} * n_);
  neighbour_.resize(std::size_t{nodes_} * ports());
  for (Node node = 0; node < nodes_; ++node) {
    Node stride = 1;
    for (unsigned i = 0; i < n_; ++i, stride *= k_) {
      const std::uint32_t x = node / stride % k_;
      digit_[std::size_t{node} * n_ + i] = x;
      Node* const far = &neighbour_[std::size_t{node} * ports() + 2 * i];
      far[0] = x + 1 < k_ ? node + stride : node - x * stride;
      far[1] = x > 0 ? node - stride : node + (k_ - 1) * stride;
    }
  }
}

std::uint32_t KaryCube::lee_distance(Node a, Node b) const {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < n_; ++i) sum += ring_distance(difference(a, b, i));
  return sum;
}

std::uint32_t KaryCube::hamming_distance(Node a, Node b) const {
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < n_; ++i) sum += digit(a, i) != digit(b, i);
  return sum;
}

KaryCube::PortMask KaryCube::preferred_ports(Node a, Node b) const {
  PortMask mask = 0;
  for (unsigned i = 0; i < n_; ++i) mask |= preferred_in_ring(difference(a, b, i)) << 2 * i;
  return mask;
}

std::string KaryCube::label(Node node) const {
  std::string text;
  for (unsigned i = n_; i-- > 0;) {
    text += std::to_string(digit(node, i));
    if (k_ > 10 && i > 0) text += '.';
  }
  return text;
}

KaryCube::Node KaryCube::node_of(std::string_view label) const {
  const auto refuse = [&](const std::string& why) -> ConfigurationError {
    return ConfigurationError("node '" + std::string(label) + "' of the " + description() + ": " + why);
  };
  const std::string form = formatted("%1% of 0 to %2%%3%, the highest dimension first", counted(n_, "digit"),
                                     k_ - 1, k_ > 10 && n_ > 1 ? " with dots between them" : "");
  Node node = 0;
  unsigned digits = 0;
  for (std::string_view rest = label; !rest.empty();) {
    const std::size_t length = k_ > 10 ? std::min(rest.find('.'), rest.size()) : 1;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + length, value);
    if (error != std::errc{} || end != rest.data() + length || value >= k_ || ++digits > n_)
      throw refuse("a label is " + form);
    node = node * k_ + value;
    rest.remove_prefix(length);
    if (k_ > 10 && !rest.empty()) {
      rest.remove_prefix(1);
      if (rest.empty()) throw refuse("a label is " + form);
    }
  }
  if (digits != n_) throw refuse("a label is " + form);
  return node;
}

std::string KaryCube::description() const {
  return formatted("%1%-ary %2%-cube", k_, n_);
}

}  // namespace flitmend
