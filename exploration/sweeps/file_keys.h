// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "testbench/configuration/document.h"

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

/// The sections of a sweep file: the file itself, an axis, keep, slurm, exhaustive.
const FileSection& sweep_keys();
const FileSection& axis_keys();
const FileSection& keep_keys();
const FileSection& slurm_keys();
const FileSection& exhaustive_keys();

/// The document of a whole file. Throws ConfigurationError with all errors; `name` is what they call the
/// file.
DocumentNode read_document(const std::string& text, const std::string& name);

/// Reads the keys of one map, and reports those that are not declared.
class MapReader {
 public:
  /// `path` is what error messages call the map: "" for the document, "axes[0]". Reports an error if it is
  /// not a map.
  MapReader(const DocumentNode& map, std::string path, const FileSection& declared, ErrorList&);

  /// The value of a declared key; null if it is not given.
  const DocumentNode* get(std::string_view key);
  bool has(std::string_view key) const { return map_.find(key) != nullptr; }
  /// "axes[0].values"
  std::string path_of(std::string_view key) const;
  /// Adds the error "axes[0].values: wrong" at the value's place; nothing if `wrong` is empty.
  void report(const DocumentNode& value, std::string_view key, const std::string& wrong);
  /// Adds the error "axes[0]: wrong" at the map's place.
  void report(const std::string& wrong);
  /// Reports the keys that are not declared.
  void finish();

 private:
  const DocumentNode& map_;
  std::string path_;
  const FileSection& declared_;
  ErrorList& errors_;
};

}  // namespace flitmend
