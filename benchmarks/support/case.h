// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <string>

namespace flitmend {

/// The cost of a case. A figure that it does not have is 0.
struct Figures {
  double cpu_seconds = 0;     ///< of the process, user and system, while measuring
  double flit_hops = 0;       ///< in that time: flits that crossed a channel between routers
  double cycles = 0;          ///< in that time
  double bytes_per_node = 0;  ///< anonymous resident memory, above that of an empty process
};

/// Registers a benchmark that measures in a child process, once per iteration, because a SystemC kernel
/// elaborates only once per process, and a fresh process has no memory of the previous case. The benchmark's
/// time is the CPU time of the figures. An exception from `measure` becomes the benchmark's error. Its label,
/// words KEY=VALUE, is for scripts/bench:
///
///   plain_loop=K,VCS,BUFFER,LENGTH,LOAD,CYCLES   the same network for the plain loop of --yardstick
///   baseline=CASE                                this case is a variant of that one
void register_case(const std::string& name, const std::string& label, std::function<Figures()> measure);

/// CPU time of this process so far, in seconds.
double cpu_seconds();

/// Anonymous resident memory of this process, in bytes; 0 if the system does not report it.
double resident_bytes();

}  // namespace flitmend
