// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "base/errors.h"

namespace flitmend {

/// What a command reads.
enum class FileKind { configuration, sweep, campaign, exhaustive, study };

/// For a file that could not be read as what it should be. If it is something else that flitmend knows,
/// throws ConfigurationError: "mesh.yaml: this is a sweep; flitmend sweep runs it".
void refuse_other_kind(const std::filesystem::path& file, FileKind expected);

/// load(), with that remedy where it throws a ConfigurationError.
template <class Load>
auto load_kind(const std::filesystem::path& file, FileKind expected, Load&& load) try {
  return load();
} catch (const ConfigurationError&) {
  refuse_other_kind(file, expected);
  throw;
}

}  // namespace flitmend
