// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/configuration/error_list.h"

namespace flitmend {

struct DocumentEntry;

/// A YAML value with its place: what yaml-cpp parsed, aliases and merge keys resolved.
struct DocumentNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar in quotes or a block: text, never a number
  Place place;
  std::vector<DocumentNode> items;     ///< of a list
  std::vector<DocumentEntry> entries;  ///< of a map, in the file's order

  const DocumentEntry* find(std::string_view key) const;
  /// How a message calls it: "'text'", "a list", "a section of keys", "nothing".
  std::string called() const;
};

struct DocumentEntry {
  std::string key;
  Place place;  ///< of the key
  DocumentNode value;
};

/// Parses one YAML document. What is not YAML, a key given twice, a key that is no word, a second document,
/// aliases that expand without end go into `errors`; what could be read is returned. An empty text gives
/// null. `set`: 0 for a file, else the number of the --set that the text is the value of.
std::optional<DocumentNode> parse_document(const std::string& text, unsigned set, ErrorList& errors);

}  // namespace flitmend
