// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

namespace flitmend {

/// Something that a registry holds.
template <class T>
concept RegistryEntry = requires(const T& entry) {
  entry.name;
  entry.description;
};

template <RegistryEntry Entry>
void PrintTo(const Entry& entry, std::ostream* out) {
  *out << entry.name;
}

/// The entry's name as part of the name of a test.
template <RegistryEntry Entry>
std::string test_name(const testing::TestParamInfo<Entry>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace flitmend
