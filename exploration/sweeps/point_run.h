// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "exploration/sweeps/child_process.h"
#include "exploration/sweeps/sweep.h"
#include "exploration/sweeps/writer.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Simulates one point; for a child process, since a SystemC kernel simulates once. Whatever goes wrong is
/// part of the answer, a JSON text for finished_point().
std::string run_point(const Configuration&);

/// The rows of a point whose process has ended.
SweepWriter::Finished finished_point(PointRecord started, ChildProcess::End, const SweepKeep&, bool adaptive);

/// Checks a configuration for deadlock; for a child process. The answer is for refusal().
std::string check_point(const Configuration&);

/// The verdict of a check that has ended: how the points that it is for end, or status done where they may
/// run. Only status, exit status and message are set.
PointRecord check_verdict(const ChildProcess::End&);

/// Of a point that was not run, or whose process did not answer in time.
SweepWriter::Finished refused_point(PointRecord started, std::string why);
SweepWriter::Finished timed_out_point(PointRecord started, double timeout_seconds);

}  // namespace flitmend
