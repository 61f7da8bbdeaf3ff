// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_topology.h"

#include <deque>
#include <numeric>
#include <set>

#include "topologies/grid.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// Channels from one router to all others, by breadth-first search over those that carry flits.
std::vector<std::uint32_t> distances(const Topology& t, RouterId from) {
  constexpr std::uint32_t kFar = ~0u;
  std::vector<std::uint32_t> d(t.router_count(), kFar);
  d[from] = 0;
  for (std::deque<RouterId> todo{from}; !todo.empty(); todo.pop_front())
    for (PortId p = 0; p < t.port_count(todo.front()); ++p)
      if (const auto far = t.neighbour(todo.front(), p);
          t.carries_flits(todo.front(), p) && d[far->router] == kFar) {
        d[far->router] = d[todo.front()] + 1;
        todo.push_back(far->router);
      }
  return d;
}

/// f(router, port, far end) for every channel.
template <class F>
void for_each_channel(const Topology& t, F&& f) {
  for (RouterId r = 0; r < t.router_count(); ++r)
    for (PortId p = 0; p < t.port_count(r); ++p)
      if (const auto far = t.neighbour(r, p)) f(r, p, *far);
}

}  // namespace

TEST_P(EveryTopology, DescribesItselfAndNamesItsSize) {
  const TopologyEntry& entry = GetParam();
  EXPECT_FALSE(entry.description.empty());
  EXPECT_FALSE(entry.size_keys.empty());
  EXPECT_EQ(entry.make(entry.default_size)->name(), entry.name);
  std::set<std::string> descriptions;
  for (const auto& t : examples()) {
    EXPECT_EQ(t->name(), entry.name);
    EXPECT_LE(t->node_count(), 72u) << t->description() << ": examples are small";
    descriptions.insert(t->description());
  }
  EXPECT_EQ(descriptions.size(), entry.examples.size()) << "two examples have one description";
  EXPECT_GE(descriptions.size(), 3u) << "give several examples: even, odd and mixed sizes";
}

TEST_P(EveryTopology, EveryLinkLeadsBack) {
  for (const auto& t : examples()) {
    std::uint64_t channels = 0;
    for_each_channel(*t, [&](RouterId r, PortId p, RouterPort far) {
      channels += t->carries_flits(r, p);
      EXPECT_TRUE(t->carries_flits(r, p) || t->carries_flits(far.router, far.port)) << t->description();
      EXPECT_TRUE(t->carries_flits(r, p) || t->has_one_way_links()) << t->description();
      ASSERT_LT(far.router, t->router_count());
      ASSERT_EQ(t->neighbour(far.router, far.port), (RouterPort{r, p}))
          << t->description() << ' ' << r << ' ' << p;
    });
    EXPECT_EQ(t->channel_count(), channels) << t->description();
  }
}

TEST_P(EveryTopology, DistanceAndDiameterAreThoseOfTheGraph) {
  for (const auto& t : examples()) {
    std::uint32_t greatest = 0;
    for (NodeId a = 0; a < t->node_count(); ++a) {
      const std::vector<std::uint32_t> d = distances(*t, a);
      for (NodeId b = 0; b < t->node_count(); ++b) {
        ASSERT_EQ(t->distance(a, b), d[b]) << t->description() << ' ' << a << ' ' << b;
        greatest = std::max(greatest, d[b]);
      }
      for (RouterId r = t->node_count(); r < t->router_count(); ++r)
        ASSERT_NE(d[r], ~0u) << t->description() << ": no route to " << t->router_name(r);
    }
    EXPECT_EQ(t->diameter(), greatest) << t->description();
  }
}

