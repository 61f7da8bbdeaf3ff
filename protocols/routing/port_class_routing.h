// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/bits.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/partitioned_routing.h"

namespace flitmend {

/// A routing function of grids whose classes exist only in some directions. At every port, the virtual
/// channels are spread evenly over the classes that exist there, in their order.
class PortClassRouting : public GridRouting {
 public:
  VcMask class_vcs(RouterId router, PortId port, unsigned vc_class) const override {
    if (port == local_port(router)) return all_;
    return masks_[direction(router, port) * classes_ + vc_class];
  }
  unsigned classes() const override { return classes_; }

 protected:
  /// exists(dimension, plus, vc_class): whether the class exists at ports in that direction. At each port at
  /// least one class does.
  template <class Exists>
  PortClassRouting(const Topology& topology, unsigned vcs, unsigned classes, Exists&& exists)
      : GridRouting(topology, {low_bits(vcs)}), classes_(classes), all_(low_bits(vcs)) {
    for (unsigned dimension = 0; dimension < grid_.dimensions(); ++dimension)
      for (const bool plus : {true, false}) {
        unsigned present = 0;
        for (unsigned c = 0; c < classes; ++c) present += exists(dimension, plus, c);
        const std::vector<VcMask> shares = spread_evenly(vcs, present);
        auto share = shares.begin();
        for (unsigned c = 0; c < classes; ++c) masks_.push_back(exists(dimension, plus, c) ? *share++ : 0);
      }
  }

 private:
  std::size_t direction(RouterId router, PortId port) const {
    return 2 * grid_.port_dimension(port) + !grid_.port_is_plus(router, port);
  }

  unsigned classes_;
  VcMask all_;
  std::vector<VcMask> masks_;  ///< by direction, by class
};

}  // namespace flitmend
