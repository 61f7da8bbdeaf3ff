// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "protocols/routing/settings.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// Virtual channels of every physical channel: `count` of them from `first` on.
struct VcRange {
  unsigned first = 0;
  unsigned count = 0;

  VcMask mask() const { return low_bits(count) << first; }
  friend bool operator==(const VcRange&, const VcRange&) = default;
};

/// A routing algorithm in several virtual networks, each with virtual channels of its own on every physical
/// channel, at injection and ejection too. Each is routed as if the others did not exist. Messages of a class
/// stay in one network; several classes may have the same one. The virtual channel on which a head arrived
/// gives its network.
class VirtualNetworks : public RoutingFunction {
 public:
  /// Instances of the same algorithm. network_of: the number of the network, by class of messages.
  VirtualNetworks(const Topology&, const std::vector<VcRange>&,
                  std::vector<std::unique_ptr<RoutingFunction>> instances, std::vector<unsigned> network_of);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return max_candidates_; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override {
    return first().initial_state(source, destination, random);
  }
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override {
    return first().initial_states(source, destination);
  }
  bool looks_at_outputs() const override { return first().looks_at_outputs(); }
  bool has_escape_channels() const override { return first().has_escape_channels(); }
  bool randomised() const override { return first().randomised(); }
  bool knows_all_faults() const override { return first().knows_all_faults(); }
  void update_faults(const FaultSet&) override;
  void set_seed(std::uint64_t) override;
  void read_registers(RouterId, const RouterState&) override;
  bool needs_management() const override { return first().needs_management(); }
  std::uint64_t recomputation_cycles() const override { return first().recomputation_cycles(); }
  RouteTableSize table_size() const override { return first().table_size(); }
  bool names_intermediates() const override { return first().names_intermediates(); }
  IntermediateFields intermediate_fields(std::uint64_t h) const override {
    return first().intermediate_fields(h);
  }
  VcMask class_vcs(RouterId, PortId, unsigned vc_class) const override;
  unsigned classes() const override { return classes_; }
  unsigned message_classes() const override { return static_cast<unsigned>(network_of_.size()); }
  VcMask message_class_vcs(unsigned message_class) const override;

  /// The algorithm as it is in the first network.
  const RoutingFunction& first() const { return *networks_.front().routing; }

 private:
  struct Network {
    VcRange vcs;
    std::unique_ptr<RoutingFunction> routing;
    unsigned first_class;  ///< of its classes of virtual channels, among those of all networks
  };

  std::vector<Network> networks_;
  std::vector<unsigned> network_of_;
  std::array<std::uint8_t, kMaxVirtualChannels> network_of_vc_{};
  unsigned classes_ = 0;
  unsigned max_candidates_ = 0;
};

/// The configured algorithm in two virtual networks, requests in the first and replies in the second, each
/// with half of the virtual channels. Throws ConfigurationError as make_routing does, and if the number of
/// virtual channels is odd.
std::unique_ptr<RoutingFunction> make_virtual_networks(const Topology&, unsigned virtual_channels,
                                                       const RoutingSettings&);
/// The configured algorithm in those networks. Throws ConfigurationError as make_routing does.
std::unique_ptr<RoutingFunction> make_virtual_networks(const Topology&, const std::vector<VcRange>&,
                                                       std::vector<unsigned> network_of,
                                                       const RoutingSettings&);

}  // namespace flitmend
