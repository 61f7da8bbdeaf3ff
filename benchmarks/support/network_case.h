// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "support/case.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The configuration in the lines of a file; throws ConfigurationError.
Configuration configuration_of(const std::vector<std::string>& lines);

/// Runs a whole simulation: the fabric with traffic elements, TLM-2.0 sockets, scoreboard and statistics.
/// Measures the cycles after the warm-up, or the whole run of a trace. Waveforms, if enabled, go to a
/// temporary folder. Throws std::runtime_error if the run does not end as it should.
Figures measure_run(Configuration);

/// Square meshes under uniform traffic of 5-flit messages: preset iq, 4 virtual channels of 8 flits.
struct MeshCase {
  int side;
  double load;     ///< flits per node per cycle
  bool one_cycle;  ///< all router stages in one cycle, else the preset's four stages
  std::int64_t warmup;
  std::int64_t cycles;  ///< measured cycles

  std::vector<std::string> configuration() const;
  /// The label for the plain loop, which has one-cycle routers.
  std::string plain_loop() const;
};

}  // namespace flitmend
