// SPDX-License-Identifier: Apache-2.0
// Whole simulations: meshes of several sizes and loads, idle meshes, KNS networks, and a trace.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "support/network_case.h"

namespace flitmend {
namespace {

void register_mesh(const std::string& name, const MeshCase& mesh) {
  register_case(name, mesh.load > 0 ? mesh.plain_loop() : std::string(),
                [mesh] { return measure_run(configuration_of(mesh.configuration())); });
}

void register_meshes() {
  struct Load {
    int side;
    const char* text;
    std::int64_t cycles;
  };
  constexpr Load kLoads[] = {{8, "0.05", 400'000}, {8, "0.2", 150'000}, {8, "0.4", 80'000},
                             {32, "0.02", 15'000}, {32, "0.1", 4'000},  {64, "0.025", 2'000}};
  for (const bool one_cycle : {true, false})
    for (const Load& l : kLoads) {
      const std::string side = std::to_string(l.side);
      register_mesh(std::string("fabric/") + (one_cycle ? "one-cycle/" : "four-stage/") + side + "x" + side +
                        "/" + l.text,
                    {l.side, std::stod(l.text), one_cycle, 1'000, l.cycles});
    }
  register_mesh("idle/8x8", {8, 0, true, 0, 1'000'000});
  register_mesh("idle/64x64", {64, 0, true, 0, 200'000});
}

/// Networks of 4,096 nodes at half their load, whose switches have 64 and 16 ports.
void register_kns() {
  struct Size {
    const char *k, *n;
  };
  for (const auto& [k, n] : {Size{"64", "2"}, Size{"16", "3"}}) {
    const std::string network = std::string("network: {topology: kns, k: ") + k + ", n: " + n + "}";
    register_case(std::string("kns/") + k + "-" + n + "/0.5", "", [network] {
      return measure_run(
          configuration_of({network, "router: {preset: kns}", "traffic: {message_length: 16, load: 0.5}",
                            "simulation: {warmup: 300, measure: 1000, drain: false}"}));
    });
  }
}

/// A real trace is not part of the project: it is in the folder that FLITMEND_DATA names.
std::string trace(const std::string& name) {
  const char* const folder = std::getenv("FLITMEND_DATA");
  const std::filesystem::path path = std::filesystem::path(folder ? folder : "") / "netrace" / name;
  if (!folder || !std::filesystem::exists(path))
    throw std::runtime_error("skipped: FLITMEND_DATA names no folder with netrace/" + name);
  return path.string();
}

void register_traces() {
  register_case("netrace/lngrex/four-stage/8x8", "", [] {
    Configuration c = configuration_of({"network: {topology: mesh, size: [8, 8]}", "router: {preset: iq}"});
    c.traffic.options.set("trace", trace("lngrex.tra.bz2"));
    return measure_run(std::move(c));
  });
}

[[maybe_unused]] const bool kRegistered = (register_meshes(), register_kns(), register_traces(), true);

}  // namespace
}  // namespace flitmend
