// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace flitmend {

/// Progress of a sweep.
struct SweepProgress {
  std::size_t points = 0;   ///< recorded since this start
  std::size_t units = 0;    ///< total: points, curves, or tasks of a job array
  std::size_t done = 0;     ///< complete units
  std::size_t before = 0;   ///< complete units from an earlier start
  std::size_t running = 0;  ///< processes
  enum class Unit { point, curve, task };
  Unit unit = Unit::point;
  bool file_busy = false;  ///< another program keeps the results file locked; what has ended is written later
};

class SweepProgressSink {
 public:
  virtual ~SweepProgressSink() = default;
  virtual void update(const SweepProgress&) = 0;
};

/// "37 of 200 points, 2 running, 12:03 left"; "61 points, 3 of 8 curves, 2 running, 2:10 left"; "3 of 8
/// tasks, …".
std::string progress_text(const SweepProgress&, double seconds);

}  // namespace flitmend
