// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace flitmend {

/// A stats.json as it was stored, by any program: nothing about its content is taken for granted.
class StoredStats {
 public:
  explicit StoredStats(nlohmann::ordered_json json) : json_(std::move(json)) {}

  /// By dotted name; null where there is none.
  const nlohmann::ordered_json* find(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  /// For people; "–" where it is not defined.
  std::string text(std::string_view name, int digits = 6) const;
  const nlohmann::ordered_json& json() const { return json_; }

 private:
  nlohmann::ordered_json json_;
};

/// A number, word or truth value for people, "–" for null, JSON for what has parts.
std::string value_text(const nlohmann::ordered_json&, int digits = 6);

}  // namespace flitmend
