// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/length_registry.h"

#include <boost/format.hpp>

namespace flitmend {
namespace {

using AnyLength = std::unique_ptr<LengthDistribution>;
constexpr const char* kLength = "traffic.message_length";
constexpr const char* kShortest = "traffic.message_length_min";
constexpr const char* kLongest = "traffic.message_length_max";

std::uint32_t checked_length(const char* key, std::int64_t length) {
  if (length < 1 || length > kLongestMessage)
    throw KeyError(key, "a message must have 1 to " + std::to_string(kLongestMessage) + " flits, not " +
                            std::to_string(length));
  return static_cast<std::uint32_t>(length);
}

struct Limits {
  std::uint32_t min, max;
};

/// The shortest and the longest message; message_length is between them.
Limits limits(const TrafficSettings& s) {
  const std::uint32_t length = checked_length(kLength, s.message_length);
  const std::uint32_t min = checked_length(kShortest, s.message_length_min);
  if (min > length)
    throw KeyError(kShortest, str(boost::format("%d is more than message_length, %d") % min % length),
                   {kLength});
  const std::uint32_t max =
      checked_length(kLongest, s.message_length_max ? s.message_length_max : 2 * std::int64_t{length} - min);
  if (max < length)
    throw KeyError(kLongest, str(boost::format("%d is less than message_length, %d") % max % length),
                   {kLength});
  return {min, max};
}

AnyLength make_fixed(const TrafficSettings& s) {
  return std::make_unique<FixedLength>(checked_length(kLength, s.message_length));
}

AnyLength make_uniform(const TrafficSettings& s) {
  const Limits l = limits(s);
  return std::make_unique<UniformLength>(l.min, l.max);
}

AnyLength make_normal(const TrafficSettings& s) {
  const Limits l = limits(s);
  if (!(s.message_length_deviation > 0))
    throw KeyError(
        "traffic.message_length_deviation",
        str(boost::format("%g; it must be above 0 (use length_distribution fixed for equal lengths)") %
            s.message_length_deviation));
  return std::make_unique<NormalLength>(static_cast<double>(s.message_length), s.message_length_deviation,
                                        l.min, l.max);
}

AnyLength make_bimodal(const TrafficSettings& s) {
  const double fraction = s.message_length_long_fraction;
  if (!(fraction >= 0 && fraction <= 1))
    throw KeyError("traffic.message_length_long_fraction",
                   str(boost::format("%g; it must be from 0 to 1") % fraction));
  return std::make_unique<BimodalLength>(checked_length(kLength, s.message_length),
                                         checked_length("traffic.message_length_long", s.message_length_long),
                                         fraction);
}

}  // namespace

const Registry<LengthEntry>& length_distributions() {
  static const Registry<LengthEntry> registry(
      "length distribution",
      {{"fixed", "message_length", make_fixed},
       {"uniform", "message_length_min to message_length_max with equal probability", make_uniform},
       {"normal",
        "normal around message_length with message_length_deviation, rounded, truncated at "
        "message_length_min and "
        "message_length_max",
        make_normal},
       {"bimodal", "message_length, or message_length_long with probability message_length_long_fraction",
        make_bimodal}});
  return registry;
}

}  // namespace flitmend
