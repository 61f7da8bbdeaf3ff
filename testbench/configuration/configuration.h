// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/settings.h"
#include "protocols/deadlock/settings.h"
#include "protocols/recovery/settings.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/settings.h"
#include "rtl_tlm/sockets/settings.h"
#include "testbench/faults/settings.h"
#include "testbench/simulation_settings.h"
#include "testbench/statistics/settings.h"
#include "testbench/traffic/settings.h"
#include "topologies/settings.h"
#include "traces/waves/wave_settings.h"

namespace flitmend {

/// The configuration of one run: the sections of CONFIG.yaml, and which keys the user set.
class Configuration {
 public:
  NetworkSettings network;
  HardwareSettings hardware;  ///< sections router, link, network_interface
  TlmSettings tlm;
  RoutingSettings routing;
  RecoverySettings recovery;
  FaultSettings faults;
  DeadlockSettings deadlock;
  TrafficSettings traffic;
  SimulationSettings simulation;
  StatisticsSettings statistics;
  WaveSettings waves;

  /// Visits every section, in the order of the reference page.
  void visit(SettingsVisitor&);

  /// Whether the user set this key: "router.vc_reallocation".
  bool explicit_key(std::string_view path) const { return places_.find(path) != places_.end(); }
  /// Whether the user set any key of that section.
  bool explicit_section(std::string_view section) const;
  /// Where the user set the key; if nowhere, the file as a whole.
  const Place& place_of(std::string_view path) const;
  /// The error at the place of the first of its keys that the user set; if there is none, the file as a
  /// whole.
  ConfigurationError located(const KeyError&) const;

  /// Records that the user set this key somewhere other than in the file or with --set, for example with
  /// --waves.
  void set_place(const std::string& path, Place place) { places_[path] = std::move(place); }
  /// Called by the loader: the file's name, and the place of each key that the user set.
  void set_places(const std::string& file, std::map<std::string, Place, std::less<>> places);

 private:
  Place file_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace flitmend
