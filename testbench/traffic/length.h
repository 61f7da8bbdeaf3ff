// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random_stream.h"
#include "base/registry.h"
#include "testbench/traffic/settings.h"

namespace flitmend {

/// Lengths of messages, in flits, head and tail included.
class LengthDistribution {
 public:
  virtual ~LengthDistribution() = default;
  virtual std::uint32_t draw(RandomStream&) const = 0;
  virtual double mean() const = 0;  ///< exact
  virtual std::uint32_t longest() const = 0;
};

/// A length distribution that a configuration can name: defined in a file of this folder, listed in
/// testbench/traffic/length_distributions.def.
struct LengthEntry {
  std::string_view name;
  std::string_view description;
  std::vector<const OptionKey*> options = {};  ///< of section traffic, that it reads
  std::vector<TrafficSettings> examples = {};  ///< values of its keys that the generic tests go through
  /// Throws ConfigurationError where the settings do not fit together.
  std::unique_ptr<LengthDistribution> (*make)(const TrafficSettings&);
};

/// Options of distributions with a shortest and a longest message, which length_limits() reads.
extern const OptionKey kShortestOption;  ///< message_length_min
extern const OptionKey kLongestOption;   ///< message_length_max

/// The length, if a message can have it. Throws KeyError about that key ("traffic.message_length").
std::uint32_t checked_length(const char* key, std::int64_t length);

struct LengthLimits {
  std::uint32_t min, max;
};
/// The shortest and the longest message by kShortestOption and kLongestOption. Throws
/// ConfigurationError if they do not fit together; with `around_length` also if message_length is not between
/// them.
LengthLimits length_limits(const TrafficSettings&, bool around_length);

const Registry<LengthEntry>& length_distributions();

}  // namespace flitmend
