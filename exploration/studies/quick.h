// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/configuration/document.h"

namespace flitmend {

/// Reduces a study's file to one version. `quick`, inside a sweep or a statement, replaces that section's
/// keys in the quick version (sections key by key, lists and values as a whole; false leaves the sweep or
/// statement out). In the full version it is ignored.
DocumentNode version_of(const DocumentNode& study, bool quick, ErrorList&);

}  // namespace flitmend
