// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/settings.h"
#include "protocols/deadlock/settings.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/settings.h"
#include "testbench/simulation_settings.h"
#include "testbench/statistics/settings.h"
#include "testbench/traffic/settings.h"
#include "topologies/settings.h"
#include "traces/waves/wave_settings.h"

namespace flitmend {

/// Everything that one run is configured by: the sections of CONFIG.yaml, and which keys the user gave.
class Configuration {
 public:
  NetworkSettings network;
  HardwareSettings hardware;  ///< sections router, link, network_interface
  RoutingSettings routing;
  DeadlockSettings deadlock;
  TrafficSettings traffic;
  SimulationSettings simulation;
  StatisticsSettings statistics;
  WaveSettings waves;

  /// Every section, in the order of the reference page.
  void visit(SettingsVisitor&);

  /// Whether the user gave this key: "router.vc_reallocation".
  bool explicit_key(std::string_view path) const { return places_.find(path) != places_.end(); }
  /// "mesh.yaml:3:7" or "--set #2" where the user gave the key, else the name of the file.
  std::string place_of(std::string_view path) const;
  /// The error with the place in front of the key that it speaks of first, of those that the user gave.
  ConfigurationError located(const ConfigurationError&) const;

  /// The user gave this key elsewhere than in the file or with --set: there ("--waves").
  void set_place(const std::string& path, std::string place) { places_[path] = std::move(place); }
  /// Called by the loader: the file's name and the place of each key that the user gave.
  void set_places(std::string file, std::map<std::string, std::string, std::less<>> places);

 private:
  std::string file_;
  std::map<std::string, std::string, std::less<>> places_;
};

}  // namespace flitmend
