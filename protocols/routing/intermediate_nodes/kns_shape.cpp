// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/kns_shape.h"

#include "base/errors.h"

namespace flitmend {

KnsShape::KnsShape(std::int64_t k, std::int64_t n) {
  if (k < 2)
    throw ConfigurationError("k is " + std::to_string(k) +
                             ": a KNS network needs at least 2 routers per switch");
  if (n < 1)
    throw ConfigurationError("n is " + std::to_string(n) + ": a KNS network needs at least 1 dimension");
  const std::string too_large = "KNS(" + std::to_string(k) + ", " + std::to_string(n) + ") has more than " +
                                std::to_string(kMaxLinks) +
                                " links, the limit of the analysis; use a smaller k or n";
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
    throw ConfigurationError("link " + std::to_string(link.node) + ":" + std::to_string(link.dimension) +
                             " is not in " + description() + ": routers are 0 … " +
                             std::to_string(node_count_ - 1) + ", dimensions 0 … " + std::to_string(n_ - 1));
}

std::string KnsShape::description() const {
  return "KNS(" + std::to_string(k_) + ", " + std::to_string(n_) + ")";
}

}  // namespace flitmend
