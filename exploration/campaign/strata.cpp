// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/strata.h"

#include <cmath>

#include "analysis/confidence.h"
#include "protocols/recovery/registry.h"

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

std::string why_impossible(const Stratum& s) {
  const RecoveryEntry& protocol = recovery_protocols().at(s.protocol);
  if (s.phase == "control" && !protocol.needs.control_messages) return "the protocol has no control messages";
  if (s.phase == "retransmission" && !protocol.traits.resends()) return "nothing is sent again";
  if (s.phase == "tail" && protocol.needs.padding)
    return "a padded message has arrived before its tail leaves the source, so its tail counts as a "
           "retransmission";
  if (s.phase == "absorption" && s.overlap == "one") return "a packet that is absorbed was hit before";
  return {};
}

double upper_bound(std::uint64_t failures, std::uint64_t trials, double confidence) {
  if (failures >= trials) return 1;
  const auto n = static_cast<double>(trials);
  const auto f = static_cast<double>(failures);
  if (failures == 0) return -std::expm1(std::log1p(-confidence) / n);
  return beta_quantile(f + 1, n - f, confidence);
}

}  // namespace flitmend
