// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/sweeps/file_keys.h"

namespace flitmend {

/// The keys of a campaign file.
const FileSection& campaign_keys();

}  // namespace flitmend
