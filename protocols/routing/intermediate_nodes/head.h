// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

#include "base/bits.h"
#include "protocols/routing/intermediate_nodes/chain.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

/// The fields of a head with intermediate nodes [Penaranda17 Fig. 2], packed into h: from bit 0 on I, the
/// segment (intermediate nodes already passed), then the addresses of the I nodes ahead, the next one lowest.
/// h = 0 is the plain path. I = x + 1 says that there is no chain.
class IntermediateHead {
 public:
  /// Up to x intermediate nodes.
  IntermediateHead(const KnsShape& shape, unsigned max_intermediates)
      : most_(max_intermediates),
        left_bits_(static_cast<unsigned>(std::bit_width(max_intermediates + 1))),
        segment_bits_(static_cast<unsigned>(std::bit_width(max_intermediates))),
        address_bits_(static_cast<unsigned>(std::bit_width(shape.node_count() - 1))) {}

  /// Bits that the fields take; they must fit into 64.
  unsigned bits() const { return left_bits_ + segment_bits_ + most_ * address_bits_; }

  std::uint64_t encode(const IntermediateList& list) const {
    if (!list.reachable) return most_ + 1;
    std::uint64_t h = 0;
    for (unsigned i = list.count; i-- > 0;) h = h << address_bits_ | list.nodes[i];
    return h << (left_bits_ + segment_bits_) | list.count;
  }

  /// I: intermediate nodes ahead.
  unsigned left(std::uint64_t h) const { return static_cast<unsigned>(h & low_bits(left_bits_)); }
  /// There is no chain to the destination.
  bool unreachable(std::uint64_t h) const { return left(h) > most_; }
  unsigned segment(std::uint64_t h) const {
    return static_cast<unsigned>(h >> left_bits_ & low_bits(segment_bits_));
  }
  /// The next intermediate node; there is one.
  std::uint32_t next(std::uint64_t h) const {
    return static_cast<std::uint32_t>(h >> (left_bits_ + segment_bits_) & low_bits(address_bits_));
  }
  /// The head after the next intermediate node: its address is gone, I is one less, the segment one more.
  std::uint64_t passed(std::uint64_t h) const {
    const unsigned first = left_bits_ + segment_bits_;
    const std::uint64_t addresses = h >> first >> address_bits_;
    return addresses << first | std::uint64_t{segment(h) + 1} << left_bits_ | (left(h) - 1);
  }

 private:
  unsigned most_;
  unsigned left_bits_;
  unsigned segment_bits_;
  unsigned address_bits_;
};

}  // namespace flitmend
