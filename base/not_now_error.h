// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/errors.h"

namespace flitmend {

/// An error of this machine at this time, not of the input: too little memory, a file that has just changed.
/// The same input can succeed elsewhere or later.
class NotNowError : public ConfigurationError {
 public:
  explicit NotNowError(const ConfigurationError& error) : ConfigurationError(error) {}
};

}  // namespace flitmend
