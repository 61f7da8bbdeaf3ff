// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace flitmend {

/// Bad usage or an impossible configuration, found before anything runs (exit status 2). The text says what
/// is wrong, where, and what would be right.
class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The model broke its contract: a message duplicated or lost, a flit or credit not accounted for (exit
/// status 3).
class ContractError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or stream that could not be written: disk full, limit, fault of the device (exit status 5).
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Given up because the user asked for it, by a signal (exit status 5).
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace flitmend
