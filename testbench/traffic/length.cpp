// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/length.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

LengthEntry fixed_length() {
  return {
      .name = "fixed",
      .description = "message_length",
      .examples = {{.message_length = 1}, {.message_length = 65535}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        return std::make_unique<FixedLength>(checked_length("traffic.message_length", s.message_length));
      },
  };
}

LengthEntry uniform_length() {
  return {
      .name = "uniform",
      .description = "message_length_min to message_length_max with equal probability",
      .options = {&kShortestOption, &kLongestOption},
      .examples = {{.message_length = 9},
                   {.options = {{"message_length_min", 3}, {"message_length_max", 14}}}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        const LengthLimits l = length_limits(s, false);
        return std::make_unique<UniformLength>(l.min, l.max);
      },
  };
}

namespace {

constexpr OptionKey kDeviationOption{
    .key = {"message_length_deviation", "flits", "Standard deviation before truncation (normal).", kAlways},
    .values = OptionKey::Real{.initial = 2, .range = {0.001, kLongestMessage}}};

}  // namespace

NormalLength::NormalLength(double centre, double deviation, std::uint32_t min, std::uint32_t max) {
  constexpr double kFarthest = 9;  // deviations; the rest is too small for a double to distinguish from 0
  first_ =
      std::max(min, static_cast<std::uint32_t>(std::max(0.0, std::floor(centre - kFarthest * deviation))));
  const auto last =
      static_cast<std::uint32_t>(std::min<double>(max, std::ceil(centre + kFarthest * deviation)));
  const auto below = [&](double x) {
    return std::erfc((centre - x) / (deviation * std::numbers::sqrt2)) / 2;
  };
  double sum = 0, weighted = 0;
  for (std::uint32_t length = first_; length <= last; ++length) {
    const double weight = below(length + 0.5) - below(length - 0.5);
    sum += weight;
    weighted += weight * length;
    cumulative_.push_back(sum);
  }
  mean_ = weighted / sum;
  for (double& c : cumulative_) c /= sum;
  cumulative_.back() = 1;
}

std::uint32_t NormalLength::draw(RandomStream& random) const {
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), random.uniform());
  return first_ + static_cast<std::uint32_t>(found - cumulative_.begin());
}

LengthEntry normal_length() {
  return {
      .name = "normal",
      .description =
          "normal around message_length with message_length_deviation, rounded, truncated at "
          "message_length_min and message_length_max",
      .options = {&kShortestOption, &kLongestOption, &kDeviationOption},
      .examples = {{.message_length = 20, .options = {{"message_length_deviation", 3.0}}},
                   {.message_length = 6,
                    .options = {{"message_length_min", 2},
                                {"message_length_max", 16},
                                {"message_length_deviation", 4.0}}}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        const LengthLimits l = length_limits(s, true);
        const double deviation = s.options.real(kDeviationOption);
        if (!(deviation > 0))
          throw KeyError("traffic.message_length_deviation",
                         formatted("%g; it must be above 0 (use length_distribution fixed for equal lengths)",
                                   deviation));
        return std::make_unique<NormalLength>(static_cast<double>(s.message_length), deviation, l.min, l.max);
      },
  };
}

namespace {

constexpr OptionKey kLongOption{
    .key = {"message_length_long", "flits", "Length of the long messages (bimodal).", kAlways},
    .values = OptionKey::Number{.initial = 20, .range = {1, kLongestMessage}}};
constexpr OptionKey kLongFractionOption{
    .key = {"message_length_long_fraction", "", "Share of long messages (bimodal).", kAlways},
    .values = OptionKey::Real{.initial = 0.2, .range = {0, 1}}};

}  // namespace

LengthEntry bimodal_length() {
  return {
      .name = "bimodal",
      .description = "message_length, or message_length_long with probability message_length_long_fraction",
      .options = {&kLongOption, &kLongFractionOption},
      .examples = {{.message_length = 3,
                    .options = {{"message_length_long", 11}, {"message_length_long_fraction", 0.25}}},
                   {.options = {{"message_length_long_fraction", 0.0}}},
                   {.options = {{"message_length_long_fraction", 1.0}}}},
      .make = [](const TrafficSettings& s) -> std::unique_ptr<LengthDistribution> {
        const double fraction = s.options.real(kLongFractionOption);
        if (!(fraction >= 0 && fraction <= 1))
          throw KeyError("traffic.message_length_long_fraction",
                         formatted("%g; it must be from 0 to 1", fraction));
        return std::make_unique<BimodalLength>(
            checked_length("traffic.message_length", s.message_length),
            checked_length("traffic.message_length_long", s.options.number(kLongOption)), fraction);
      },
  };
}

}  // namespace flitmend
