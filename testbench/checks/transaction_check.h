// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/checks/verdict_cache.h"

namespace flitmend {

/// Whether the transactions of a platform can deadlock, with the settings of section tlm: besides the
/// routing, requests wait for places at their targets, which become free when replies leave. With tlm.classes
/// separate, each class is checked on its half of the virtual channels. The configuration must be complete
/// (settle()). The listener may be null. Throws as check_deadlock does, and KeyError if the virtual channels
/// cannot be divided.
/// Verdicts on the routing are looked up in the cache.
DeadlockCheck check_transactions(const Configuration&, ProofListener*, const VerdictCache& = {});

}  // namespace flitmend
