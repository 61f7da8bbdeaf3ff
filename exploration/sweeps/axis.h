// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "exploration/sweeps/records.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// "until: saturation": loads upwards from `from` by `step` until the network saturates, at most to `to`;
/// then halving the last step. In the unit of traffic.load.
struct SaturationAxis {
  double from = 0;
  double step = 0;
  double to = 0;
  double zero_load = 0;  ///< at which the latency without contention is measured
};

/// One direction in which a sweep goes: the keys that it sets and, for each of its points, their values.
struct SweepAxis {
  std::string name;
  std::vector<std::string> keys;          ///< dotted paths of the configuration; several: zipped
  std::vector<std::vector<Json>> points;  ///< a value for each key; none where `until` is set
  std::vector<std::string> places;        ///< "sweep.yaml:4:20" of each point, for messages
  std::optional<SaturationAxis> until;

  /// The row of table `axes`.
  AxisRecord record() const;
};

/// A value of a YAML document as JSON: plain scalars become numbers and truth values where they read so.
Json json_of(const DocumentNode&);

/// Reads one entry of `axes:`; `path` is how messages call it: "axes[0]". What is wrong goes into the list.
SweepAxis read_axis(const DocumentNode&, const std::string& path, ErrorList&);

}  // namespace flitmend
