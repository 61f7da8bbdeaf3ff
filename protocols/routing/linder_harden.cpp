// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// Linder and Harden's algorithm [Linder91]: a virtual network per combination of directions in the
/// dimensions above the lowest. A message goes in the network of its directions (drawn in dimensions without
/// hops), and takes any productive port. In one network no dimension but the lowest has channels in both
/// directions, and no message turns back in the lowest one, so the channel dependency graph has no cycle.
///
/// With rings every network has one more level per ring: a message rises by one level after every link that
/// wraps around. At a tie it goes in the + direction.
///
/// h: bits 0 to 31: the network; from bit 32 on: the level.
///
/// Classes: level · networks + network.
class LinderHarden : public PortClassRouting {
 public:
  /// Which networks and levels a grid needs.
  class Shape {
   public:
    explicit Shape(const Grid&);
    /// One bit of a network's number per dimension above the lowest that has two directions.
    unsigned networks() const { return 1u << directions_.size(); }
    unsigned levels() const { return levels_; }
    /// The networks of messages from a source to a destination: a bit per direction that is −, and the bits
    /// of dimensions in which there is no hop.
    struct Network {
      std::uint64_t fixed, drawn;
    };
    Network network(const Grid&, NodeId source, NodeId destination) const;
    bool exists(unsigned dimension, bool plus, unsigned vc_class) const;

   private:
    std::vector<unsigned> directions_;  ///< the dimensions that tell networks apart
    unsigned levels_ = 1;
  };

  /// The topology is a grid that needs at most 64 classes; as many virtual channels or more.
  LinderHarden(const Topology&, unsigned vcs);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return grid_.dimensions(); }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;

 private:
  LinderHarden(const Topology&, unsigned vcs, const Shape&);

  Shape shape_;
};

constexpr unsigned kLevelShift = 32;

std::uint64_t classes_on(const Grid& grid) {
  const LinderHarden::Shape shape(grid);
  return std::uint64_t{shape.networks()} * shape.levels();
}

/// "network 3 of level 1", by level and network.
std::string_view class_name(unsigned level, unsigned network) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (unsigned i = 0; i < kMaxVirtualChannels; ++i)
      for (unsigned j = 0; j < kMaxVirtualChannels; ++j)
        all.push_back(formatted("network %1% of level %2%", j, i));
    return all;
  }();
  return names[level * kMaxVirtualChannels + network];
}

bool has_few_enough_classes(const Topology& topology) {
  const Grid* const grid = structure_of<Grid>(topology);
  return grid && grid->dimensions() < kLevelShift && classes_on(*grid) <= kMaxVirtualChannels;
}

bool has_ties(const Grid& grid) {
  for (unsigned i = 0; i < grid.dimensions(); ++i)
    if (grid.wraps(i) && grid.radix(i) % 2 == 0) return true;
  return false;
}

}  // namespace

LinderHarden::Shape::Shape(const Grid& grid) {
  for (unsigned i = 0; i < grid.dimensions(); ++i) {
    // A ring of two nodes is only crossed in the + direction.
    if (i > 0 && grid.radix(i) > (grid.wraps(i) ? 2u : 1u)) directions_.push_back(i);
    levels_ += grid.wraps(i);
  }
}

LinderHarden::Shape::Network LinderHarden::Shape::network(const Grid& grid, NodeId source,
                                                          NodeId destination) const {
  Network n{0, 0};
  for (unsigned bit = 0; bit < directions_.size(); ++bit) {
    const std::int32_t left = grid.offset(source, destination, directions_[bit]);
    if (left < 0) n.fixed |= std::uint64_t{1} << bit;
    if (left == 0) n.drawn |= std::uint64_t{1} << bit;
  }
  return n;
}

bool LinderHarden::Shape::exists(unsigned dimension, bool plus, unsigned vc_class) const {
  const unsigned network = vc_class % networks();
  for (unsigned bit = 0; bit < directions_.size(); ++bit)
    if (directions_[bit] == dimension) return (network >> bit & 1) == !plus;
  return true;
}

LinderHarden::LinderHarden(const Topology& topology, unsigned vcs)
    : LinderHarden(topology, vcs, Shape(*structure_of<Grid>(topology))) {}

LinderHarden::LinderHarden(const Topology& topology, unsigned vcs, const Shape& shape)
    : PortClassRouting(topology, vcs, shape.networks() * shape.levels(),
                       [&](unsigned dimension, bool plus, unsigned vc_class) {
                         return shape.exists(dimension, plus, vc_class);
                       }),
      shape_(shape) {}

void LinderHarden::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  const auto network = static_cast<unsigned>(request.head_state & low_bits(kLevelShift));
  const auto level = static_cast<unsigned>(request.head_state >> kLevelShift);
  for (unsigned i = 0; i < grid_.dimensions(); ++i) {
    const std::int32_t left = grid_.offset(request.here, request.destination, i);
    if (left == 0) continue;
    const bool plus = left > 0;
    const PortId port = grid_.port(i, plus);
    if (!healthy(request, port)) continue;
    const bool wraps = grid_.wraps(i) && grid_.coordinate(request.here, i) == (plus ? grid_.radix(i) - 1 : 0);
    out.push({.head_state = network | std::uint64_t{level + wraps} << kLevelShift,
              .port = port,
              .vc_class = static_cast<std::uint8_t>(level * shape_.networks() + network)});
  }
}

std::uint64_t LinderHarden::initial_state(NodeId source, NodeId destination, RandomStream& random) const {
  const Shape::Network network = shape_.network(grid_, source, destination);
  return network.fixed | (network.drawn ? random.bits() & network.drawn : 0);
}

std::vector<std::uint64_t> LinderHarden::initial_states(NodeId source, NodeId destination) const {
  const Shape::Network network = shape_.network(grid_, source, destination);
  std::vector<std::uint64_t> all = subsets_of(network.drawn);
  for (std::uint64_t& h : all) h |= network.fixed;
  return all;
}

RoutingEntry linder_harden_routing() {
  return {
      .name = "linder-harden",
      .description =
          "fully adaptive minimal, a virtual network per combination of directions; with rings more "
          "levels of them",
      .reference = "[Linder91]",
      .structure = has_few_enough_classes,
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        const Grid& grid = *structure_of<Grid>(t);
        const LinderHarden::Shape shape(grid);
        RoutingProperties p{.adaptivity = has_ties(grid) ? Adaptivity::partial : Adaptivity::full,
                            .proof = DeadlockProof::dependency_graph,
                            .vc_classes = {},
                            .virtual_channels = shape.networks() * shape.levels()};
        for (unsigned level = 0; level < shape.levels(); ++level)
          for (unsigned network = 0; network < shape.networks(); ++network)
            p.vc_classes.push_back(class_name(level, network));
        return p;
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<LinderHarden>(t, vcs); },
  };
}

}  // namespace flitmend
