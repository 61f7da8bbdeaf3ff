// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/kns_shape.h"

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

KnsShape::KnsShape(std::int64_t k, std::int64_t n) {
  if (k < 2)
    throw ConfigurationError(formatted("k is %1%: a KNS network needs at least 2 routers per switch", k));
  if (n < 1) throw ConfigurationError(formatted("n is %1%: a KNS network needs at least 1 dimension", n));
  const std::string too_large =
      formatted("KNS(%1%, %2%) has more than %3% links, the limit of the analysis; use a smaller k or n", k,
                n, kMaxLinks);
  if (n > kMaxDimensions) throw ConfigurationError(too_large);
  std::uint64_t nodes = 1;
  for (std::int64_t i = 0; i < n; ++i) {
    power_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(nodes);
    if (static_cast<std::uint64_t>(k) > kMaxLinks / nodes) throw ConfigurationError(too_large);
    nodes *= static_cast<std::uint64_t>(k);
  }
  if (nodes * static_cast<std::uint64_t>(n) > kMaxLinks) throw ConfigurationError(too_large);
  k_ = static_cast<std::uint32_t>(k);
  n_ = static_cast<unsigned>(n);
  node_count_ = static_cast<std::uint32_t>(nodes);
}

void KnsShape::check(KnsLink link) const {
  if (link.node >= node_count_ || link.dimension >= n_)
    throw ConfigurationError(formatted("link %1%:%2% is not in %3%: routers are 0 … %4%, dimensions 0 … %5%",
                                       link.node, link.dimension, description(), node_count_ - 1, n_ - 1));
}

std::string KnsShape::description() const {
  return formatted("KNS(%1%, %2%)", k_, n_);
}

}  // namespace flitmend
