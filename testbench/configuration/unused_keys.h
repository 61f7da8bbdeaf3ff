// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Who reads a configuration.
enum class KeyReader { run, platform };

/// A key that the user set to another value than its default, and that has no effect with the values of other
/// keys. Not an error: the points of a sweep share such keys.
struct UnusedKey {
  std::string path;
  std::string why;  ///< "with traffic.pattern uniform"
  Place place;
  friend bool operator==(const UnusedKey&, const UnusedKey&) = default;
};

/// In the order of the reference.
std::vector<UnusedKey> unused_keys(const Configuration&, KeyReader);

/// One note for each reason, with the place of the first key: "a.yaml:3:12: traffic.burst_load has no effect
/// with traffic.injection bernoulli; …".
std::vector<std::string> unused_keys_notes(const std::vector<UnusedKey>&);

/// When a key has an effect, for the reference: "with `traffic.pattern` `uniform` or `hotspot`"; empty:
/// always.
std::string effect_text(const KeyEffect&);

}  // namespace flitmend
