// SPDX-License-Identifier: Apache-2.0
// The cost of waveforms for a run: one-cycle routers of an 8x8 mesh at load 0.2.
#include "support/network_case.h"

namespace flitmend {
namespace {

void register_waves(const std::string& name, const std::string& settings, std::int64_t cycles) {
  const MeshCase mesh{8, 0.2, true, 1'000, cycles};
  std::vector<std::string> lines = mesh.configuration();
  lines.push_back("waves: {" + settings + "}");
  register_case("waves/" + name, name == "off" ? "" : "baseline=waves/off",
                [lines] { return measure_run(configuration_of(lines)); });
}

[[maybe_unused]] const bool registered_waves =
    (register_waves("off", "enabled: false", 100'000),
     register_waves("closed-window", "enabled: true, from: 1000000000", 100'000),
     register_waves("one-router", "enabled: true, scope: [fabric.router_3_3]", 50'000),
     register_waves("all-64", "enabled: true", 10'000), true);

}  // namespace
}  // namespace flitmend
