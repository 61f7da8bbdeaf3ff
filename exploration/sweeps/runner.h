// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exploration/sweeps/child_process.h"
#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/saturation_search.h"
#include "exploration/sweeps/writer.h"
#include "testbench/checks/verdict_cache.h"

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
  bool file_busy = false;  ///< another program has locked the results file; results are written later
};

class SweepProgressSink {
 public:
  virtual ~SweepProgressSink() = default;
  virtual void update(const SweepProgress&) = 0;
};

/// "37 of 200 points, 2 running, 12:03 left"; "61 points, 3 of 8 curves, 2 running, 2:10 left"; "3 of 8
/// tasks, …".
std::string progress_text(const SweepProgress&, double seconds);

/// The record of a point from an earlier start; none if there is none.
using RecordedPoint = std::function<std::optional<PointRecord>(std::int64_t id)>;

/// Hands out the points of some units of a plan that are not recorded yet, in the order of their ids as far
/// as curves allow: the next point of a curve depends on the previous one.
class PointQueue {
 public:
  /// The plan must outlive this.
  PointQueue(const SweepPlan& plan, std::vector<std::int64_t> units, RecordedPoint recorded);

  /// None if there is none now; there may be one after finished().
  std::optional<PointRequest> next();
  /// Call once for every point handed out.
  void finished(const PointRecord&);
  /// The curves that have ended since the last call.
  std::vector<SaturationRecord> take_curves() { return std::exchange(ended_, {}); }

  std::size_t units() const { return units_.size(); }
  std::size_t units_done() const { return units_done_; }

 private:
  std::optional<PointRequest> next_of_curve(std::int64_t unit, SaturationSearch&);
  void end_curve(std::int64_t unit, const SaturationSearch&);

  const SweepPlan& plan_;
  std::vector<std::int64_t> units_;
  RecordedPoint recorded_;
  std::size_t position_ = 0;  ///< index in units_
  std::size_t units_done_ = 0;
  std::map<std::int64_t, SaturationSearch> curves_;  ///< in progress, by unit
  std::vector<std::int64_t> ready_;                  ///< units whose next point can be handed out
  std::vector<SaturationRecord> ended_;
};

/// Runs the points of a plan, several at a time, each in its own process, and records each at most half a
/// second after its end, or once no other program keeps the file locked. Before the first point with some
/// hardware and routing, one process checks that combination for deadlock.
class SweepRunner {
 public:
  /// `folder` holds the results of the plan's sweep. All arguments must outlive this. jobs ≥ 1.
  SweepRunner(const SweepPlan& plan, SweepWriter& writer, const std::filesystem::path& folder, unsigned jobs,
              VerdictCache cache);

  /// Runs until nothing of these units is missing, or until `stop` is set; running points are then dropped.
  /// True if nothing is missing. Throws WriteError.
  bool run(std::vector<std::int64_t> units, SweepProgressSink*, const std::atomic<bool>& stop);

 private:
  /// A point with its configuration, not started yet.
  struct Prepared {
    PointRecord record;
    Configuration configuration;
    std::string key;  ///< of its deadlock check
  };
  struct Running {
    std::unique_ptr<ChildProcess> process;
    std::optional<Prepared> point;  ///< none: a deadlock check
    std::string key;
  };

  /// Whether a process was killed together with this one, so that its end says nothing about its work.
  bool ended_with_us(const ChildProcess::End&) const;
  bool start_points(PointQueue&);
  void prepare(const PointRequest&, PointQueue&);
  void start(Prepared, PointQueue&);
  void wait() const;
  void collect(PointQueue&);
  void end_point(Running&, PointQueue&);
  void end_check(Running&);
  void finish(SweepWriter::Finished, PointQueue&);
  /// Writes what has ended; with `wait`, tries for some seconds. Throws WriteError.
  void write(PointQueue&, bool wait);
  bool all_written() const { return finished_.empty() && curves_.empty(); }

  const SweepPlan& plan_;
  SweepWriter& writer_;
  std::filesystem::path folder_;
  std::size_t jobs_;
  VerdictCache cache_;
  std::string files_;  ///< that the sweep names, with digests
  const std::atomic<bool>* stop_ = nullptr;
  std::vector<Running> running_;
  std::deque<Prepared> waiting_;                                ///< for the verdict of a deadlock check
  std::map<std::string, std::optional<PointRecord>> verdicts_;  ///< by check; none while it is running
  std::vector<SweepWriter::Finished> finished_;                 ///< not written yet
  std::vector<SaturationRecord> curves_;                        ///< not written yet
  std::chrono::steady_clock::time_point next_write_;
  bool file_busy_ = false;
  std::size_t written_ = 0;
};

}  // namespace flitmend
