// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/point_run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/errors.h"
#include "base/program_file.h"
#include "base/text.h"
#include "exploration/sweeps/metrics.h"
#include "exploration/sweeps/named_files.h"
#include "exploration/sweeps/other_program.h"
#include "exploration/sweeps/saturation_search.h"
#include "testbench/checks/fault_changes_check.h"
#include "testbench/checks/validation.h"
#include "testbench/checks/verdict_cache.h"
#include "testbench/configuration/writer.h"
#include "testbench/run_end.h"
#include "testbench/simulation.h"
#include "traces/waves/glob.h"

namespace flitmend {
namespace {

Json answer(ExitStatus status, const std::string& message) {
  return {{"exit_status", to_int(status)}, {"message", message}};
}

/// The answer of a point that this machine could not run now.
std::string not_now(const std::string& message) {
  Json json = answer(ExitStatus::unfinished, message);
  json["not_now"] = true;
  return json.dump();
}

/// Runs `work` and returns its answer; exceptions become the program's exit statuses.
template <class Work>
std::string guarded(const Work& work) {
  const auto failed = [](ExitStatus status, const std::string& message) {
    return answer(status, message).dump();
  };
  try {
    return work().dump();
  } catch (const NotNowError& e) {
    return not_now(e.what());
  } catch (const ConfigurationError& e) {
    return failed(ExitStatus::bad_usage, e.what());
  } catch (const WriteError& e) {
    return failed(ExitStatus::unfinished, e.what());
  } catch (const sc_core::sc_report& e) {
    if (out_of_memory(e)) return not_now(std::string("out of memory during the run. ") + kMemoryRemedy);
    return failed(ExitStatus::contract_broken, std::string(e.get_msg_type()) + ": " + e.get_msg());
  } catch (const std::bad_alloc&) {
    return not_now("out of memory");
  } catch (const std::exception& e) {
    return failed(ExitStatus::contract_broken, e.what());
  }
}

PointStatus status_of(int exit_status) {
  switch (static_cast<ExitStatus>(exit_status)) {
    case ExitStatus::done:
      return PointStatus::done;
    case ExitStatus::contract_broken:
      return PointStatus::contract_broken;
    case ExitStatus::deadlock:
      return PointStatus::deadlock;
    case ExitStatus::unfinished:
      return PointStatus::unfinished;
    case ExitStatus::bad_usage:
    case ExitStatus::unproved:
    case ExitStatus::not_borne_out:
    case ExitStatus::target_missed:
      break;
  }
  return PointStatus::refused;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

/// Status, exit status and message of a process that ended without an answer.
void tell_crash(PointRecord& point, const ChildProcess::End& end) {
  point.status = PointStatus::crashed;
  if (end.signal) {
    point.exit_status = 128 + end.signal;
    point.message =
        formatted("its process was killed by signal %1% (%2%)", end.signal, strsignal(end.signal));
  } else {
    point.exit_status = end.exit_status;
    point.message = formatted("its process ended with status %1% and no answer", end.exit_status);
  }
}

/// The answer, or null after recording the point's crash.
Json answer_of(PointRecord& point, const ChildProcess::End& end) {
  Json json = end.answer ? Json::parse(*end.answer, nullptr, false) : Json();
  if (!json.is_object()) {
    tell_crash(point, end);
    return nullptr;
  }
  point.exit_status = json["exit_status"].get<int>();
  point.status = json.value("not_now", false) ? PointStatus::refused : status_of(*point.exit_status);
  if (std::string message = json["message"].get<std::string>(); !message.empty())
    point.message = std::move(message);  // else what the checks have said stays
  return json;
}

bool kept(const std::string& metric, const SweepKeep& keep, bool adaptive) {
  if (adaptive &&
      std::find(std::begin(kSearchMetrics), std::end(kSearchMetrics), metric) != std::end(kSearchMetrics))
    return true;
  return std::any_of(keep.metrics.begin(), keep.metrics.end(),
                     [&](const std::string& glob) { return glob_matches(glob, metric); });
}

template <class T>
std::optional<T> number(const Json& host, const char* key) {
  const auto found = host.find(key);
  return found != host.end() && found->is_number() ? std::optional(found->get<T>()) : std::nullopt;
}

}  // namespace

std::string run_point(const Configuration& configuration, const std::string& files,
                      const std::filesystem::path& sweep_folder) {
  Configuration configured = configuration;
  // Points that run at the same time share the processors already.
  if (!configured.simulation.threads.number) configured.simulation.threads.number = 1;
  return guarded([&] {
    validate(configured);
    const std::atomic<bool> never{false};
    // Left to the end of the process, because the kernel takes a long time to destroy the modules of a large
    // network.
    Simulation* const simulation = std::make_unique<Simulation>(configured).release();
    refuse_changed_inputs(simulation->inputs(), files, sweep_folder);
    const Outcome outcome = simulation->run(nullptr, never);
    Json json = answer(outcome.status, outcome.why);
    json["stats"] = Json::parse(to_json(outcome.results));
    return json;
  });
}

std::string search_point(const Configuration& configuration, const FaultSpace& space) {
  return guarded([&] {
    const std::filesystem::path program = program_file().parent_path() / "flitmend-search";
    const CommandResult result =
        run_command({program.string(), to_yaml(configuration), json_of(space).dump()},
                    "it belongs beside flitmend; build or install it");
    if (result.status == to_int(ExitStatus::bad_usage)) throw ConfigurationError(result.err);
    Json stats = Json::parse(result.out, nullptr, false);
    if (result.status != 0 || !stats.is_object())
      throw ContractError(formatted("flitmend-search ended with status %1%: %2%", result.status, result.err));
    const Json& failures = stats.at("failures");
    Json json = answer(ExitStatus::done, "");
    if (!failures.empty()) {
      const Json& first = failures.front();
      json = answer(
          ExitStatus::contract_broken,
          formatted("%1% of %2% cases failed; %3%: %4%", stats["exhaustive"]["failures"].get<std::uint64_t>(),
                    stats["exhaustive"]["cases"].get<std::uint64_t>(), first["kind"].get<std::string>(),
                    first["what"].get<std::string>()));
    }
    json["stats"] = std::move(stats);
    return json;
  });
}

SweepWriter::Finished finished_point(PointRecord started, ChildProcess::End end, const SweepKeep& keep,
                                     bool adaptive) {
  SweepWriter::Finished finished{std::move(started), {}};
  Json json = answer_of(finished.point, end);
  finished.host.wall_seconds = end.seconds;
  finished.host.host_name = host_name();
  finished.host.diagnostics = std::move(end.diagnostics);
  if (!json.is_object() || !json.contains("stats")) return finished;
  Json& stats = json["stats"];
  const Json host = stats.value("host", Json::object());
  finished.host.cpu_seconds = number<double>(host, "cpu_seconds");
  finished.host.flit_hops_per_second = number<double>(host, "flit_hops_per_second");
  finished.host.peak_rss_bytes = number<std::int64_t>(host, "peak_rss_bytes");
  finished.host.started = host.value("started", "");
  finished.host.finished = host.value("finished", "");
  stats.erase("host");
  for (const auto& [name, value] : metrics_of(stats))
    if (kept(name, keep, adaptive)) finished.point.metrics[name] = value;
  if (keep.stats) finished.point.stats = stats.dump();
  return finished;
}

std::string check_point(const Configuration& configuration, const VerdictCache& cache) {
  return guarded([&] {
    try {
      const DeadlockCheck check = deadlock_verdict(configuration, nullptr, cache);
      if (check.status == ExitStatus::done)
        return answer(ExitStatus::done, fault_changes_note(configuration, nullptr));
      throw KeyError("routing.algorithm",
                     check.verdict +
                         "; nothing was run. flitmend check says more; allow_deadlock: true in the "
                         "sweep runs it anyway");
    } catch (const KeyError& refusal) {
      throw configuration.located(refusal);
    }
  });
}

PointRecord check_verdict(const ChildProcess::End& end) {
  PointRecord verdict;
  if (answer_of(verdict, end).is_null()) verdict.message = "the deadlock check: " + verdict.message;
  return verdict;
}

SweepWriter::Finished refused_point(PointRecord started, std::string why) {
  started.status = PointStatus::refused;
  started.exit_status = to_int(ExitStatus::bad_usage);
  started.message = std::move(why);
  return {std::move(started), {}};
}

SweepWriter::Finished timed_out_point(PointRecord started, double timeout_seconds) {
  started.status = PointStatus::timed_out;
  started.exit_status = std::nullopt;
  started.message = formatted("not finished after timeout_seconds: %1%", timeout_seconds);
  SweepWriter::Finished finished{std::move(started), {}};
  finished.host.wall_seconds = timeout_seconds;
  finished.host.host_name = host_name();
  return finished;
}

}  // namespace flitmend
