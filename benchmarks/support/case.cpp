// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <systemc>

#include "support/case.h"

namespace flitmend {
namespace {

/// The child's answer; small enough for a pipe to take in one write.
struct Answer {
  Figures figures;
  char error[1024] = {};
};

Answer answer_of(const std::function<Figures()>& measure) {
  Answer answer;
  try {
    answer.figures = measure();
  } catch (const std::exception& error) {
    std::strncpy(answer.error, error.what(), sizeof answer.error - 1);
    if (!answer.error[0]) std::strcpy(answer.error, "an exception without a message");
  }
  return answer;
}

Figures figures_of_child(const std::function<Figures()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe to a child process");
  std::fflush(nullptr);  // otherwise the child would write it again
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    close(ends[0]);
    const Answer answer = answer_of(measure);
    const bool told = write(ends[1], &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer);
    _exit(told ? 0 : 1);  // elaborated objects end with the process
  }
  close(ends[1]);
  Answer answer;
  const bool told = read(ends[0], &answer, sizeof answer) == static_cast<ssize_t>(sizeof answer);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!told || status != 0) throw std::runtime_error("the child process that measures has crashed");
  if (answer.error[0]) throw std::runtime_error(answer.error);
  return answer.figures;
}

void run_case(benchmark::State& state, const std::string& label, const std::function<Figures()>& measure) {
  Figures sum;
  for (auto _ : state) {
    Figures once;
    try {
      once = figures_of_child(measure);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      return;
    }
    state.SetIterationTime(once.cpu_seconds);
    sum.cpu_seconds += once.cpu_seconds;
    sum.flit_hops += once.flit_hops;
    sum.cycles += once.cycles;
    sum.bytes_per_node = once.bytes_per_node;
  }
  const auto count = [&](const char* name, double value, bool has) {
    if (has) state.counters[name] = value;
  };
  count("flit_hops_per_second", sum.flit_hops / sum.cpu_seconds, sum.flit_hops > 0);
  count("ns_per_flit_hop", sum.cpu_seconds * 1e9 / sum.flit_hops, sum.flit_hops > 0);
  count("cycles_per_second", sum.cycles / sum.cpu_seconds, sum.cycles > 0);
  count("bytes_per_node", sum.bytes_per_node, sum.bytes_per_node > 0);
  state.SetLabel(label);
}

}  // namespace

void register_case(const std::string& name, const std::string& label, std::function<Figures()> measure) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [label, measure](benchmark::State& state) { run_case(state, label, measure); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "RssAnon:") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

}  // namespace flitmend

// The main program of every benchmark: Google Benchmark inside sc_main, because libsystemc has its own main
// function, which calls sc_main.
int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
