#pragma once
#include <filesystem>
#include <ostream>
#include <string>

#include "testbench/sweeps/sweep.h"

namespace flitmend {

/// How a sweep is run.
struct SweepWork {
  std::filesystem::path folder;  ///< of its results; made where it is not there
  unsigned jobs = 0;             ///< points at a time; 0: as many as there are processors
  bool slurm = false;
  bool resume = false;
  bool quiet = false;  ///< no progress on the terminal
};

/// Runs what is missing of a sweep, here or on a cluster, until that is done or a signal comes; `err` is
/// where progress goes. `name`: how messages call the sweep. Empty where nothing is missing any more, else
/// why not. Throws ConfigurationError where the folder is not this sweep's, WriteError where it cannot be
/// written.
std::string work_on_sweep(const SweepWork&, const Sweep&, const std::string& name, std::ostream& err);

}  // namespace flitmend
