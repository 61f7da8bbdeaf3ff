// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "testbench/configuration/document.h"

namespace flitmend {

/// KEY=VALUE for a document. KEY is a dotted path, VALUE a YAML value.
struct Override {
  std::string assignment;
  Place place;  ///< where the user wrote it
};

/// The overrides of `--set KEY=VALUE` options; their places are "--set #1", "--set #2", …
std::vector<Override> option_overrides(const std::vector<std::string>& options);

/// Applies overrides to a document, in order. A VALUE that is a map sets each of its keys. A document that is
/// not a map is left unchanged.
void apply_overrides(DocumentNode& root, const std::vector<Override>& overrides, ErrorList& errors);

}  // namespace flitmend
