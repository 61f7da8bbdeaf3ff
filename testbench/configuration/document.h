// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/configuration/error_list.h"

namespace flitmend {

struct DocumentEntry;

/// A YAML value with its place, as parsed by yaml-cpp, with aliases and merge keys resolved.
struct DocumentNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;     ///< value of a scalar
  bool quoted = false;  ///< a scalar in quotes or a block scalar: text, never a number
  Place place;
  std::vector<DocumentNode> items;     ///< of a list
  std::vector<DocumentEntry> entries;  ///< of a map, in the file's order

  const DocumentEntry* find(std::string_view key) const;
  /// What error messages call it: "'text'", "a list", "a section of keys", "nothing".
  std::string called() const;
};

struct DocumentEntry {
  std::string key;
  Place place;  ///< of the key
  DocumentNode value;
};

/// Parses one YAML document, the text of the file that `errors` is about. Reports to `errors`: invalid YAML,
/// a key set twice, a key that is not a word, a second document, aliases that expand without limit. Returns
/// what could be read; an empty text gives null.
std::optional<DocumentNode> parse_document(const std::string& text, ErrorList& errors);

/// The same for a value from elsewhere: everything in it has the place `place`.
std::optional<DocumentNode> parse_value(const std::string& text, const Place& place, ErrorList& errors);

}  // namespace flitmend
