// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "exploration/sweeps/file_keys.h"
#include "exploration/sweeps/records.h"
#include "exploration/sweeps/sweep.h"

namespace flitmend {

/// Lists of axes, as in a sweep file, before and after those of a campaign's file.
struct AddedAxes {
  Json first = Json::array();
  Json last = Json::array();
};

/// The keys of a campaign file that are those of a sweep file: base, axes, slurm, timeout_seconds,
/// allow_deadlock.
class SweepPart {
 public:
  /// `root`: the document of the campaign's file; `name`: what messages call the file.
  SweepPart(const DocumentNode& root, const std::string& name);

  /// The sweep that they describe. Throws ConfigurationError, with places in the campaign's file.
  Sweep read(const BaseReader&) const;
  /// The same with further keys and axes. Its text is a sweep file for the tasks of a cluster.
  Sweep read(const BaseReader&, const Json& keys, const AddedAxes&) const;

 private:
  DocumentNode part_;
  std::string name_;
};

/// The key `protocols` of a campaign file: a list of recovery protocols, by default all. Reports errors.
std::vector<std::string> read_protocols(MapReader&);

}  // namespace flitmend
