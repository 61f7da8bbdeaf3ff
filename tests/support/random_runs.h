// SPDX-License-Identifier: Apache-2.0
// For tests that go through random configurations.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "base/random_stream.h"

namespace flitmend::test {

/// The number in an environment variable; `usual` without it.
inline std::uint64_t number_from(const char* variable, std::uint64_t usual) {
  const char* const given = std::getenv(variable);
  return given ? std::strtoull(given, nullptr, 0) : usual;
}

/// Draws the values of a configuration.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed, RandomPurpose::test) {}

  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }
  template <class T>
  T of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }

 private:
  RandomStream random_;
};

}  // namespace flitmend::test
