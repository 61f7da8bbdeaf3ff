// SPDX-License-Identifier: Apache-2.0
#include "exploration/exhaustive/fault_space.h"

#include <algorithm>

namespace flitmend {

bool FaultSpace::has(const char* part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

nlohmann::ordered_json json_of(const FaultSpace& space) {
  nlohmann::ordered_json durations = nlohmann::ordered_json::array();
  for (const Duration& duration : space.durations)
    if (duration.cycles)
      durations.push_back(*duration.cycles);
    else
      durations.push_back("permanent");
  return {{"faults", space.faults},   {"durations", durations},     {"window", space.window},
          {"parts", space.parts},     {"merge", space.merge},       {"verified", space.verified},
          {"omitted", space.omitted}, {"patience", space.patience}, {"allow_deadlock", space.allow_deadlock}};
}

FaultSpace fault_space_of(const nlohmann::ordered_json& json) {
  FaultSpace space;
  json.at("faults").get_to(space.faults);
  space.durations.clear();
  for (const auto& duration : json.at("durations"))
    space.durations.push_back(duration.is_string() ? Duration{} : Duration{duration.get<std::int64_t>()});
  json.at("window").get_to(space.window);
  json.at("parts").get_to(space.parts);
  json.at("merge").get_to(space.merge);
  json.at("verified").get_to(space.verified);
  json.at("omitted").get_to(space.omitted);
  json.at("patience").get_to(space.patience);
  json.at("allow_deadlock").get_to(space.allow_deadlock);
  return space;
}

}  // namespace flitmend
