// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/errors.h"

namespace flitmend {

/// What a flow of messages is called, and what is expected of it.
struct FlowDescription {
  std::string name;
  std::string message_class = {};  ///< a label; empty: none
  /// Where that is given or, without one, where the flow is; no source: not in a text of the user's.
  Place class_place = {};
  bool class_of_section = false;  ///< it is traffic.class
  /// Payload of a message; none: what its data flits can carry.
  std::optional<std::uint32_t> bytes = {};
  std::optional<double> target_bandwidth = {};   ///< accepted payload, bytes per second, at least
  std::optional<std::uint64_t> target_p99 = {};  ///< total latency, cycles, at most
  bool has_target() const { return target_bandwidth || target_p99; }
};

}  // namespace flitmend
