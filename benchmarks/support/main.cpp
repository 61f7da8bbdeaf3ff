// SPDX-License-Identifier: Apache-2.0
// The main program of every benchmark: Google Benchmark inside sc_main, because libsystemc has its own main
// function, which calls sc_main.
#include <benchmark/benchmark.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
