// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "base/registry.h"
#include "protocols/recovery/settings.h"
#include "protocols/routing/settings.h"
#include "rtl_tlm/interfaces/recovery_protocol.h"

namespace flitmend {

/// A recovery protocol that a configuration can name: defined in its own folder or file, listed in
/// protocols/recovery/protocols.def.
struct RecoveryEntry {
  std::string_view name;
  std::string_view description;
  /// Whether every message between surviving nodes arrives.
  bool promises_delivery;
  std::uint32_t control_length;  ///< flits of its longest control message; 0: it has none
  std::unique_ptr<RecoveryProtocol> (*make)(const RecoverySettings&, const RoutingSettings&);
};

const Registry<RecoveryEntry>& recovery_protocols();

}  // namespace flitmend
