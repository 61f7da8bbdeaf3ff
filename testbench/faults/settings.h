// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// Section `faults.aim`: faults that are drawn until one hits a packet in one of these phases.
struct AimSettings {
  std::vector<std::string> phases = {};
  std::vector<std::string> then = {};
  bool first_hit = false;
  std::string part = "node";
  double rate = 0;
  std::int64_t at_once = 1;
  Duration duration = {10};
  std::int64_t from = 0;
  std::int64_t apart = 0;
  std::int64_t most = 0;
  void visit(SettingsVisitor&);
};

/// Section `faults`.
struct FaultSettings {
  std::vector<NodeName> static_nodes = {};
  std::int64_t random_static_nodes = 0;
  std::vector<LinkName> static_links = {};
  std::int64_t random_static_links = 0;
  std::vector<std::string> regions = {};
  double node_rate = 0;
  double link_rate = 0;
  std::int64_t at_once = 1;
  Duration duration = {10};
  AimSettings aim = {};
  bool strike_in_drain = false;
  std::vector<FaultEvent> events = {};

  /// Whether any fault is possible.
  bool any() const {
    return !static_nodes.empty() || random_static_nodes > 0 || !static_links.empty() ||
           random_static_links > 0 || !regions.empty() || node_rate > 0 || link_rate > 0 || aim.rate > 0 ||
           !events.empty();
  }
  /// Whether one can strike after the start.
  bool strike_later() const { return drawn() || !events.empty(); }
  /// Faults strike at random as long as the run lasts.
  bool drawn() const { return node_rate > 0 || link_rate > 0 || aim.rate > 0; }
  void visit(SettingsVisitor&);
};

}  // namespace flitmend
