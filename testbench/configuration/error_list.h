// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace flitmend {

/// Where a value of the configuration stands.
struct Place {
  int line = 0;      ///< from 1; 0: the file as a whole
  int column = 0;    ///< from 1, in bytes
  unsigned set = 0;  ///< not 0: the value of the set-th --set option, line and column do not count
};

/// Everything that is wrong with a configuration, reported together in the order of the text.
class ErrorList {
 public:
  /// `file` is how messages call the file.
  explicit ErrorList(std::string file) : file_(std::move(file)) {}

  /// `what` says the key path and what would be right.
  void add(const Place&, std::string what);
  /// Adds those of another list.
  void append(const ErrorList& other) {
    errors_.insert(errors_.end(), other.errors_.begin(), other.errors_.end());
  }
  bool empty() const { return errors_.empty(); }
  /// "file:line:column" or "--set #2".
  std::string text(const Place&) const;
  /// Throws ConfigurationError with a line an error (the first 20) unless there is none.
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
