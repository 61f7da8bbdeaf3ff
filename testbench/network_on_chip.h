// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "base/process_end.h"
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/sockets/network_sockets.h"
#include "testbench/checks/deadlock_check.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configured_network.h"
#include "testbench/statistics/results.h"

namespace flitmend {

class ElementWatchdog;
class EventLog;
class MessageLog;
class FabricWaves;
class HostClock;
class RecordedFault;
class RunFolder;

/// The network of a platform, as a configuration file describes it: a clocked fabric with TLM-2.0 sockets at
/// every node, a scoreboard, statistics, and waves. A simulation may have any number of them.
///
///   flitmend::NetworkOnChip noc("noc", "noc.yaml");
///   noc.clock(clock);
///   cpu.socket.bind(noc.sockets("router_0_0").target_socket);
///   noc.sockets(15).initiator_socket.bind(memory.socket);
///   noc.initiator_socket<64>("dram").bind(dram.socket);  // the target of a range of tlm.address_map
///   noc.write_to("out/noc");  // stats.json, config.yaml, waves; optional
///   sc_start(…);
///   noc.finish();
///
/// An element that keeps a transaction for longer than tlm.accept_limit or tlm.response_limit ends the
/// simulation (sc_stop), that of all networks; finish() says which.
///
/// Section tlm says how transactions are treated; sections traffic and deadlock, and the phases and limits of
/// section simulation, are not used.
class NetworkOnChip : public sc_core::sc_module, private ProcessEndWatcher {
 public:
  sc_core::sc_in<bool> clock;

  /// `sets`: KEY=VALUE, as with --set. Throws ConfigurationError with the place of what is wrong, and if the
  /// configuration can deadlock.
  /// `foreign`: makes routers of your own (docs/own-router.md); empty: all are the network's.
  NetworkOnChip(sc_core::sc_module_name, const std::filesystem::path& file,
                const std::vector<std::string>& sets = {}, const RouterFactory& foreign = {});
  const char* kind() const override { return "flitmend_network_on_chip"; }
  /// The configuration must be complete (load_configuration, parse_configuration).
  NetworkOnChip(sc_core::sc_module_name, Configuration, const RouterFactory& foreign = {});
  /// If it has a folder and finish() has not been called: calls it, and warns (SC_REPORT_WARNING
  /// "flitmend/finish"). The same happens when the process exits. A process that a signal ends, as abort()
  /// does after SC_REPORT_FATAL, writes no stats.json, and says so on standard error; waves and events.csv
  /// are complete up to the last cycle.
  ~NetworkOnChip() override;

  Fabric& fabric() { return network_->fabric(); }
  const Fabric& fabric() const { return network_->fabric(); }
  const Topology& topology() const { return network_->topology(); }
  const Configuration& configuration() const { return configuration_; }

  /// The sockets of a node, by number or by the name of its router. There is none: std::out_of_range.
  NetworkSockets& sockets(NodeId node);
  NetworkSockets& sockets(const std::string& router_name);
  /// The socket for the target of a range with that name; of an interleaved range: for the one at its
  /// `turn`-th node. There is none: std::out_of_range. Before the end of elaboration.
  template <unsigned BUSWIDTH = 32>
  SocketForTarget<BUSWIDTH>& initiator_socket(const std::string& range, std::size_t turn = 0) {
    const AddressMap::Target target = target_of(range, turn);
    return sockets(target.node).template initiator_socket_of<BUSWIDTH>(target.number);
  }
  /// The address that initiators use for a byte of a node's first target. There is none: std::out_of_range.
  std::uint64_t address(NodeId node, std::uint64_t local = 0) const;
  /// The same for a byte of a range with a name, counted from its first address.
  std::uint64_t address(const std::string& range, std::uint64_t offset = 0) const;

  /// The folder for results: stats.json, config.yaml, waves if waves.enabled is set, events.csv and
  /// messages.csv if statistics.events and statistics.messages are set. Created if necessary; results of an
  /// earlier run are removed. Throws ConfigurationError if it cannot be the folder of a run, or is that of
  /// another network. Before the simulation starts (else std::logic_error).
  void write_to(const std::filesystem::path& folder);
  /// No transaction waits for its answer, and no message is under way.
  bool quiet() const { return fabric().quiet(); }
  /// Why transactions wait, or why the simulation has ended: the elements that keep them. Empty if none wait.
  std::string why_not_quiet() const;
  /// The results so far; also writes them, and ends the waves. Call once, between two sc_start or after the
  /// last one (else std::logic_error). If transactions wait, the outcome is `limit`, with why_not_quiet() as
  /// its reason.
  Results finish();

 private:
  void elaborate(const RouterFactory& foreign);
  AddressMap::Target target_of(const std::string& range, std::size_t turn) const;
  [[noreturn]] void refuse_call(const std::string& why) const;
  void finish_files(const Results&);
  void finish_unasked() noexcept;
  void exiting() override { finish_unasked(); }
  void dying() noexcept override;
  void start_of_simulation() override;

  Configuration configuration_;
  std::vector<InputFileResults> inputs_;
  DeadlockCheck check_;
  std::unique_ptr<ConfiguredNetwork> network_;
  std::unique_ptr<ElementWatchdog> watchdog_;  ///< null: there are no limits
  std::unique_ptr<FabricWaves> waves_;
  std::unique_ptr<RecordedFault> recorded_fault_;  ///< null: there are no waves, or no faults
  std::unique_ptr<HostClock> host_;
  std::filesystem::path file_;         ///< the configuration's; empty if there is none
  std::unique_ptr<RunFolder> folder_;  ///< null: nothing is written
  std::unique_ptr<EventLog> events_;
  std::unique_ptr<MessageLog> messages_;
  bool started_ = false, finished_ = false;
  std::string unfinished_;  ///< what to say if a signal ends the process
};

}  // namespace flitmend
