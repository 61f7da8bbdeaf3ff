// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/errors.h"

namespace flitmend::test {

/// The text of the ConfigurationError that a call throws, "" if it throws none.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const ConfigurationError& error) {
    return error.what();
  }
  return "";
}

}  // namespace flitmend::test
