// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Refuses what cannot be simulated, before anything is built: impossible hardware, traffic that does not fit
/// the network, messages that no buffer can hold, a damaged trace (it is read to its end), keys that have no
/// effect with a trace, listed faults after the end of the run, more memory than there is. A Simulation
/// accepts what this accepts; `check`, `run` and the points of a sweep call it. The configuration must be
/// complete (settle()). Throws ConfigurationError with the place of the key at fault.
void validate(const Configuration&);

/// Sets what the user leaves open in section tlm: targets take any number of requests if these cannot wait in
/// the network.
void settle_platform(Configuration&);

/// The same as validate() for a platform (NetworkOnChip), whose traffic is its own.
void validate_platform(const Configuration&);

}  // namespace flitmend
