// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>

#include "protocols/routing/settings.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// A routing algorithm in two virtual networks, requests in one and replies in the other: each is routed as
/// if the other one did not exist. Virtual channels 0 … n − 1 of every physical channel are those of
/// requests, n … 2n − 1 those of replies, at injection and ejection too. The virtual channel on which a head
/// arrived gives its class.
class VirtualNetworks : public RoutingFunction {
 public:
  /// Two instances of the same algorithm, each with `vcs` virtual channels.
  VirtualNetworks(const Topology&, std::unique_ptr<RoutingFunction> requests,
                  std::unique_ptr<RoutingFunction> replies, unsigned vcs);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return requests().max_candidates(); }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override {
    return requests().initial_state(source, destination, random);
  }
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override {
    return requests().initial_states(source, destination);
  }
  bool looks_at_outputs() const override { return requests().looks_at_outputs(); }
  bool has_escape_channels() const override { return requests().has_escape_channels(); }
  bool randomised() const override { return requests().randomised(); }
  bool knows_all_faults() const override { return requests().knows_all_faults(); }
  void update_faults(const FaultSet&) override;
  void set_seed(std::uint64_t) override;
  void read_registers(RouterId, const RouterState&) override;
  bool needs_management() const override { return requests().needs_management(); }
  std::uint64_t recomputation_cycles() const override { return requests().recomputation_cycles(); }
  RouteTableSize table_size() const override { return requests().table_size(); }
  bool names_intermediates() const override { return requests().names_intermediates(); }
  IntermediateFields intermediate_fields(std::uint64_t h) const override {
    return requests().intermediate_fields(h);
  }
  VcMask class_vcs(RouterId, PortId, unsigned vc_class) const override;
  unsigned classes() const override { return 2 * requests().classes(); }
  unsigned message_classes() const override { return 2; }
  VcMask message_class_vcs(unsigned message_class) const override;

  /// The algorithm as it is in one of the networks.
  const RoutingFunction& requests() const { return *networks_[0]; }

 private:
  std::array<std::unique_ptr<RoutingFunction>, 2> networks_;
  unsigned vcs_;
};

/// The configured algorithm in two virtual networks, each with half of the virtual channels. Throws
/// ConfigurationError as make_routing does, and if the number of virtual channels is odd.
std::unique_ptr<RoutingFunction> make_virtual_networks(const Topology&, unsigned virtual_channels,
                                                       const RoutingSettings&);

}  // namespace flitmend
