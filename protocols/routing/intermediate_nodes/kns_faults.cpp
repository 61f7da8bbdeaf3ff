// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/intermediate_nodes/kns_faults.h"

#include "base/errors.h"
#include "base/text.h"
#include "protocols/routing/subnetwork_routes.h"
#include "topologies/limits.h"

namespace flitmend {

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
