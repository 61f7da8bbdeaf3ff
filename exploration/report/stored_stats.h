// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// A stats.json as stored by any program; nothing about its content is assumed.
class StoredStats {
 public:
  explicit StoredStats(nlohmann::ordered_json json) : json_(std::move(json)) {}

  /// By dotted name; null if there is none.
  const nlohmann::ordered_json* find(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  /// For display; "–" if it is undefined.
  std::string text(std::string_view name, int digits = 6) const;
  const nlohmann::ordered_json& json() const { return json_; }

 private:
  nlohmann::ordered_json json_;
};

/// For display: whole numbers as they are, others with at most `digits` significant digits.
std::string rounded_text(double, int digits = 6);

/// For display: a number, word or truth value; "–" for null; JSON for anything with parts.
std::string value_text(const nlohmann::ordered_json&, int digits = 6);

/// A histogram for display: bins of equal width, 1, 2 or 5 times a power of ten. Bin i holds latencies from
/// first + i·width to first + (i + 1)·width − 1.
struct BinnedHistogram {
  std::uint64_t first = 0;
  std::uint64_t width = 1;
  std::vector<std::uint64_t> messages;
  std::uint64_t beyond = 0;  ///< messages that took longer than the last bin
};

/// From parallel lists, cycles ascending: at most `bins` bins, which hold at least 99.9 % of all messages, so
/// that a few stragglers do not squeeze the rest into one bar.
BinnedHistogram binned(const std::vector<std::uint64_t>& cycles, const std::vector<std::uint64_t>& messages,
                       std::size_t bins);

}  // namespace flitmend
