// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/sweep_progress.h"

#include "base/text.h"
#include "testbench/progress.h"

namespace flitmend {

std::string progress_text(const SweepProgress& p, double seconds) {
  using Unit = SweepProgress::Unit;
  std::string text = p.unit == Unit::curve ? formatted("%1% points, ", p.points) : "";
  text += formatted("%1% of %2% %3%", p.done, p.units,
                    p.unit == Unit::point   ? "points"
                    : p.unit == Unit::curve ? "curves"
                                            : "tasks");
  text += formatted(", %1% running", p.running);
  if (const std::size_t here = p.done - p.before; here > 0 && p.done < p.units)
    text += ", " +
            duration_text(seconds / static_cast<double>(here) * static_cast<double>(p.units - p.done)) +
            " left";
  if (p.file_busy) text += ", waiting for a program that keeps results.sqlite locked";
  return text;
}

}  // namespace flitmend
