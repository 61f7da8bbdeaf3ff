// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// What every injection process must hold to, whatever it is: every_injection_process.cpp tests it. A test
/// program instantiates this suite for its entries.
class EveryInjectionProcess : public testing::TestWithParam<InjectionEntry> {};

}  // namespace flitmend
