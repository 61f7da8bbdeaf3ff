// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/errors.h"

namespace flitmend {

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

}  // namespace flitmend
