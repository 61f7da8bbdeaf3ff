// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/length.h"

#include <boost/format.hpp>

namespace flitmend {
namespace {

constexpr const char* kLength = "traffic.message_length";
constexpr const char* kShortest = "traffic.message_length_min";
constexpr const char* kLongest = "traffic.message_length_max";

}  // namespace

std::uint32_t checked_length(const char* key, std::int64_t length) {
  if (length < 1 || length > kLongestMessage)
    throw KeyError(key, "a message must have 1 to " + std::to_string(kLongestMessage) + " flits, not " +
                            std::to_string(length));
  return static_cast<std::uint32_t>(length);
}

LengthLimits length_limits(const TrafficSettings& s, bool around_length) {
  const std::uint32_t length = checked_length(kLength, s.message_length);
  const std::uint32_t min = checked_length(kShortest, s.message_length_min);
  const bool longest_given = s.message_length_max != 0;
  if (min > length && (around_length || !longest_given))
    throw KeyError(kShortest,
                   str(boost::format("%d is more than message_length, %d; lower it, or raise "
                                     "message_length%s") %
                       min % length % (around_length ? "" : ", or give message_length_max")),
                   {kLength});
  const std::uint32_t max =
      checked_length(kLongest, longest_given ? s.message_length_max : 2 * std::int64_t{length} - min);
  if (around_length && max < length)
    throw KeyError(kLongest,
                   str(boost::format("%d is less than message_length, %d; raise it, or lower "
                                     "message_length") %
                       max % length),
                   {kLength});
  if (max < min)
    throw KeyError(kLongest,
                   str(boost::format("%d is less than message_length_min, %d; raise it, or lower "
                                     "message_length_min") %
                       max % min),
                   {kShortest});
  return {min, max};
}

#define FLITMEND_LENGTH(x) LengthEntry x##_length();
#include "testbench/traffic/length_distributions.def"
#undef FLITMEND_LENGTH

const Registry<LengthEntry>& length_distributions() {
  static const Registry<LengthEntry> registry("length distribution", [] {
    std::vector<LengthEntry> all;
#define FLITMEND_LENGTH(x) all.push_back(x##_length());
#include "testbench/traffic/length_distributions.def"
#undef FLITMEND_LENGTH
    return all;
  }());
  return registry;
}

}  // namespace flitmend
