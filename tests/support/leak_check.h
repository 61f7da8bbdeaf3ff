// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitmend {

/// For a test with SystemC threads: LeakSanitizer cannot read their stacks and would end the program. The
/// other sanitizers stay active.
void skip_leak_check();

}  // namespace flitmend
