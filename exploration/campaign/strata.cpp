// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/strata.h"

namespace flitmend {

Strata strata_of(const std::string& protocol, const Json& stats) {
  Strata strata;
  const auto rows = stats.find("hits");
  if (rows == stats.end()) return strata;
  for (const Json& row : *rows) {
    const auto text = [&](const char* key) { return row.at(key).get<std::string>(); };
    const auto number = [&](const char* key) { return row.at(key).get<std::uint64_t>(); };
    strata[{protocol, text("fault"), text("duration"), text("phase"), text("overlap")}] +=
        {number("hits"),
         number("delivered"),
         number("lost"),
         number("undeliverable"),
         number("guard_repaired"),
         number("failed"),
         row.value("in_flight", std::uint64_t{0})};
  }
  return strata;
}

void add(Strata& strata, const Strata& more) {
  for (const auto& [stratum, count] : more) strata[stratum] += count;
}

}  // namespace flitmend
