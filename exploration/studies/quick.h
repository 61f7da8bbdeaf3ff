// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/configuration/document.h"

namespace flitmend {

/// One version of a study's file: `quick` beside the keys of a sweep or a statement replaces those keys in
/// the quick version (sections key by key, lists and values as a whole; false leaves the sweep or statement
/// out), and is ignored in the full one.
DocumentNode version_of(const DocumentNode& study, bool quick, ErrorList&);

}  // namespace flitmend
