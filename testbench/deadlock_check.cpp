// SPDX-License-Identifier: Apache-2.0
#include "testbench/deadlock_check.h"

#include "protocols/deadlock/checker.h"
#include "protocols/routing/registry.h"
#include "testbench/configuration/writer.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

struct Judgement {
  ExitStatus status;
  const char* text;
};

Judgement judge(const DeadlockAnalysis& analysis, bool atomic) {
  if (analysis.verdict == DeadlockVerdict::can_deadlock) return {ExitStatus::deadlock, "can deadlock"};
  if (analysis.verdict == DeadlockVerdict::not_proved)
    return {ExitStatus::unproved, "not proved free of deadlock"};
  if (analysis.needs_atomic_reallocation && !atomic)
    return {ExitStatus::unproved, "proved free of deadlock only with router.vc_reallocation: atomic"};
  if (!analysis.routes.livelock.empty()) return {ExitStatus::unproved, "messages can circulate for ever"};
  if (!analysis.routes.sound())
    return {ExitStatus::unproved, "some pairs have no route, or have a choice that ends without a candidate"};
  return {ExitStatus::done, "free of deadlock and livelock, every pair has a route"};
}

}  // namespace

std::string deadlock_check_key(const Configuration& c) {
  // Everything except what cannot matter, so that a new section is included by default.
  Configuration part = c;
  part.traffic = {};
  part.simulation = {};
  part.statistics = {};
  part.waves = {};
  return to_yaml(std::move(part));
}

DeadlockCheck check_deadlock(const Configuration& c) {
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  const std::unique_ptr<RoutingFunction> routing =
      make_routing(*topology, static_cast<unsigned>(c.hardware.router.virtual_channels), c.routing);
  const ChannelMap channels(*routing);
  DeadlockOptions options;
  options.cut_through = c.hardware.router.switching != "wormhole";
  const DeadlockAnalysis analysis = analyse_deadlock(*routing, channels, options);
  const bool atomic = options.cut_through || c.hardware.router.vc_reallocation == "atomic";
  const Judgement judgement = judge(analysis, atomic);
  const std::int64_t vcs = c.hardware.router.virtual_channels;
  const std::string what = c.routing.algorithm + " on a " + topology->description() + " with " +
                           std::to_string(vcs) + (vcs == 1 ? " virtual channel, " : " virtual channels, ") +
                           c.hardware.router.switching;
  return {judgement.status, what + ": " + judgement.text, describe(analysis, *routing, channels)};
}

}  // namespace flitmend