TEST_P(EveryTopology, CoordinatesNameEveryNodeOnce) {
  for (const auto& t : examples()) {
    ASSERT_GE(t->dimensions(), 1u);
    ASSERT_LE(t->dimensions(), kMaxDimensions);
    EXPECT_EQ(std::accumulate(t->radices().begin(), t->radices().end(), NodeId{1}, std::multiplies<>()),
              t->node_count())
        << t->description();
    std::set<std::string> names;
    for (RouterId r = 0; r < t->router_count(); ++r) {
      names.insert(t->router_name(r));
      if (t->is_switch(r)) continue;
      const std::vector<std::uint32_t> x = t->coordinates(r);
      ASSERT_EQ(x.size(), t->dimensions());
      EXPECT_EQ(t->node_at(std::vector<std::int64_t>(x.begin(), x.end())), r) << t->description();
      for (unsigned i = 0; i < t->dimensions(); ++i) EXPECT_EQ(t->coordinate(r, i), x[i]);
    }
    EXPECT_EQ(names.size(), t->router_count()) << t->description();
  }
}

TEST_P(EveryTopology, PortsOfARouterHaveDifferentNames) {
  for (const auto& t : examples())
    for (RouterId r = 0; r < t->router_count(); ++r) {
      std::set<std::string> names;
      for (PortId p = 0; p <= t->port_count(r); ++p) names.insert(t->port_name(r, p));
      ASSERT_EQ(names.size(), t->port_count(r) + 1u) << t->description();
      EXPECT_TRUE(names.contains("local"));
    }
}

TEST_P(EveryTopology, LinksGoWhereTheirDirectionSays) {
  for (const auto& t : examples())
    for_each_channel(*t, [&](RouterId r, PortId p, RouterPort far) {
      const auto there = t->direction(r, p), back = t->direction(far.router, far.port);
      const std::string where = t->description() + " " + t->router_name(r) + "." + t->port_name(r, p);
      ASSERT_EQ(there.has_value(), back.has_value()) << where;
      if (!there) return;
      ASSERT_EQ(*back, (LinkDirection{there->dimension, -there->sign, there->wraps})) << where;
      if (there->sign == 0) {
        ASSERT_TRUE(t->is_switch(r) || t->is_switch(far.router)) << where;
        return;
      }
      ASSERT_LT(there->dimension, t->dimensions()) << where;
      for (unsigned i = 0; i < t->dimensions(); ++i) {
        const auto from = static_cast<int>(t->coordinate(r, i));
        const auto to = static_cast<int>(t->coordinate(far.router, i));
        int step = i == there->dimension ? there->sign : 0;
        if (i == there->dimension && there->wraps) step *= 1 - static_cast<int>(t->radix(i));
        ASSERT_EQ(to - from, step) << where;
      }
    });
}

TEST_P(EveryTopology, TheTransposeOfATransposeIsTheNodeItself) {
  for (const auto& t : examples()) {
    const std::vector<unsigned> from = t->transposition();
    ASSERT_EQ(from.size(), t->dimensions());
    for (unsigned i = 0; i < t->dimensions(); ++i) {
      ASSERT_LT(from[i], t->dimensions());
      EXPECT_EQ(from[from[i]], i) << t->description();
    }
  }
}

TEST_P(EveryTopology, TheBisectionIsSomeOfTheChannels) {
  for (const auto& t : examples()) {
    const std::uint64_t bisection = t->bisection_channels();
    EXPECT_GT(bisection, 0u) << t->description();
    EXPECT_LE(bisection, t->channel_count()) << t->description();
    if (!structure_of<Grid>(*t)) continue;
    // Of a grid: the fewest channels across the middle of a dimension.
    std::uint64_t fewest = ~std::uint64_t{0};
    for (unsigned i = 0; i < t->dimensions(); ++i) {
      if (t->radix(i) == 1) continue;
      const auto low = [&](RouterId r) { return 2 * t->coordinate(r, i) < t->radix(i); };
      std::uint64_t crossing = 0;
      for_each_channel(*t,
                       [&](RouterId r, PortId, RouterPort far) { crossing += low(r) != low(far.router); });
      fewest = std::min(fewest, crossing);
    }
    EXPECT_EQ(bisection, fewest) << t->description();
  }
}

}  // namespace flitmend
