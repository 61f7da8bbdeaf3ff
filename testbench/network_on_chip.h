// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "testbench/configuration/configuration.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/results.h"
#include "testbench/statistics/run_statistics.h"

namespace flitmend {

class FabricWaves;
class FaultInjector;
class HostClock;

/// The network of a platform, as a configuration file describes it: a clocked fabric with TLM-2.0 sockets at
/// every node, a scoreboard, statistics, and waves. A simulation may have any number of them.
///
///   flitmend::NetworkOnChip noc("noc", "noc.yaml");
///   noc.clock(clock);
///   cpu.socket.bind(noc.sockets("router_0_0").target_socket);
///   noc.sockets(15).initiator_socket.bind(memory.socket);
///   noc.write_to("out/noc");  // stats.json, config.yaml, waves; optional
///   sc_start(…);
///   noc.finish();
///
/// Section tlm says how transactions are treated; section traffic and the phases of section simulation are
/// not used.
class NetworkOnChip : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;

  /// `sets`: KEY=VALUE, as with --set. Throws ConfigurationError with the place of what is wrong, and if the
  /// configuration can deadlock.
  NetworkOnChip(sc_core::sc_module_name, const std::filesystem::path& file,
                const std::vector<std::string>& sets = {});
  /// The configuration must be complete (load_configuration, parse_configuration).
  NetworkOnChip(sc_core::sc_module_name, Configuration);
  ~NetworkOnChip() override;

  Fabric& fabric() { return *fabric_; }
  const Topology& topology() const { return *topology_; }
  const Configuration& configuration() const { return configuration_; }

  /// The sockets of a node, by number or by the name of its router. There is none: std::out_of_range.
  NetworkSockets& sockets(NodeId node);
  NetworkSockets& sockets(const std::string& router_name);
  /// The address that initiators use for a place in a node's range.
  std::uint64_t address(NodeId node, std::uint64_t local = 0) const;

  /// The folder for results; created if necessary. Before the simulation starts.
  void write_to(const std::filesystem::path& folder);
  /// No transaction waits for its answer, and no message is under way.
  bool quiet() const { return fabric_->quiet(); }
  /// Why transactions wait: a line for every target that has not accepted a request. Empty if none wait.
  std::string why_not_quiet() const;
  /// The results so far; also writes them, and ends the waves. Call once, between two sc_start or after the
  /// last one. If transactions wait, the outcome is `limit`, with why_not_quiet() as its reason.
  Results finish();

 private:
  void elaborate();
  void start_of_simulation() override;

  Configuration configuration_;
  std::unique_ptr<Topology> topology_;
  std::unique_ptr<RoutingFunction> routing_;
  std::unique_ptr<SelectionFunction> selection_;
  std::unique_ptr<RecoveryProtocol> recovery_;  ///< null: there are no faults
  std::unique_ptr<RunStatistics> statistics_;
  std::unique_ptr<Scoreboard> scoreboard_;
  std::unique_ptr<Fabric> fabric_;
  std::unique_ptr<FaultInjector> faults_;
  std::unique_ptr<FabricWaves> waves_;
  std::unique_ptr<HostClock> host_;
  std::filesystem::path folder_;  ///< empty: nothing is written
};

}  // namespace flitmend
