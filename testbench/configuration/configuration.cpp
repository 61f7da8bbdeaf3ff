// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/configuration.h"

#include <algorithm>

namespace flitmend {

void Configuration::visit(SettingsVisitor& v) {
  network.visit(v);
  hardware.router.visit(v);
  hardware.link.visit(v);
  hardware.network_interface.visit(v);
  tlm.visit(v);
  routing.visit(v);
  recovery.visit(v);
  faults.visit(v);
  deadlock.visit(v);
  traffic.visit(v);
  simulation.visit(v);
  statistics.visit(v);
  waves.visit(v);
}

bool Configuration::explicit_section(std::string_view section) const {
  const auto first = places_.lower_bound(std::string(section) + ".");
  return first != places_.end() &&
         first->first.compare(0, section.size() + 1, std::string(section) + ".") == 0;
}

const Place& Configuration::place_of(std::string_view path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? file_ : found->second;
}

ConfigurationError Configuration::located(const KeyError& error) const {
  const auto given = std::find_if(error.keys().begin(), error.keys().end(),
                                  [&](const std::string& key) { return explicit_key(key); });
  return ConfigurationError(given == error.keys().end() ? file_ : place_of(*given), error.what());
}

void Configuration::set_places(const std::string& file, std::map<std::string, Place, std::less<>> places) {
  file_ = {file};
  places_ = std::move(places);
}

}  // namespace flitmend
