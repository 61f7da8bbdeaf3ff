// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "testbench/configuration/document.h"

namespace flitmend {

/// Puts `--set KEY=VALUE` options over a document, in their order: KEY a dotted path, VALUE a YAML value. A
/// VALUE that is a map sets each of its keys. A document that is no map stays as it is.
void apply_overrides(DocumentNode& root, const std::vector<std::string>& options, ErrorList& errors);

}  // namespace flitmend
