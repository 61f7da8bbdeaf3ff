// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/length.h"

#include "base/text.h"

namespace flitmend {
namespace {

constexpr const char* kLength = "traffic.message_length";
constexpr const char* kShortest = "traffic.message_length_min";
constexpr const char* kLongest = "traffic.message_length_max";

}  // namespace

constexpr OptionKey kShortestOption{
    .key = {"message_length_min", "flits", "Shortest message (uniform, normal).", kAlways},
    .values = OptionKey::Number{.initial = 1, .range = {1, kLongestMessage}}};
constexpr OptionKey kLongestOption{
    .key = {"message_length_max", "flits",
            "Longest message (uniform, normal); 0: 2·message_length − message_length_min, so that "
            "message_length is the "
            "mean.",
            kAlways},
    .values = OptionKey::Number{.initial = 0, .range = {0, kLongestMessage}}};

std::uint32_t checked_length(const char* key, std::int64_t length) {
  if (length < 1 || length > kLongestMessage)
    throw KeyError(key, formatted("a message must have 1 to %1% flits, not %2%", kLongestMessage, length));
  return static_cast<std::uint32_t>(length);
}

LengthLimits length_limits(const TrafficSettings& s, bool around_length) {
  const std::uint32_t length = checked_length(kLength, s.message_length);
  const std::uint32_t min = checked_length(kShortest, s.options.number(kShortestOption));
  const std::int64_t longest = s.options.number(kLongestOption);
  const bool longest_given = longest != 0;
  if (min > length && (around_length || !longest_given))
    throw KeyError(kShortest,
                   formatted("%d is more than message_length, %d; lower it, or raise "
                             "message_length%s",
                             min, length, around_length ? "" : ", or give message_length_max"),
                   {kLength});
  const std::uint32_t max =
      checked_length(kLongest, longest_given ? longest : 2 * std::int64_t{length} - min);
  if (around_length && max < length)
    throw KeyError(kLongest,
                   formatted("%d is less than message_length, %d; raise it, or lower "
                             "message_length",
                             max, length),
                   {kLength});
  if (max < min)
    throw KeyError(kLongest,
                   formatted("%d is less than message_length_min, %d; raise it, or lower "
                             "message_length_min",
                             max, min),
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
