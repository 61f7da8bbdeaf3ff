// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitmend {

/// The help of --no-cache, the same for every command that proves freedom from deadlock.
inline constexpr const char* kNoCacheHelp =
    "Prove freedom from deadlock again, even if the verdict of an earlier proof was kept.";

}  // namespace flitmend
