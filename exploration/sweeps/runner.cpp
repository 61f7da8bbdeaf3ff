// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/runner.h"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/sweeps/point_run.h"
#include "exploration/sweeps/reader.h"
#include "testbench/checks/deadlock_check.h"
#include "testbench/checks/fault_changes_check.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/configuration/writer.h"
#include "testbench/progress.h"

namespace flitmend {

PointQueue::PointQueue(const SweepPlan& plan, std::vector<std::int64_t> units, RecordedPoint recorded)
    : plan_(plan), units_(std::move(units)), recorded_(std::move(recorded)) {}

std::optional<PointRequest> PointQueue::next() {
  while (!ready_.empty()) {
    const auto first = std::min_element(ready_.begin(), ready_.end());
    const std::int64_t unit = *first;
    ready_.erase(first);
    if (auto request = next_of_curve(unit, curves_.at(unit))) return request;
  }
  while (position_ < units_.size()) {
    const std::int64_t unit = units_[position_++];
    if (!plan_.adaptive()) {
      if (!recorded_(unit)) return plan_.point(unit);
      ++units_done_;
      continue;
    }
    const auto curve =
        curves_.emplace(unit, SaturationSearch(*plan_.sweep().adaptive()->until, plan_.largest_load(unit)))
            .first;
    if (auto request = next_of_curve(unit, curve->second)) return request;
  }
  return std::nullopt;
}

std::optional<PointRequest> PointQueue::next_of_curve(std::int64_t unit, SaturationSearch& search) {
  while (const auto question = search.next()) {
    PointRequest request{unit * plan_.stride() + question->index, plan_.settings(unit)};
    if (const auto known = recorded_(request.id)) {
      search.answer(known->status, known->metrics);
      continue;
    }
    const Place place{plan_.sweep().name};
    request.settings.push_back({"traffic.load", question->load, place});
    if (!question->drain) request.settings.push_back({"simulation.drain", false, place});
    return request;
  }
  end_curve(unit, search);
  return std::nullopt;
}

void PointQueue::end_curve(std::int64_t unit, const SaturationSearch& search) {
  SaturationRecord row = search.result();
  row.curve = unit;
  row.axes = PointRequest{0, plan_.settings(unit)}.axes();
  for (auto* point : {&row.zero_load_point, &row.load_point, &row.throughput_point})
    if (*point) **point += unit * plan_.stride();
  ended_.push_back(std::move(row));
  curves_.erase(unit);
  ++units_done_;
}

void PointQueue::finished(const PointRecord& point) {
  if (!plan_.adaptive()) {
    ++units_done_;
    return;
  }
  const std::int64_t unit = point.id / plan_.stride();
  curves_.at(unit).answer(point.status, point.metrics);
  ready_.push_back(unit);
}

SweepRunner::SweepRunner(const SweepPlan& plan, SweepWriter& writer, const std::filesystem::path& folder,
                         unsigned jobs, VerdictCache cache)
    : plan_(plan), writer_(writer), folder_(folder), jobs_(jobs), cache_(std::move(cache)) {}

bool SweepRunner::run(std::vector<std::int64_t> units, SweepProgressSink* progress,
                      const std::atomic<bool>& stop) {
  const std::set<std::int64_t> recorded = writer_.finished();
  const SweepReader reader(folder_);
  files_ = reader.meta("files");
  PointQueue queue(plan_, std::move(units), [&](std::int64_t id) -> std::optional<PointRecord> {
    if (!recorded.contains(id)) return std::nullopt;
    return plan_.adaptive() ? reader.point(id) : PointRecord{};
  });
  written_ = 0;
  stop_ = &stop;
  std::optional<std::size_t> before;
  while (!stop) {
    const bool more = start_points(queue);
    // The next points are already running while this waits for the disk.
    const bool last = running_.empty() && !more;
    if (running_.empty() || std::chrono::steady_clock::now() >= next_write_) write(queue, false);
    if (!before) before = queue.units_done();
    if (progress)
      progress->update({written_, queue.units(), queue.units_done(), *before, running_.size(),
                        plan_.adaptive() ? SweepProgress::Unit::curve : SweepProgress::Unit::point,
                        file_busy_});
    if (last && all_written()) return true;
    if (running_.empty()) continue;
    wait();
    collect(queue);
  }
  running_.clear();
  waiting_.clear();
  write(queue, true);
  return queue.units_done() == queue.units();
}

bool SweepRunner::ended_with_us(const ChildProcess::End& end) const {
  // If all processes of a job are being killed one by one, this one may be next; wait a moment.
  constexpr auto kMoment = std::chrono::milliseconds(500);
  if (end.signal == SIGKILL) std::this_thread::sleep_for(kMoment);
  return end.signal != 0 && *stop_;
}

bool SweepRunner::start_points(PointQueue& queue) {
  constexpr std::size_t kMostWaiting = 256;
  constexpr std::size_t kBatch = 256;
  for (std::size_t left = waiting_.size(); left > 0; --left) {
    if (running_.size() >= jobs_) return true;
    Prepared point = std::move(waiting_.front());
    waiting_.pop_front();
    start(std::move(point), queue);
  }
  while (running_.size() < jobs_ && waiting_.size() < kMostWaiting) {
    if (finished_.size() >= kBatch) return true;
    const auto request = queue.next();
    if (!request) return false;
    prepare(*request, queue);
  }
  return true;
}

void SweepRunner::prepare(const PointRequest& request, PointQueue& queue) {
  Prepared point;
  point.record.id = request.id;
  point.record.axes = request.axes();
  try {
    point.configuration = plan_.configuration(request);
  } catch (const ConfigurationError& e) {
    finish(refused_point(std::move(point.record), e.what()), queue);
    return;
  }
  point.record.configuration = to_yaml(point.configuration);
  if (plan_.sweep().allow_deadlock)
    point.record.message = changing_routes_note(point.configuration);
  else
    point.key = routes_change(point.configuration) ? fault_changes_key(point.configuration)
                                                   : deadlock_check_key(point.configuration);
  start(std::move(point), queue);
}

void SweepRunner::start(Prepared point, PointQueue& queue) {
  if (!point.key.empty()) {
    const auto [verdict, first] = verdicts_.try_emplace(point.key);
    if (first)
      running_.push_back(
          {std::make_unique<ChildProcess>([&] { return check_point(point.configuration, cache_); }),
           std::nullopt, point.key});
    if (!verdict->second) {
      waiting_.push_back(std::move(point));
      return;
    }
    if (verdict->second->status != PointStatus::done) {
      point.record.status = verdict->second->status;
      point.record.exit_status = verdict->second->exit_status;
      point.record.message = verdict->second->message;
      finish({std::move(point.record), {}}, queue);
      return;
    }
    point.record.message = verdict->second->message;
  }
  const std::optional<FaultSpace>& space = plan_.sweep().exhaustive;
  auto process = std::make_unique<ChildProcess>([&] {
    return space ? search_point(point.configuration, *space)
                 : run_point(point.configuration, files_, plan_.sweep().folder);
  });
  std::string key = point.key;
  running_.push_back({std::move(process), std::move(point), std::move(key)});
}

void SweepRunner::wait() const {
  constexpr int kLongest = 200;  // milliseconds: progress, signals
  int milliseconds = kLongest;
  std::vector<pollfd> descriptors;
  for (const Running& r : running_) {
    for (int descriptor : {r.process->answer_descriptor(), r.process->error_descriptor()})
      if (descriptor >= 0) descriptors.push_back({descriptor, POLLIN, 0});
    if (const double timeout = plan_.sweep().timeout_seconds; timeout > 0) {
      const double left = std::ceil(1000 * (timeout - r.process->seconds()));
      milliseconds = static_cast<int>(std::clamp(left, 0.0, static_cast<double>(milliseconds)));
    }
  }
  poll(descriptors.data(), descriptors.size(), milliseconds);
}

void SweepRunner::collect(PointQueue& queue) {
  const double timeout = plan_.sweep().timeout_seconds;
  for (std::size_t i = 0; i < running_.size();) {
    const bool ended = running_[i].process->read();
    if (!ended && !(timeout > 0 && running_[i].process->seconds() > timeout)) {
      ++i;
      continue;
    }
    Running done = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!ended) done.process->kill();
    if (done.point)
      end_point(done, queue);
    else
      end_check(done);
  }
}

