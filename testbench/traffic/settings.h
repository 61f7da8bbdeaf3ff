// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "base/options.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// Section `traffic`: synthetic traffic, or another workload if one of its options chooses it.
struct TrafficSettings {
  std::string pattern = "uniform";
  double load = 0.2;
  std::string load_unit = "flits";

  std::int64_t message_length = 5;
  std::string length_distribution = "fixed";
  std::string injection = "bernoulli";
  /// Of patterns, length distributions, injection processes and workloads: declared in their files.
  OptionValues options = {};

  void visit(SettingsVisitor&);
};

}  // namespace flitmend
