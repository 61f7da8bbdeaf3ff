// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

namespace flitmend {

/// A key of a file that is no configuration: declared once; its reader takes no other, and the reference page
/// shows it.
struct FileKey {
  std::string_view name;
  std::string_view fallback;     ///< where it is not given; empty: it must be, or another in its stead
  std::string_view values;       ///< what it may be
  std::string_view description;  ///< one sentence
};

/// The keys of one map of the file.
struct FileSection {
  std::string_view title;  ///< "A sweep", "keep"
  std::string_view description;
  std::vector<FileKey> keys;
};

/// The sections of a sweep's file: the file itself, an axis, keep, slurm.
const FileSection& sweep_keys();
const FileSection& axis_keys();
const FileSection& keep_keys();
const FileSection& slurm_keys();

}  // namespace flitmend
