// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "protocols/routing/registry.h"
#include "topologies/registry.h"

namespace flitmend {

/// A routing algorithm, and topologies on which to try it.
struct RoutingCase {
  RoutingEntry entry;
  std::vector<TopologyEntry> topologies;
};

/// What every routing algorithm must hold to, whatever it is: every_routing_algorithm.cpp tests its entry's
/// promises on the examples of the topologies. A test program instantiates this suite for its entries.
class EveryRoutingAlgorithm : public testing::TestWithParam<RoutingCase> {
 public:
  /// One way to configure it on one network.
  struct Configuration {
    const Topology& topology;
    RoutingSettings settings;
    RoutingProperties properties;
    std::string text;  ///< for messages

    std::unique_ptr<RoutingFunction> make(unsigned virtual_channels) const;
    std::unique_ptr<RoutingFunction> make() const { return make(properties.virtual_channels); }
    const RoutingEntry* entry;
  };

 protected:
  EveryRoutingAlgorithm();
  const RoutingEntry& entry() const { return GetParam().entry; }
  /// The default options and those of the entry's examples.
  std::vector<RoutingSettings> settings() const;
  /// With these options, on every network where algorithm and options apply.
  std::vector<Configuration> configurations(const RoutingSettings&) const;
  /// With all options.
  std::vector<Configuration> configurations() const;

 private:
  std::vector<std::unique_ptr<Topology>> networks_;
};

/// Every registered algorithm on the examples of the given topologies.
std::vector<RoutingCase> registered_algorithms_on(const std::vector<TopologyEntry>&);

inline void PrintTo(const RoutingCase& c, std::ostream* out) {
  *out << c.entry.name;
}
std::string routing_test_name(const testing::TestParamInfo<RoutingCase>&);

}  // namespace flitmend
