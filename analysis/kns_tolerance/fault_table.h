// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// The faulty links of one combination with the digits of their routers. In each dimension only the digits
/// that occur are numbered, so no size depends on k or N.
class FaultTable {
 public:
  explicit FaultTable(const KnsShape& shape) : shape_(shape), values_(shape.n()) {}

  /// The links must be different. O(f·n + n·f·log f).
  void set(std::span<const KnsLink> links);

  const KnsShape& shape() const { return shape_; }
  unsigned size() const { return static_cast<unsigned>(links_.size()); }
  const KnsLink& link(unsigned fault) const { return links_[fault]; }
  /// The router's number with its digits in reverse order: sorts routers by their lowest digit first.
  std::uint32_t mirrored(unsigned fault) const { return mirrored_[fault]; }
  /// The rank of a fault's router among the named digits of a dimension.
  std::uint32_t rank(unsigned fault, unsigned dimension) const {
    return ranks_[std::size_t{fault} * shape_.n() + dimension];
  }
  /// How many digits of a dimension occur ("named"). All others are "unnamed" and share the rank
  /// named(dimension).
  std::uint32_t named(unsigned dimension) const {
    return static_cast<std::uint32_t>(values_[dimension].size());
  }
  /// How many digits of a dimension are unnamed.
  std::uint32_t unnamed(unsigned dimension) const { return shape_.k() - named(dimension); }

 private:
  KnsShape shape_;
  std::vector<KnsLink> links_;
  std::vector<std::uint32_t> mirrored_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::vector<std::uint32_t>> values_;  // of each dimension, ascending
};

}  // namespace flitmend
