// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_selection.h"

#include "support/allocation_counter.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

/// Some free virtual channels and credits at every output.
struct SomeOutputs final : OutputStatus {
  explicit SomeOutputs(RandomStream& random) : bits(random.bits()) {}
  VcMask free_vcs(PortId port) const override { return (bits >> port % 16 | 1) & 0xf; }
  unsigned credits(PortId port) const override { return bits >> port % 16 & 0x1f; }
  std::uint32_t bits;
};

/// A head at a router, some candidates in the order of a routing function, and which of them are free.
struct WaitingHead {
  RouterId here = 0;
  PortId arrival_port = RouteRequest::kInjected;
  std::vector<RouteCandidate> candidates;
  std::vector<VcMask> available;

  WaitingHead(const Topology& t, RouterId router, RandomStream& random) : here(router) {
    std::vector<PortId> ports;
    for (PortId port = 0; port < t.port_count(here); ++port)
      if (t.neighbour(here, port)) ports.push_back(port);
    if (random.below(4) != 0) arrival_port = ports[random.below(static_cast<std::uint32_t>(ports.size()))];
    ports.push_back(t.port_count(here));  // the local port: a message may leave the network on its way
    for (std::size_t i = ports.size(); i > 1; --i)
      std::swap(ports[i - 1], ports[random.below(static_cast<std::uint32_t>(i))]);
    ports.resize(1 + random.below(static_cast<std::uint32_t>(ports.size())));
    for (const PortId port : ports) {
      candidates.push_back({.port = port});
      available.push_back(random.below(3) == 0 ? 0 : 1 + random.below(15));
    }
    available[random.below(static_cast<std::uint32_t>(ports.size()))] |= 1;
  }

  unsigned free() const {
    return static_cast<unsigned>(available.size()) -
           static_cast<unsigned>(std::count(available.begin(), available.end(), VcMask{0}));
  }
  unsigned choose(const SelectionFunction& selection, RandomStream& random,
                  const OutputStatus& outputs) const {
    const RouteRequest request{here, 0, 0, arrival_port, 0, 0, nullptr, &random};
    return selection.select(request, candidates.data(), available.data(),
                            static_cast<unsigned>(candidates.size()), outputs);
  }
};

/// f(network, its selection function) for the examples of every topology.
template <class F>
void for_each_selection(const SelectionEntry& entry, F&& f) {
  for (const TopologyEntry& topology : topologies().entries())
    for (const auto& network : make_examples(topology)) {
      SCOPED_TRACE(network->description());
      f(*network, *entry.make(*network));
    }
}

}  // namespace

TEST_P(EverySelection, DescribesItself) {
  EXPECT_FALSE(GetParam().description.empty());
}

TEST_P(EverySelection, ChoosesWhatIsFree) {
  for_each_selection(GetParam(), [](const Topology& t, const SelectionFunction& selection) {
    RandomStream random(1, RandomPurpose::test), own(1, RandomPurpose::selection);
    for (int i = 0; i < 400; ++i) {
      const WaitingHead head(t, random.below(t.router_count()), random);
      const unsigned chosen = head.choose(selection, own, SomeOutputs(random));
      ASSERT_LT(chosen, head.candidates.size());
      ASSERT_NE(head.available[chosen], 0u) << "candidate " << chosen << " is not free";
    }
  });
}

TEST_P(EverySelection, DrawsOnlyWhereThereIsAChoice) {
  for_each_selection(GetParam(), [](const Topology& t, const SelectionFunction& selection) {
    RandomStream random(2, RandomPurpose::test);
    for (int i = 0; i < 200; ++i) {
      const WaitingHead head(t, random.below(t.router_count()), random);
      if (head.free() > 1) continue;
      RandomStream own(i, RandomPurpose::selection);
      head.choose(selection, own, SomeOutputs(random));
      ASSERT_EQ(own.bits(), RandomStream(i, RandomPurpose::selection).bits());
    }
  });
}

// Routers are evaluated in different orders.
TEST_P(EverySelection, DependsOnTheRoutersOwnPastAlone) {
  for_each_selection(GetParam(), [](const Topology& t, const SelectionFunction& selection) {
    if (t.router_count() < 2) return;
    const auto alone = GetParam().make(t);
    RandomStream random(3, RandomPurpose::test);
    const RouterId router = t.router_count() - 1;
    RandomStream own(5, RandomPurpose::selection), same(5, RandomPurpose::selection), others;
    for (int i = 0; i < 100; ++i) {
      const SomeOutputs outputs(random);
      const WaitingHead elsewhere(t, random.below(router), random), here(t, router, random);
      elsewhere.choose(selection, others, outputs);
      ASSERT_EQ(here.choose(selection, own, outputs), here.choose(*alone, same, outputs));
    }
  });
}

TEST_P(EverySelection, AllocatesNothing) {
  for_each_selection(GetParam(), [](const Topology& t, const SelectionFunction& selection) {
    RandomStream random(4, RandomPurpose::test), own(4, RandomPurpose::selection);
    for (int i = 0; i < 20; ++i) {
      const WaitingHead head(t, random.below(t.router_count()), random);
      const SomeOutputs outputs(random);
      const std::uint64_t before = allocations();
      head.choose(selection, own, outputs);
      ASSERT_EQ(allocations(), before);
    }
  });
}

}  // namespace flitmend
