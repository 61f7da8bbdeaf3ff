// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/language.h"

namespace flitmend {

/// A place in what the user wrote: a file with line and column, or an option of the command line.
struct Place {
  std::string source;  ///< "mesh.yaml", "--set #2"
  int line = 0;        ///< from 1; 0: the source as a whole
  int column = 0;      ///< from 1, in bytes; 0: the line as a whole

  /// "mesh.yaml:3:7", "--set #2"
  std::string text() const {
    return source + (line ? ":" + std::to_string(line) : "") + (column ? ":" + std::to_string(column) : "");
  }
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// Bad usage or an impossible configuration, found before anything runs (exit status 2). The text says what
/// is wrong, where, and what to do.
class ConfigurationError : public std::runtime_error {
 public:
  explicit ConfigurationError(const std::string& text) : std::runtime_error(text) {}
  /// The error is at `place`, with which what() begins.
  ConfigurationError(Place place, const std::string& text)
      : std::runtime_error(place.text() + ": " + text), place_(std::move(place)) {}

  /// The place of the error, or of the first of several. None if the error is not about a text of the user's,
  /// or while the place of its keys is unknown.
  const std::optional<Place>& place() const { return place_; }

 private:
  std::optional<Place> place_;
};

/// The value of a configuration key is impossible, alone or with others. The code that throws it knows the
/// key but not its place in the file: Configuration::located adds that.
class KeyError : public ConfigurationError {
 public:
  /// `key` is the dotted path, which what() begins with; `others`: keys that have a part in it.
  KeyError(const std::string& key, const std::string& text, std::initializer_list<std::string> others = {})
      : ConfigurationError(key + ": " + text), keys_{key} {
    keys_.insert(keys_.end(), others);
  }

  /// The key at fault, then the others.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::vector<std::string> keys_;
};

/// The model broke its contract: a message was duplicated or lost, or a flit or credit is not accounted for
/// (exit status 3).
class ContractError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or stream that could not be written: disk full, size limit, device error (exit status 5).
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Stopped by the user with a signal (exit status 5).
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An error of this machine at this time, not of the input: too little memory, a file that has just changed.
/// The same input can succeed elsewhere or later.
class NotNowError : public ConfigurationError {
 public:
  explicit NotNowError(const ConfigurationError& error) : ConfigurationError(error) {}
};

}  // namespace flitmend
