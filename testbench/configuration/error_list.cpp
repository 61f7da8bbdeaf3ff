// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/error_list.h"

#include <algorithm>
#include <tuple>

#include "base/errors.h"

namespace flitmend {

void ErrorList::add(const Place& place, std::string what) {
  errors_.push_back({place, std::move(what)});
}

std::string ErrorList::text(const Place& place) const {
  if (place.set) return "--set #" + std::to_string(place.set);
  if (!place.line) return file_;
  return file_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

void ErrorList::throw_if_any() const {
  if (errors_.empty()) return;
  constexpr std::size_t kShown = 20;
  std::vector<Error> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Error& a, const Error& b) {
    return std::tie(a.place.set, a.place.line, a.place.column) <
           std::tie(b.place.set, b.place.line, b.place.column);
  });
  std::string message;
  for (std::size_t i = 0; i < sorted.size() && i < kShown; ++i)
    message += (i ? "\n" : "") + text(sorted[i].place) + ": " + sorted[i].what;
  if (sorted.size() > kShown)
    message += "\n" + text({}) + ": and " + std::to_string(sorted.size() - kShown) + " more";
  throw ConfigurationError(message);
}

}  // namespace flitmend
