// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <string>

namespace flitmend {

/// What a case costs. A figure that it does not have is 0.
struct Figures {
  double cpu_seconds = 0;     ///< of the process, user and system, over what is measured
  double flit_hops = 0;       ///< in that time: flits that crossed a router-to-router channel
  double cycles = 0;          ///< in that time
  double bytes_per_node = 0;  ///< anonymous resident memory, above that of an empty process
};

/// Registers a benchmark that measures in a child process, once an iteration: a SystemC kernel elaborates
/// once a process, and a fresh one has no memory of the case before. Its time is the CPU time of the figures.
/// What `measure` throws becomes the benchmark's error; its label, words KEY=VALUE, is for scripts/bench:
///
///   plain_loop=K,VCS,BUFFER,LENGTH,LOAD,CYCLES   the same network for the plain loop of --yardstick
///   baseline=CASE                                this case is a variant of that one
void register_case(const std::string& name, const std::string& label, std::function<Figures()> measure);

/// CPU time of this process so far, in seconds.
double cpu_seconds();

/// Anonymous resident memory of this process, in bytes; 0 where the system does not tell.
double resident_bytes();

}  // namespace flitmend
