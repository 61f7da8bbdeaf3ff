#include "testbench/sweeps/sweep_progress.h"

#include <boost/format.hpp>

#include "testbench/progress.h"

namespace flitmend {

std::string progress_text(const SweepProgress& p, double seconds) {
  using Unit = SweepProgress::Unit;
  std::string text = p.unit == Unit::curve ? std::to_string(p.points) + " points, " : "";
  text += (boost::format("%1% of %2% %3%") % p.done % p.units %
           (p.unit == Unit::point   ? "points"
            : p.unit == Unit::curve ? "curves"
                                    : "tasks"))
              .str();
  text += (boost::format(", %1% running") % p.running).str();
  if (const std::size_t here = p.done - p.before; here > 0 && p.done < p.units)
    text += ", " +
            duration_text(seconds / static_cast<double>(here) * static_cast<double>(p.units - p.done)) +
            " left";
  return text;
}

TerminalSweepProgress::TerminalSweepProgress(std::ostream& terminal)
    : terminal_(terminal), started_(Clock::now()) {}

TerminalSweepProgress::~TerminalSweepProgress() {
  if (anything_shown_) terminal_ << "\r\x1b[K" << std::flush;
}

void TerminalSweepProgress::update(const SweepProgress& progress) {
  constexpr auto kBetween = std::chrono::milliseconds(200);
  const Clock::time_point now = Clock::now();
  if (anything_shown_ && now - shown_ < kBetween) return;
  shown_ = now;
  anything_shown_ = true;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  terminal_ << '\r' << progress_text(progress, seconds) << "\x1b[K" << std::flush;
}

}  // namespace flitmend
