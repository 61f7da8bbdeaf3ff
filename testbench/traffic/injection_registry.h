// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "base/random_stream.h"
#include "base/registry.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/settings.h"

namespace flitmend {

/// Parameters of an injection process.
struct InjectionContext {
  const TrafficSettings& settings;
  double load = 0;         ///< flits per cycle of one node, > 0
  double mean_length = 1;  ///< flits
  double limit = 1;        ///< flits per cycle that a node can inject

  double messages_per_cycle() const { return load / mean_length; }
};

struct InjectionEntry {
  std::string_view name;
  std::string_view description;
  /// The process of one node, with its own random numbers. Throws ConfigurationError if the process cannot
  /// offer this load.
  std::unique_ptr<InjectionProcess> (*make)(const InjectionContext&, RandomStream);
  /// The highest load, in flits per cycle, that it can offer to a node with this limit; ignores `load`.
  double (*most)(const InjectionContext&);
};

const Registry<InjectionEntry>& injection_processes();

}  // namespace flitmend
