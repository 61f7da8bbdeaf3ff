// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/kns_shape.h"

#include "base/errors.h"
#include "base/text.h"
#include "protocols/routing/subnetwork_routes.h"
#include "topologies/topology.h"

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

KnsFaults::KnsFaults(const KnsShape& shape, std::span<const KnsLink> dead_links) : shape_(shape) {
  if (shape.node_count() > kMaxNodes || shape.k() > kMaxSwitchPorts)
    throw ConfigurationError(
        formatted("%1% is too large for routing tables: at most %2% routers and %3% ports per switch",
                  shape.description(), kMaxNodes, kMaxSwitchPorts));
  dead_.assign(mask_words(shape.link_count()), 0);
  digits_.reserve(shape.link_count());
  for (std::uint32_t node = 0; node < shape.node_count(); ++node)
    for (unsigned i = 0; i < shape.n(); ++i)
      digits_.push_back(static_cast<std::uint16_t>(shape.digit(node, i)));
  for (const KnsLink& link : dead_links) fail(link);
}

void KnsFaults::fail(KnsLink link) {
  shape_.check(link);
  set_bit(dead_.data(), shape_.number_of(link));
}

unsigned KnsFaults::hops(std::uint32_t from, std::uint32_t to) const {
  unsigned different = 0;
  for (unsigned i = 0; i < shape_.n(); ++i) different += digit(from, i) != digit(to, i);
  return different;
}

bool KnsFaults::clean(std::uint32_t from, std::uint32_t to) const {
  std::uint32_t at = from;
  for (unsigned i = 0; i < shape_.n(); ++i) {
    const std::uint32_t a = digit(from, i);
    const std::uint32_t b = digit(to, i);
    if (a == b) continue;
    if (dead(at, i)) return false;
    at += b * shape_.power(i) - a * shape_.power(i);
    if (dead(at, i)) return false;
  }
  return true;
}

KnsFaults kns_faults_of(const SwitchedGrid& kns, const FaultSet& faults) {
  KnsFaults dead(KnsShape(kns.radix(0), kns.dimensions()));
  for (NodeId node = 0; node < kns.node_count(); ++node)
    for (unsigned i = 0; i < kns.dimensions(); ++i)
      if (link_faulty(kns, faults, node, i)) dead.fail({node, i});
  SubnetworkRoutes routes(kns);
  routes.update_faults(faults);
  for (const SubnetworkLink& link : routes.links_cut_off()) dead.fail({link.node, link.dimension});
  return dead;
}

}  // namespace flitmend
