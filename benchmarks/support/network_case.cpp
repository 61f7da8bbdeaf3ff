// SPDX-License-Identifier: Apache-2.0
#include "support/network_case.h"

#include <unistd.h>

#include <atomic>
#include <boost/format.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "testbench/configuration/loader.h"
#include "testbench/simulation.h"
#include "testbench/workloads/workload.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

/// Reads the clock at the end of the warm-up and at the end of the measured cycles.
class WindowClock final : public ProgressSink {
 public:
  WindowClock(Simulation& simulation, const SimulationSettings& s)
      : simulation_(simulation),
        begin_(static_cast<Cycle>(s.warmup)),
        end_(begin_ + static_cast<Cycle>(s.measure)) {
    if (begin_ == 0) look(-1);
  }

  void update(const Progress& progress) override {
    if (progress.cycle == begin_) look(-1);
    if (progress.cycle == end_) look(1);
  }
  const Figures& figures() const { return figures_; }

 private:
  void look(double sign) {
    if (sign > 0) figures_.cpu_seconds += cpu_seconds();
    figures_.flit_hops += sign * static_cast<double>(simulation_.fabric().flit_hops());
    figures_.cycles += sign * static_cast<double>(simulation_.cycles());
    if (sign < 0) figures_.cpu_seconds -= cpu_seconds();
  }

  Simulation& simulation_;
  Cycle begin_, end_;
  Figures figures_;
};

/// A folder for waveforms, removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "flitmend-benchmark-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder for waveforms");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Configuration configuration_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return parse_configuration(text, "benchmark", {});
}

Figures measure_run(Configuration configuration) {
  const double empty = resident_bytes();
  // Both are left to the end of the process, as in the program.
  Simulation& simulation = *new Simulation(configuration);
  std::unique_ptr<TemporaryFolder> folder;
  std::unique_ptr<FabricWaves> waves;
  if (configuration.waves.enabled) {
    folder = std::make_unique<TemporaryFolder>();
    waves = std::make_unique<FabricWaves>(simulation.fabric());
    waves->check(configuration.waves);
    waves->start(configuration.waves, folder->path(), simulation.clock_period());
  }
  WindowClock clock(simulation, configuration.simulation);
  const std::atomic<bool> stop{false};
  const Outcome outcome = simulation.run(&clock, stop);
  if (outcome.status != ExitStatus::done) throw std::runtime_error(outcome.why);
  Figures figures = clock.figures();
  if (workload_of(configuration.traffic).to_its_end) {
    figures.cpu_seconds = outcome.results.host.cpu_seconds;
    figures.flit_hops = static_cast<double>(outcome.results.simulation.flit_hops);
    figures.cycles = static_cast<double>(outcome.results.simulation.cycles);
  }
  figures.bytes_per_node =
      (resident_bytes() - empty) / static_cast<double>(simulation.topology().node_count());
  if (waves) {
    waves->finish();
    if (!waves->recorder().failure().empty()) throw std::runtime_error(waves->recorder().failure());
  }
  return figures;
}

std::vector<std::string> MeshCase::configuration() const {
  return {
      (boost::format("network: {topology: mesh, size: [%1%, %1%]}") % side).str(),
      one_cycle ? "router: {preset: iq, pipeline: {routing: 0, vc_allocation: 0, switch_allocation: 0, "
                  "switch_traversal: 0}}"
                : "router: {preset: iq}",
      (boost::format("traffic: {pattern: uniform, load: %1%, message_length: 5}") % load).str(),
      (boost::format("simulation: {warmup: %1%, measure: %2%, drain: false, seed: 1, hierarchy: compact}") %
       warmup % cycles)
          .str()};
}

std::string MeshCase::plain_loop() const {
  return (boost::format("plain_loop=%1%,4,8,5,%2%,%3%") % side % load % (warmup + cycles)).str();
}

}  // namespace flitmend
