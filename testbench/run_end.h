// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/exit_status.h"
#include "testbench/statistics/results.h"

namespace flitmend {

/// The exit status of a program whose run has ended like that.
ExitStatus exit_status(RunOutcome);

}  // namespace flitmend
