// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/transaction_check.h"

#include "base/text.h"
#include "protocols/deadlock/dependency_graph.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/virtual_networks.h"
#include "testbench/checks/verdict_cache.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

DeadlockCheck check_separate(const Configuration& c, const Topology& topology, ProofListener* listener,
                             const VerdictCache& cache) {
  // Refuses what cannot be divided.
  make_virtual_networks(topology, c.hardware.router.virtual_channels, c.routing);
  Configuration half = c;
  half.hardware.router.virtual_channels /= 2;
  DeadlockCheck check = deadlock_verdict(half, listener, cache);
  check.verdict = "transactions, requests and replies in separate virtual networks, each: " + check.verdict;
  check.details +=
      "Replies wait for replies only, and the interface that has asked for one always takes it. So request "
      "slots\n"
      "at targets become free, and requests wait for requests and for slots only. If a target never accepts "
      "or\n"
      "answers a request, its requests wait, but not in a cycle: tlm.accept_limit and tlm.response_limit "
      "end\n"
      "such a simulation.\n";
  return check;
}

DeadlockCheck check_shared(const Configuration& c, const Topology& topology, ProofListener* listener,
                           const VerdictCache& cache) {
  DeadlockCheck check = deadlock_verdict(c, listener, cache);
  check.verdict = "transactions, requests and replies in one network: " + check.verdict;
  if (check.status != ExitStatus::done) return check;
  if (c.tlm.target_queue == 0) {
    check.details += "Targets take any number of requests, so no request waits for a reply.\n";
    return check;
  }
  const auto routing = make_routing(topology, c.hardware.router.virtual_channels, c.routing);
  const ChannelMap channels(*routing);
  const std::vector<ChannelId> cycle = request_reply_cycle(*routing, channels);
  if (cycle.empty()) return check;  // no node both receives requests and sends replies on
  check.status = ExitStatus::deadlock;
  check.verdict += ", but requests wait for replies and replies for requests: can deadlock";
  check.details += formatted(
      "Requests wait at a target that has tlm.target_queue: %1% of them until replies have left. A shortest "
      "cycle:\n%2%Set tlm.classes to separate, or tlm.target_queue to 0.\n",
      c.tlm.target_queue, describe_request_reply(cycle, channels, topology));
  return check;
}

}  // namespace

DeadlockCheck check_transactions(const Configuration& given, ProofListener* listener,
                                 const VerdictCache& cache) {
  Configuration c = given;
  c.traffic = {};  // a platform does not have its classes
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  return c.tlm.separate() ? check_separate(c, *topology, listener, cache)
                          : check_shared(c, *topology, listener, cache);
}

}  // namespace flitmend
