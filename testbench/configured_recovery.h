// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_tlm/fabric/recovery_protocol.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The recovery protocol that a run has, or Disha: null without faults, with protocol none and without Disha.
/// With the exchange of probability vectors, where the routing algorithm uses them. The topology must outlive
/// it.
std::unique_ptr<RecoveryProtocol> configured_recovery(const Configuration&, const Topology&);

}  // namespace flitmend
