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

/// Every message has the same length.
class FixedLength : public LengthDistribution {
 public:
  explicit FixedLength(std::uint32_t length) : length_(length) {}
  std::uint32_t draw(RandomStream&) const override { return length_; }
  double mean() const override { return length_; }
  std::uint32_t longest() const override { return length_; }

 private:
  std::uint32_t length_;
};

/// min … max with equal probability.
class UniformLength : public LengthDistribution {
 public:
  UniformLength(std::uint32_t min, std::uint32_t max) : min_(min), max_(max) {}
  std::uint32_t draw(RandomStream& random) const override { return min_ + random.below(max_ - min_ + 1); }
  double mean() const override { return (min_ + max_) / 2.0; }
  std::uint32_t longest() const override { return max_; }

 private:
  std::uint32_t min_;
  std::uint32_t max_;
};

/// A normal distribution rounded to whole flits and truncated at min and max:
/// P(l) ∝ Φ((l + ½ − centre)/deviation) − Φ((l − ½ − centre)/deviation), min ≤ l ≤ max.
class NormalLength : public LengthDistribution {
 public:
  /// min ≤ centre ≤ max, deviation > 0.
  NormalLength(double centre, double deviation, std::uint32_t min, std::uint32_t max);
  std::uint32_t draw(RandomStream&) const override;
  double mean() const override { return mean_; }
  std::uint32_t longest() const override {
    return first_ + static_cast<std::uint32_t>(cumulative_.size()) - 1;
  }

 private:
  std::uint32_t first_;
  std::vector<double> cumulative_;  ///< of first_, first_ + 1, …
  double mean_ = 0;
};

/// Long with a fixed probability, else short.
class BimodalLength : public LengthDistribution {
 public:
  BimodalLength(std::uint32_t brief, std::uint32_t extended, double long_fraction)
      : short_(brief), long_(extended), long_fraction_(long_fraction) {}
  std::uint32_t draw(RandomStream& random) const override {
    return random.uniform() < long_fraction_ ? long_ : short_;
  }
  double mean() const override { return short_ + (static_cast<double>(long_) - short_) * long_fraction_; }
  std::uint32_t longest() const override {
    if (long_fraction_ <= 0) return short_;
    return long_fraction_ >= 1 || long_ > short_ ? long_ : short_;
  }

 private:
  std::uint32_t short_;
  std::uint32_t long_;
  double long_fraction_;
};

}  // namespace flitmend