void SweepRunner::end_point(Running& done, PointQueue& queue) {
  PointRecord record = std::move(done.point->record);
  if (!done.process->alive()) {
    finish(timed_out_point(std::move(record), plan_.sweep().timeout_seconds), queue);
    return;
  }
  ChildProcess::End end = done.process->end();
  if (ended_with_us(end)) return;
  finish(finished_point(std::move(record), std::move(end), plan_.sweep().keep, plan_.adaptive()), queue);
}

void SweepRunner::end_check(Running& done) {
  if (done.process->alive()) {
    const ChildProcess::End end = done.process->end();
    if (!ended_with_us(end)) verdicts_[done.key] = check_verdict(end);
    return;
  }
  PointRecord verdict = timed_out_point({}, plan_.sweep().timeout_seconds).point;
  verdict.message = "the deadlock check: " + verdict.message;
  verdicts_[done.key] = std::move(verdict);
}

void SweepRunner::finish(SweepWriter::Finished finished, PointQueue& queue) {
  queue.finished(finished.point);
  finished_.push_back(std::move(finished));
}

void SweepRunner::write(PointQueue& queue, bool wait) {
  for (SaturationRecord& curve : queue.take_curves()) curves_.push_back(std::move(curve));
  constexpr auto kMoment = std::chrono::milliseconds(200), kLong = std::chrono::milliseconds(10'000);
  writer_.set_patience(wait ? kLong : kMoment);
  const auto start = std::chrono::steady_clock::now();
  try {
    if (!finished_.empty()) writer_.add(finished_);
    written_ += finished_.size();
    finished_.clear();
    while (!curves_.empty()) {
      writer_.set_saturation(curves_.back());
      curves_.pop_back();
    }
    file_busy_ = false;
  } catch (const BusyError&) {
    // Readers release the lock eventually; until then, keep running points and handling signals.
    if (wait) throw;
    file_busy_ = true;
  }
  writer_.set_patience(kLong);
  // On a slow disk many short points share a write: writes take at most a tenth of the time.
  constexpr std::chrono::steady_clock::duration kLongest = std::chrono::milliseconds(500);
  const auto end = std::chrono::steady_clock::now();
  next_write_ = end + std::min(9 * (end - start), kLongest);
}

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
