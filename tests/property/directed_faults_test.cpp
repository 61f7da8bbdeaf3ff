// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_directed_fault.h"

namespace flitmend {

INSTANTIATE_TEST_SUITE_P(Registered, EveryDirectedFault,
                         testing::ValuesIn(directed_fault_cases(recovery_protocols().entries())),
                         directed_fault_name);

}  // namespace flitmend
