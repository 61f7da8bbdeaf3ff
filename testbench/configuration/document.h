// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"

namespace flitmend {

/// What the YAML parser's message means, in plain words, and what to do.
std::string yaml_error(std::string_view parser_message);

/// All errors of a text, reported together in the order of the text: first the file, then its overrides,
/// source by source.
class ErrorList {
 public:
  /// `file`: what error messages call the file.
  explicit ErrorList(const std::string& file) : sources_{file} {}

  /// What error messages call the file.
  const std::string& file() const { return sources_.front(); }
  /// Errors of this source are reported after those of the sources before it. add() adds new sources too.
  void add_source(const std::string& source);
  /// `what` starts with the key path and says what would be right. A place without a source is the file as a
  /// whole. Characters in `what` that cannot be seen are escaped.
  void add(Place, const std::string& what);
  /// Adds the errors of another list.
  void append(const ErrorList& other);
  bool empty() const { return errors_.empty(); }
  /// Throws ConfigurationError with one line per error (each once, at most 20) if there is any. Its place is
  /// that of the first error.
  void throw_if_any() const;

 private:
  struct Error {
    Place place;
    std::string what;
  };
  std::size_t rank(const std::string& source) const;

  std::vector<std::string> sources_;  ///< in the order of the report, the file first
  std::vector<Error> errors_;
};

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
