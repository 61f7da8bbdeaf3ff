// SPDX-License-Identifier: Apache-2.0
// Both allocators against iSLIP as described in [McKeown99], one request at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random_stream.h"
#include "rtl_tlm/router/parts/switch_allocator.h"
#include "rtl_tlm/router/parts/vc_allocator.h"

namespace flitmend {
namespace {

/// The first of `numbers` (all below `size`) after `last`, wrapping around.
unsigned next_after(const std::set<unsigned>& numbers, unsigned last, unsigned size) {
  return *std::min_element(numbers.begin(), numbers.end(), [&](unsigned a, unsigned b) {
    return (a + size - last - 1) % size < (b + size - last - 1) % size;
  });
}

/// iSLIP between inputs and outputs. The pointers are those of the paper minus 1.
struct Islip {
  Islip(unsigned input_count, unsigned output_count)
      : last_input(output_count, input_count - 1), last_output(input_count, output_count - 1) {}

  /// wishes[input]: the outputs that it requests. Returns the output by input.
  std::map<unsigned, unsigned> match(std::map<unsigned, std::set<unsigned>> wishes, unsigned iterations) {
    std::map<unsigned, unsigned> matched;
    for (unsigned iteration = 0; iteration < iterations; ++iteration) {
      std::map<unsigned, std::set<unsigned>> asked, granted;
      for (const auto& [input, outputs] : wishes)
        for (const unsigned output : outputs) asked[output].insert(input);
      for (const auto& [output, inputs] : asked)
        granted[next_after(inputs, last_input[output], static_cast<unsigned>(last_output.size()))].insert(
            output);
      for (const auto& [input, outputs] : granted) {
        const unsigned output = accepted(input, outputs);
        matched[input] = output;
        if (iteration == 0) last_input[output] = input, last_output[input] = output;
        wishes.erase(input);
        for (auto& [other, rest] : wishes) rest.erase(output);
      }
    }
    return matched;
  }
  virtual unsigned accepted(unsigned input, const std::set<unsigned>& outputs) {
    return next_after(outputs, last_output[input], static_cast<unsigned>(last_input.size()));
  }
  virtual ~Islip() = default;

  std::vector<unsigned> last_input, last_output;
};

/// iSLIP over virtual channels: a head whose previous virtual channel was at another port starts at the first
/// one.
struct VcIslip : Islip {
  VcIslip(unsigned ids, unsigned channels) : Islip(ids, ids), vcs(channels) {}
  unsigned accepted(unsigned input, const std::set<unsigned>& outputs) override {
    const unsigned base = *outputs.begin() / vcs * vcs, last = last_output[input];
    return last / vcs * vcs == base ? next_after(outputs, last, 1u << 16) : *outputs.begin();
  }
  unsigned vcs;
};

struct Sizes {
  unsigned ports, vcs, iterations;
};
void PrintTo(const Sizes& s, std::ostream* out) {
  *out << s.ports << " ports of " << s.vcs << ", iterations " << s.iterations;
}

/// Masks of one word and of several, which are different code.
class IslipOf : public testing::TestWithParam<Sizes> {};

INSTANTIATE_TEST_SUITE_P(Sizes, IslipOf,
                         testing::Values(Sizes{5, 4, 1}, Sizes{5, 4, 2}, Sizes{5, 4, 3}, Sizes{3, 21, 2},
                                         Sizes{2, 32, 1}, Sizes{64, 1, 2}, Sizes{5, 16, 1}, Sizes{5, 16, 3},
                                         Sizes{3, 64, 2}, Sizes{65, 1, 1}, Sizes{70, 2, 3}),
                         [](const testing::TestParamInfo<Sizes>& sizes) {
                           return std::to_string(sizes.param.ports) + "_ports_of_" +
                                  std::to_string(sizes.param.vcs) + "_iterations_" +
                                  std::to_string(sizes.param.iterations);
                         });

}  // namespace

TEST_P(IslipOf, TheVcAllocator) {
  const unsigned ports = GetParam().ports, vcs = GetParam().vcs, iterations = GetParam().iterations;
  const unsigned ids = ports * vcs;
  VcAllocator allocator(ids, vcs, iterations);
  VcIslip islip(ids, vcs);
  RandomStream random(1, RandomPurpose::test);
  for (int round = 0; round < 300; ++round) {
    std::vector<VcRequest> requests;
    std::map<unsigned, std::set<unsigned>> wishes;
    const std::uint32_t share = 1 + random.below(8);
    for (unsigned input = 0; input < ids; ++input) {
      if (random.below(share) != 0) continue;
      const unsigned port = random.below(ports);
      VcMask mask = random.bits64() & random.bits64() & low_bits(vcs);
      if (mask == 0) mask = 1;
      requests.push_back({static_cast<std::uint16_t>(input), static_cast<std::uint16_t>(port), mask, 0});
      for_each_bit(&mask, 1, [&](unsigned vc) { wishes[input].insert(port * vcs + vc); });
    }
    allocator.allocate(requests);
    const auto matched = islip.match(wishes, iterations);
    for (const VcRequest& r : requests)
      ASSERT_EQ(r.granted, matched.contains(r.input) ? matched.at(r.input) : unsigned{kNoVc})
          << "round " << round << ", input " << r.input;
  }
}

TEST_P(IslipOf, TheSwitchAllocator) {
  const auto [ports, vcs, iterations] = GetParam();
  const unsigned ids = ports * vcs;
  SwitchAllocator allocator(ports, vcs, iterations);
  Islip islip(ports, ports);
  std::vector<unsigned> last_vc(ports, vcs - 1);
  RandomStream random(2, RandomPurpose::test);
  for (int round = 0; round < 300; ++round) {
    std::vector<Word> asking(mask_words(ids));
    std::vector<unsigned> output_of(ids);
    std::map<unsigned, std::set<unsigned>> wishes;
    const std::uint32_t share = 1 + random.below(8);
    for (unsigned id = 0; id < ids; ++id) {
      if (random.below(share) != 0) continue;
      output_of[id] = random.below(ports);
      set_bit(asking.data(), id);
      wishes[id / vcs].insert(output_of[id]);
    }
    std::vector<std::uint16_t> granted(ids);
    granted.resize(allocator.allocate(
        asking.data(), [&](unsigned id) { return output_of[id]; }, granted.data()));
    std::vector<std::uint16_t> expected;
    for (const auto& [input, output] : islip.match(wishes, iterations)) {
      std::set<unsigned> those_that_ask;
      for (unsigned vc = 0; vc < vcs; ++vc)
        if (test_bit(asking.data(), input * vcs + vc) && output_of[input * vcs + vc] == output)
          those_that_ask.insert(vc);
      last_vc[input] = next_after(those_that_ask, last_vc[input], vcs);
      expected.push_back(static_cast<std::uint16_t>(input * vcs + last_vc[input]));
    }
    ASSERT_EQ(granted, expected) << "round " << round;
  }
}

}  // namespace flitmend
