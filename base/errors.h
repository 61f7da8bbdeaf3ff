// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace flitmend {

/// Bad usage or an impossible configuration, found before anything runs (exit status 2). The text says what
/// is wrong, where, and what to do.
class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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

}  // namespace flitmend
