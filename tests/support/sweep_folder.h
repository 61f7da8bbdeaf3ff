// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <string>

#include "exploration/sweeps/writer.h"

namespace flitmend::test {

/// The results of a made-up sweep: loads 0.05 … 0.45 of networks with 2 and 4 virtual channels, three seeds
/// each. Latency is 20/(1 − load/s) + seed − 2 with s = 0.5 and 0.6, accepted traffic min(load, s − 0.1).
inline void write_sweep(const std::string& folder, const std::string& sweep_name = "vc.yaml") {
  SweepWriter writer =
      SweepWriter::create(folder, {"0.1.0", "network: {}\n", "base.yaml", "axes: []\n", sweep_name},
                          {{"load", {"traffic.load"}, Json::array({0.05, 0.15, 0.25, 0.35, 0.45})},
                           {"channels", {"router.virtual_channels"}, Json::array({2, 4})},
                           {"seed", {"simulation.seed"}, Json::array({1, 2, 3})}});
  std::vector<SweepWriter::Finished> points;
  for (const int channels : {2, 4})
    for (const double load : {0.05, 0.15, 0.25, 0.35, 0.45})
      for (const int seed : {1, 2, 3}) {
        const double limit = channels == 2 ? 0.5 : 0.6;
        SweepWriter::Finished f;
        f.point.id = static_cast<std::int64_t>(points.size());
        f.point.axes = {
            {"traffic.load", load}, {"router.virtual_channels", channels}, {"simulation.seed", seed}};
        f.point.configuration = "network: {topology: mesh, size: [3, 3]}\n";
        f.point.exit_status = 0;
        f.point.metrics = {{"latency.total.mean", 20 / (1 - load / limit) + seed - 2},
                           {"traffic.offered", load},
                           {"traffic.accepted", std::min(load, limit - 0.1)},
                           {"hops.mean", 2}};
        f.host.cpu_seconds = 0.5;
        points.push_back(std::move(f));
      }
  writer.add(points);
  writer.set_complete();
}

/// The results of another one: four loads for each of 16 combinations of network (four) and virtual channels.
inline void write_many_curves(const std::string& folder) {
  const Json networks = {{{"topology", "mesh"}, {"size", {8, 8}}},
                         {{"topology", "mesh"}, {"size", {16, 16}}},
                         {{"topology", "torus"}, {"size", {8, 8}}},
                         {{"topology", "torus"}, {"size", {16, 16}}}};
  SweepWriter writer =
      SweepWriter::create(folder, {"0.1.0", "network: {}\n", "base.yaml", "axes: []\n", "many.yaml"},
                          {{"network", {"network"}, networks},
                           {"channels", {"router.virtual_channels"}, Json::array({1, 2, 4, 8})},
                           {"load", {"traffic.load"}, Json::array({0.1, 0.2, 0.3, 0.4})}});
  std::vector<SweepWriter::Finished> points;
  for (std::size_t n = 0; n < networks.size(); ++n)
    for (const int channels : {1, 2, 4, 8})
      for (const double load : {0.1, 0.2, 0.3, 0.4}) {
        SweepWriter::Finished f;
        f.point.id = static_cast<std::int64_t>(points.size());
        f.point.axes = {
            {"network", networks[n]}, {"router.virtual_channels", channels}, {"traffic.load", load}};
        f.point.configuration = "network: {topology: mesh, size: [3, 3]}\n";
        f.point.exit_status = 0;
        f.point.metrics = {{"latency.total.mean", 20 + static_cast<double>(n) + 10 * load / channels},
                           {"latency.total.p99", 50 + 10 * load},
                           {"traffic.offered", load},
                           {"traffic.accepted", load},
                           {"hops.mean", 2}};
        points.push_back(std::move(f));
      }
  writer.add(points);
  writer.set_complete();
}

}  // namespace flitmend::test
