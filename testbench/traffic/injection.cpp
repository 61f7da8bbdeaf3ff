// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/injection.h"

#include <algorithm>

#include "base/text.h"

namespace flitmend {

double InjectionContext::probability(const char* load_key, double flits) const {
  const double p = flits / mean_length;
  if (p > kTolerance)
    throw KeyError(
        load_key,
        formatted("%g flits per cycle in messages of %g flits are %g messages per cycle, but "
                  "injection %s creates at most one; use a lower load, longer messages, or injection "
                  "poisson",
                  flits, mean_length, p, settings.injection));
  return std::min(p, 1.0);
}

#define FLITMEND_INJECTION(x) InjectionEntry x##_injection();
#include "testbench/traffic/injection_processes.def"
#undef FLITMEND_INJECTION

const Registry<InjectionEntry>& injection_processes() {
  static const Registry<InjectionEntry> registry("injection process", [] {
    std::vector<InjectionEntry> all;
#define FLITMEND_INJECTION(x) all.push_back(x##_injection());
#include "testbench/traffic/injection_processes.def"
#undef FLITMEND_INJECTION
    return all;
  }());
  return registry;
}

}  // namespace flitmend
