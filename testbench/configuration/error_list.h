// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace flitmend {

/// Place of a value in the configuration.
struct Place {
  int line = 0;      ///< from 1; 0: the file as a whole
  int column = 0;    ///< from 1, in bytes
  unsigned set = 0;  ///< not 0: the value of the set-th --set option; line and column are not used
};

/// All errors of a configuration, reported together in the order of the text.
class ErrorList {
 public:
  /// `file`: what error messages call the file.
  explicit ErrorList(std::string file) : file_(std::move(file)) {}

  /// `what` starts with the key path and says what would be right.
  void add(const Place&, std::string what);
  /// Adds the errors of another list.
  void append(const ErrorList& other) {
    errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
  }
  bool empty() const { return errors_.empty(); }
  /// "file:line:column" or "--set #2".
  std::string text(const Place&) const;
  /// Throws ConfigurationError with one line per error (at most 20) if there is any.
  void throw_if_any() const;

 private:
  struct Error {
    Place place;
    std::string what;
  };
  std::string file_;
  std::vector<Error> errors_;
};

}  // namespace flitmend
