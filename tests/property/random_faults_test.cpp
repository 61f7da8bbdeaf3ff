// SPDX-License-Identifier: Apache-2.0
#include "contracts/every_recovery_protocol.h"

namespace flitmend {

INSTANTIATE_TEST_SUITE_P(Registered, EveryRecoveryProtocol,
                         testing::ValuesIn(recovery_cases(recovery_protocols().entries(), 6)),
                         recovery_test_name);

}  // namespace flitmend
