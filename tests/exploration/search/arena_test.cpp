// SPDX-License-Identifier: Apache-2.0
#include "exploration/search/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace flitmend {
namespace {

struct alignas(64) Line {
  std::uint64_t words[8] = {};
};

/// What is built inside.
struct World {
  std::vector<int> numbers;
  std::map<int, std::string> names;
  std::vector<std::unique_ptr<Line>> lines;
  std::vector<char> large;
};

World* make_world() {
  Arena::Inside inside;
  World* const world = new World;
  for (int i = 0; i < 1000; ++i) world->numbers.push_back(i);
  for (int i = 0; i < 50; ++i) world->names[i] = std::string(static_cast<std::size_t>(i), 'x');
  for (int i = 0; i < 20; ++i) world->lines.push_back(std::make_unique<Line>());
  world->large.assign(3'000'000, 'a');
  return world;
}

void change(World& world, int by) {
  Arena::Inside inside;
  for (int& number : world.numbers) number += by;
  world.numbers.resize(world.numbers.size() + 5000, by);
  world.names.erase(by);
  world.names[100 + by] = std::string(500, 'y');
  world.lines[3].reset();
  world.lines.push_back(std::make_unique<Line>());
  world.lines.back()->words[7] = static_cast<std::uint64_t>(by);
  world.large[2'999'999] = 'b';
}

// One test: there is one arena per process.
TEST(Arena, RestoresEverythingThatWasBuiltInIt) {
  World* const world = make_world();
  for (const auto& line : world->lines) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(line.get()) % 64, 0u);
  Arena::watch();
  Arena::Snapshot first, second;
  std::vector<int> outside = {1, 2, 3};

  Arena::save(first);
  EXPECT_EQ(Arena::pages_written(), 0u);
  change(*world, 7);
  outside.push_back(4);
  EXPECT_GT(Arena::pages_written(), 0u);
  Arena::save(second);
  change(*world, 9);
  EXPECT_EQ(world->numbers[1], 17);

  Arena::restore(second);
  EXPECT_EQ(world->numbers[1], 8);
  EXPECT_EQ(world->numbers.size(), 6000u);
  EXPECT_FALSE(world->names.contains(7));
  EXPECT_EQ(world->names.at(107), std::string(500, 'y'));
  EXPECT_EQ(world->lines[3], nullptr);
  EXPECT_EQ(world->lines.back()->words[7], 7u);
  EXPECT_EQ(world->large.back(), 'b');

  Arena::restore(first);
  EXPECT_EQ(world->numbers.size(), 1000u);
  EXPECT_EQ(world->numbers[999], 999);
  EXPECT_EQ(world->names.size(), 50u);
  EXPECT_EQ(world->names.at(7), std::string(7, 'x'));
  EXPECT_EQ(world->lines.size(), 20u);
  EXPECT_NE(world->lines[3], nullptr);
  EXPECT_EQ(world->large.back(), 'a');
  EXPECT_EQ(outside.size(), 4u) << "what is outside stays";

  // A case takes the same memory each time: what it freed is restored with the rest.
  change(*world, 1);
  const std::size_t pages = Arena::pages_written();
  for (int i = 0; i < 100; ++i) {
    Arena::restore(first);
    change(*world, 1);
  }
  EXPECT_EQ(Arena::pages_written(), pages);

  // Digests stand for what is in use, whatever happened before.
  const auto digest = [] {
    Arena::Snapshot state;
    Arena::save(state);
    const Digest found = Arena::digest();
    Arena::restore(state);
    return found;
  };
  Arena::restore(first);
  const Digest untouched = digest();
  change(*world, 1);
  const Digest once = digest();
  EXPECT_EQ(digest(), once) << "a digest changes nothing";
  EXPECT_NE(once, untouched);
  change(*world, 2);
  EXPECT_NE(digest(), once);
  Arena::restore(first);
  change(*world, 1);
  EXPECT_EQ(digest(), once);
  {
    Arena::Inside inside;
    std::string(700, 'z').swap(world->names[5]);  // 5 had no memory of its own
    EXPECT_NE(digest(), once);
    std::string(5, 'x').swap(world->names[5]);
  }
  EXPECT_EQ(digest(), once) << "what was freed does not count";
  world->numbers[17] ^= 1;
  EXPECT_NE(digest(), once) << "a bit counts";
  world->numbers[17] ^= 1;
  EXPECT_EQ(digest(), once);
  Arena::stop_watching();
}

}  // namespace
}  // namespace flitmend
