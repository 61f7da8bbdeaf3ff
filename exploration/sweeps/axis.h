// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "exploration/sweeps/records.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// "until: saturation": loads upwards from `from` by `step` until the network saturates, at most to `to`;
/// then bisection of the last step. In the unit of traffic.load.
struct SaturationAxis {
  double from = 0;
  double step = 0;
  double to = 0;
  double zero_load = 0;  ///< load at which the zero-load latency is measured
};

/// One axis of a sweep: the keys that it sets and, for each of its points, their values.
struct SweepAxis {
  std::string name;
  std::vector<std::string> keys;          ///< dotted paths of the configuration; several: zipped
  std::vector<Place> key_places;          ///< of each key
  std::vector<std::vector<Json>> points;  ///< one value per key; none if `until` is set
  std::vector<Place> places;              ///< of each point
  bool ascending = false;                 ///< the points are a range of numbers, not given one by one
  std::optional<SaturationAxis> until;

  /// A row of the table `axes`.
  AxisRecord record() const;
};

/// A value of a YAML document as JSON; plain scalars become numbers and truth values where possible.
Json json_of(const DocumentNode&);

/// A value as a sweep file has it, on one line: {topology: mesh, size: [8, 8]}.
std::string yaml_of(const Json&);

/// KEY=VALUE, the value as YAML that reads back as the same: a text only in quotes where it needs them.
std::string assignment_of(const std::string& key, const Json& value);

/// Reads one entry of `axes:`; `path` is what error messages call it: "axes[0]". Errors go into the list.
SweepAxis read_axis(const DocumentNode&, const std::string& path, ErrorList&);

}  // namespace flitmend
