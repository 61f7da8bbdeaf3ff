// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "testbench/configuration/document.h"

namespace flitmend {

/// Applies `--set KEY=VALUE` options to a document, in order. KEY is a dotted path, VALUE a YAML value. A
/// VALUE that is a map sets each of its keys. A document that is not a map is left unchanged.
void apply_overrides(DocumentNode& root, const std::vector<std::string>& options, ErrorList& errors);

}  // namespace flitmend
