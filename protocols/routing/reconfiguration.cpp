// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/reconfiguration.h"

#include <string>

namespace flitmend {
namespace {
constexpr Choice kReconfigurations[] = {
    {"drain", "sources stop until the network is empty; until then routers route by the old set"},
    {"immediate", "at once; messages under way can then deadlock"}};
}  // namespace

constexpr OptionKey kReconfigurationOption{
    .key = {"reconfiguration", "",
            "When routers begin to route by a new set of faults, after a fault or a repair during the run.",
            KeyEffect::only_if_given("faults.node_rate faults.link_rate faults.aim.rate faults.events")},
    .values = OptionKey::Word{.initial = "drain", .choices = kReconfigurations}};

bool drains_first(const OptionValues& options) {
  return options.word(kReconfigurationOption) == "drain";
}

}  // namespace flitmend
