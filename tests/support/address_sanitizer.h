// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitmend::test {

/// Whether this is a build with AddressSanitizer. It does not know the stacks of SystemC's processes: an
/// exception or an exit from within one looks to it like an overflow or a leak.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace flitmend::test
