// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "testbench/configuration/configuration.h"
#include "testbench/configuration/document.h"
#include "testbench/configuration/file_folders.h"

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

/// Reads a configuration file, applies the options `--set KEY=VALUE`, and fills in derived values. An
/// explicit key overrides a need of the routing algorithm, that overrides the router preset, and that
/// overrides the default. Throws ConfigurationError: all errors in the keys together, one line each
/// ("file:line:column: key.path: what is wrong and what would be right"), else the first impossible
/// combination.
Configuration load_configuration(const std::filesystem::path&, const std::vector<std::string>& sets);

/// The same for a text; `name` is what error messages call it. The files that it names need not be there.
Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets);

/// The same of a document that has been parsed, with overrides from anywhere.
Configuration read_configuration(DocumentNode root, const std::string& name, const std::vector<Override>&,
                                 const FileFolders&);

/// Fills in values that follow from other keys (the topology's size, what the routing algorithm needs of the
/// router) and refuses impossible combinations. The functions above call it. Throws ConfigurationError with
/// the place of the offending key.
void settle(Configuration&);

}  // namespace flitmend
