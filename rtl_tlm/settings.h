// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// Depth of each router stage in cycles; a stage of 0 happens in the same cycle as the one before it.
struct PipelineSettings {
  std::int64_t routing = 1;
  std::int64_t vc_allocation = 1;
  std::int64_t switch_allocation = 1;
  std::int64_t switch_traversal = 1;
  std::int64_t credit = 1;  ///< cycles from the arrival of a credit until a flit can use it

  /// Cycles of a head; credit processing is not included.
  std::int64_t sum() const { return routing + vc_allocation + switch_allocation + switch_traversal; }
  void visit(SettingsVisitor&);
};

/// router: … — the defaults are those of preset iq.
struct RouterSettings {
  std::string preset = "iq";
  std::int64_t virtual_channels = 4;
  std::int64_t input_buffer = 8;
  std::int64_t output_buffer = 0;
  std::string switching = "wormhole";
  PipelineSettings pipeline;
  std::string vc_reallocation = "on-tail";
  std::string crossbar = "port";
  std::int64_t allocator_iterations = 1;
  bool head_copy = false;

  /// Whether a message is granted a virtual channel only if all of it fits in the next buffer.
  bool needs_whole_room() const {
    return switching == "virtual-cut-through" || switching == "store-and-forward";
  }
  void visit(SettingsVisitor&);
};

/// link: …
struct LinkSettings {
  std::int64_t latency = 1;
  std::int64_t credit_latency = 0;
  std::int64_t flit_bytes = 8;

  /// Cycles that a credit takes: credit_latency or, if that is 0, the link's latency.
  std::int64_t credit_cycles() const { return credit_latency ? credit_latency : latency; }
  void visit(SettingsVisitor&);
};

/// network_interface: …
struct NetworkInterfaceSettings {
  std::string injection = "channel";
  std::int64_t injection_latency = 1;
  std::string ejection = "channel";
  std::int64_t ejection_latency = 1;
  std::int64_t receiver_latency = 1;
  std::int64_t source_queue = 0;
  std::string injection_limit = "none";
  std::int64_t reinjection_cycles = 0;

  void visit(SettingsVisitor&);
};

/// The three sections that a router preset fills.
struct HardwareSettings {
  RouterSettings router;
  LinkSettings link;
  NetworkInterfaceSettings network_interface;
};

/// Sets the keys of the named preset and leaves the others; false if there is no such preset.
bool apply_preset(const std::string& name, HardwareSettings&);
const std::vector<Choice>& router_presets();

}  // namespace flitmend
