// SPDX-License-Identifier: Apache-2.0
#include "topologies/subnetwork.h"

#include "base/errors.h"
#include "base/text.h"
#include "topologies/topology.h"

namespace flitmend {

namespace {

std::string_view word(SubnetworkKind kind) {
  return kSubnetworkKinds[static_cast<std::size_t>(kind)].name;
}

/// s with r^s = k; 0: there is none.
unsigned logarithm(std::uint32_t k, std::uint32_t r) {
  std::uint64_t power = r;
  unsigned s = 1;
  while (power < k) {
    power *= r;
    ++s;
  }
  return power == k ? s : 0;
}

/// "2 or 4": the r with r^s = k for some s ≥ 2; empty: there is none.
std::string roots(std::uint32_t k) {
  std::string text;
  for (std::uint32_t r = 2; r <= k / r; ++r)
    if (logarithm(k, r)) text += (text.empty() ? "" : " or ") + std::to_string(r);
  return text;
}

void check_arity(SubnetworkKind kind, std::uint32_t k, std::uint32_t arity) {
  const std::string name(word(kind)), size = formatted("k = %1%", k);
  if (kind == SubnetworkKind::one_switch) {
    if (arity != 0)
      throw KeyError("network.arity",
                     formatted("%1%; a subnetwork of one switch has none: remove it, or set "
                               "network.subnetwork to fat-tree or ruft",
                               arity),
                     {"network.subnetwork"});
    return;
  }
  if (k > kMaxSubnetworkEnds)
    throw KeyError("network.k",
                   formatted("%1%; a subnetwork %2% joins at most %3%: use a smaller k with more dimensions, "
                             "or subnetwork switch",
                             k, name, kMaxSubnetworkEnds),
                   {"network.subnetwork"});
  const std::string fitting = roots(k);
  if (fitting.empty())
    throw KeyError("network.k",
                   formatted("%1%; subnetwork %2% needs a power of its arity with at least 2 stages, as 8 = "
                             "2^3 or 9 = 3^2: use another k, or subnetwork switch",
                             k, name),
                   {"network.subnetwork"});
  if (arity == 0)
    throw KeyError("network.arity",
                   "missing; subnetwork " + name + " of " + size + " needs it: use " + fitting,
                   {"network.subnetwork", "network.k"});
  if (arity < 2 || logarithm(k, arity) < 2)
    throw KeyError(
        "network.arity",
        formatted("%1%; subnetwork %2% of %3% has at least 2 stages, and k is a power of the arity: use %4%",
                  arity, name, size, fitting),
        {"network.subnetwork", "network.k"});
}

}  // namespace

Subnetwork::Subnetwork(SubnetworkKind kind, std::uint32_t k, std::uint32_t arity)
    : kind_(kind), k_(k), arity_(kind == SubnetworkKind::one_switch ? k : arity), powers_{1} {
  check_arity(kind, k, arity);
  per_stage_ = k / arity_;
  while (powers_.back() < per_stage_) powers_.push_back(powers_.back() * arity_);
}

std::uint32_t Subnetwork::distance(std::uint32_t from, std::uint32_t to) const {
  if (one_way()) return stages() + 1;
  std::uint32_t at = entry(from).at, channels = 2;
  for (; !goes_down(at, to); channels += 2) at = above(at, 0).at;
  return channels;
}

std::string Subnetwork::description() const {
  if (one_switch()) return "";
  return formatted("with %1%-ary %2%", arity_, one_way() ? "RUFTs" : "fat trees");
}

std::string Subnetwork::port_name(std::uint32_t, PortId port) const {
  if (one_switch()) return "port" + std::to_string(port);
  if (port < arity_) return (one_way() ? "in" : "down") + std::to_string(port);
  return (one_way() ? "out" : "up") + std::to_string(port - arity_);
}

}  // namespace flitmend
