// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_tlm/interfaces/recovery_protocol.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The recovery protocol that a run has: null without faults and with protocol none.
std::unique_ptr<RecoveryProtocol> configured_recovery(const Configuration&);

}  // namespace flitmend
