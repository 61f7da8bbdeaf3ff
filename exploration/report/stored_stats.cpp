// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/stored_stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"

namespace flitmend {

const nlohmann::ordered_json* StoredStats::find(std::string_view name) const {
  const nlohmann::ordered_json* at = &json_;
  while (true) {
    const std::size_t dot = name.find('.');
    if (!at->is_object()) return nullptr;
    const auto next = at->find(std::string(name.substr(0, dot)));
    if (next == at->end()) return nullptr;
    at = &*next;
    if (dot == name.npos) return at;
    name.remove_prefix(dot + 1);
  }
}

std::optional<double> StoredStats::number(std::string_view name) const {
  const nlohmann::ordered_json* value = find(name);
  if (!value || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string StoredStats::text(std::string_view name, int digits) const {
  const nlohmann::ordered_json* value = find(name);
  return value ? value_text(*value, digits) : "–";
}

std::string rounded_text(double number, int digits) {
  if (std::floor(number) == number && std::abs(number) < 1e15) return formatted("%.0f", number);
  return formatted(formatted("%%.%1%g", digits), number);
}

std::string value_text(const nlohmann::ordered_json& value, int digits) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return rounded_text(value.get<double>(), digits);
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

BinnedHistogram binned(const std::vector<std::uint64_t>& cycles, const std::vector<std::uint64_t>& messages,
                       std::size_t bins) {
  BinnedHistogram h;
  const std::size_t count = std::min(cycles.size(), messages.size());
  const std::uint64_t all = std::accumulate(messages.begin(), messages.begin() + count, std::uint64_t{0});
  if (all == 0) return h;
  std::size_t last = 0;
  for (std::uint64_t seen = messages[0]; seen < all - all / 1000; seen += messages[++last])
    ;
  // The first width among 1, 2, 5, 10, … with which there are few enough bins; bins start at multiples of it.
  for (std::uint64_t step = 0;; ++step) {
    h.first = cycles[0] / h.width * h.width;
    if ((cycles[last] - h.first) / h.width < bins) break;
    h.width = step % 3 == 1 ? h.width / 2 * 5 : h.width * 2;
  }
  h.messages.assign((cycles[last] - h.first) / h.width + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bin = (cycles[i] - h.first) / h.width;
    (bin < h.messages.size() ? h.messages[bin] : h.beyond) += messages[i];
  }
  return h;
}

}  // namespace flitmend
