// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Section `traffic`: synthetic traffic, or a trace if `trace` names a file.
struct TrafficSettings {
  std::string pattern = "uniform";
  double load = 0.2;
  std::string load_unit = "flits";

  std::int64_t message_length = 5;
  std::string length_distribution = "fixed";
  std::int64_t message_length_min = 1;
  std::int64_t message_length_max = 0;
  double message_length_deviation = 2;
  std::int64_t message_length_long = 20;
  double message_length_long_fraction = 0.2;

  std::string injection = "bernoulli";
  std::string interval_phase = "random";
  double burst_length = 50;
  double burst_load = 1;

  bool include_self = false;
  std::vector<NodeName> hotspot_nodes = {};
  double hotspot_fraction = 0.1;
  std::string permutation_file = {};

  std::string trace = {};
  std::int64_t trace_region = -1;

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
