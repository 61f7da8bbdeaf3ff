// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "testbench/elements/netrace_player.h"
#include "testbench/workloads/workload.h"
#include "traces/netrace/replay.h"

namespace flitmend {
namespace {

/// Replays traffic.trace.
class NetraceWorkload final : public Workload {
 public:
  explicit NetraceWorkload(const WorkloadUse& use)
      : replay_(use.configuration.traffic.trace, use.network.topology(),
                use.network.fabric().context().hardware.flit_bytes, region(use.configuration.traffic)),
        player_("player", use.network.fabric(), use.payloads, replay_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)) {
    Fabric& fabric = use.network.fabric();
    for (NodeId node = 0; node < fabric.node_count(); ++node)
      player_.sockets[node].bind(fabric.sockets(node).target_socket);
  }

  bool done() const override { return player_.finished(); }
  std::uint64_t failed() const override { return replay_.undeliverable_count(); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }

 private:
  static std::optional<unsigned> region(const TrafficSettings& traffic) {
    if (traffic.trace_region < 0) return std::nullopt;
    return static_cast<unsigned>(traffic.trace_region);
  }

  NetraceReplay replay_;
  NetracePlayer player_;
};

}  // namespace

WorkloadEntry netrace_workload() {
  return {.to_its_end = true,
          .chosen = [](const TrafficSettings& traffic) { return !traffic.trace.empty(); },
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<NetraceWorkload>(use);
          }};
}

}  // namespace flitmend
