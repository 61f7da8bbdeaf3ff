// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

namespace flitmend {

/// A key of a file that is not a configuration. It is declared once: its reader accepts no other keys, and
/// the reference page shows it.
struct FileKey {
  std::string_view name;
  std::string_view fallback;     ///< default; empty: the key, or an alternative to it, is required
  std::string_view values;       ///< allowed values
  std::string_view description;  ///< one sentence
};

/// The keys of one map of the file.
struct FileSection {
  std::string_view title;  ///< "Axis", "keep"
  std::string_view description;
  std::vector<FileKey> keys;
};

/// The sections of a sweep file: the file itself, an axis, keep, slurm.
const FileSection& sweep_keys();
const FileSection& axis_keys();
const FileSection& keep_keys();
const FileSection& slurm_keys();

}  // namespace flitmend
