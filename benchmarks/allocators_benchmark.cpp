// SPDX-License-Identifier: Apache-2.0
// The allocators alone: one cycle of a router whose virtual channels make random requests, over sets of
// requests that were drawn in advance.
#include <benchmark/benchmark.h>

#include <systemc>
#include <vector>

#include "base/random_stream.h"
#include "rtl_tlm/router/parts/switch_allocator.h"
#include "rtl_tlm/router/parts/vc_allocator.h"

namespace flitmend {
namespace {

constexpr unsigned kSets = 256;

/// Arguments: ports, virtual channels per port, percentage of virtual channels with a request.
struct Shape {
  explicit Shape(const benchmark::State& state)
      : ports(static_cast<unsigned>(state.range(0))),
        vcs(static_cast<unsigned>(state.range(1))),
        percent(static_cast<unsigned>(state.range(2))) {}
  unsigned ports, vcs, percent;
};

/// Calls ask(set, input, id) for every virtual channel with a request.
template <class Ask>
void draw(const Shape& shape, RandomStream& random, Ask&& ask) {
  for (unsigned set = 0; set < kSets; ++set)
    for (unsigned in = 0; in < shape.ports; ++in)
      for (unsigned vc = 0; vc < shape.vcs; ++vc)
        if (random.below(100) < shape.percent) ask(set, in, in * shape.vcs + vc);
}

void vc_allocator(benchmark::State& state) {
  const Shape shape(state);
  RandomStream random(1, RandomPurpose::test, 0);
  std::vector<std::vector<VcAllocator::Request>> sets(kSets);
  std::int64_t requests = 0;
  draw(shape, random, [&](unsigned set, unsigned, unsigned id) {
    sets[set].push_back({static_cast<std::uint16_t>(id),
                         static_cast<std::uint16_t>(random.below(shape.ports)),
                         1 + random.below((1u << shape.vcs) - 1), 0});
    ++requests;
  });
  VcAllocator allocator(shape.ports * shape.vcs, shape.vcs, 1);
  for (auto _ : state)
    for (auto& set : sets) {
      allocator.allocate(set);
      benchmark::DoNotOptimize(set.data());
    }
  state.SetItemsProcessed(state.iterations() * requests);
}

void switch_allocator(benchmark::State& state) {
  const Shape shape(state);
  RandomStream random(1, RandomPurpose::test, 1);
  struct Set {
    std::vector<Word> asking;           // by id
    std::vector<std::uint16_t> output;  // by id
  };
  const unsigned ids = shape.ports * shape.vcs;
  std::vector<Set> sets(kSets, {std::vector<Word>(mask_words(ids)), std::vector<std::uint16_t>(ids)});
  std::int64_t requests = 0;
  draw(shape, random, [&](unsigned set, unsigned, unsigned id) {
    set_bit(sets[set].asking.data(), id);
    sets[set].output[id] = static_cast<std::uint16_t>(random.below(shape.ports));
    ++requests;
  });
  SwitchAllocator allocator(shape.ports, shape.vcs, 1);
  std::vector<std::uint16_t> granted(ids);
  for (auto _ : state)
    for (const Set& set : sets)
      benchmark::DoNotOptimize(allocator.allocate(
          set.asking.data(), [&](unsigned id) -> unsigned { return set.output[id]; }, granted.data()));
  state.SetItemsProcessed(state.iterations() * requests);
}

// A mesh router under light and heavy load, and a KNS switch.
void shapes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"ports", "vcs", "percent"})->Args({5, 4, 10})->Args({5, 4, 60})->Args({64, 3, 30});
}
BENCHMARK(vc_allocator)->Apply(shapes);
BENCHMARK(switch_allocator)->Apply(shapes);

}  // namespace
}  // namespace flitmend
