// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "exploration/sweeps/child_process.h"
#include "exploration/sweeps/sweep.h"
#include "exploration/sweeps/writer.h"
#include "testbench/checks/verdict_cache.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Simulates one point, in a child process, because a SystemC kernel can simulate only once. Whatever goes
/// wrong is part of the answer, a JSON text for finished_point(). `files`: what named_files() has said about
/// the sweep, whose file is in `sweep_folder`; a point does not run with a file that has changed since.
std::string run_point(const Configuration&, const std::string& files,
                      const std::filesystem::path& sweep_folder = {});

/// Tries every fault of a space in a point's network, by the program flitmend-search beside this one. The
/// answer is like that of run_point: its stats are what the search counted, and contract_broken means that it
/// found failures.
std::string search_point(const Configuration&, const FaultSpace&);

/// The rows of a point whose process has ended.
SweepWriter::Finished finished_point(PointRecord started, ChildProcess::End, const SweepKeep&, bool adaptive);

/// Checks a configuration for deadlock, in a child process, unless the verdict was kept, and whether it stays
/// free when the set of faults changes. The answer is for check_verdict().
std::string check_point(const Configuration&, const VerdictCache&);

/// The verdict of a finished check: how the points that depend on it end, or status done if they may run.
/// Only status, exit status and message are set; with done, the message is what the points have to say.
PointRecord check_verdict(const ChildProcess::End&);

/// Rows of a point that was not run, or whose process did not answer in time.
SweepWriter::Finished refused_point(PointRecord started, std::string why);
SweepWriter::Finished timed_out_point(PointRecord started, double timeout_seconds);

}  // namespace flitmend
