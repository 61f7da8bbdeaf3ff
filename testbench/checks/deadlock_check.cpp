// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/deadlock_check.h"

#include "base/errors.h"
#include "base/memory_limit.h"
#include "base/text.h"
#include "protocols/deadlock/checker.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/registry.h"
#include "testbench/checks/class_check.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/configuration/harmful_options.h"
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
  if (!analysis.routes.livelock.empty()) return {ExitStatus::unproved, "messages can circulate forever"};
  if (!analysis.routes.sound())
    return {ExitStatus::unproved, "some pairs have no route, or have a choice that ends without a candidate"};
  return {ExitStatus::done, "free of deadlock and livelock, every pair has a route"};
}

/// Stops a check before it takes more memory than there is.
class WithinMemory : public ProofListener {
 public:
  WithinMemory(const Configuration& configuration, std::string what, ProofListener* listener)
      : configuration_(configuration), what_(std::move(what)), listener_(listener) {}

  void begin_step(std::string_view step) override {
    if (listener_) listener_->begin_step(step);
  }
  void update(std::uint64_t done, std::uint64_t all) override {
    if (listener_) listener_->update(done, all);
  }
  bool stop() const override { return listener_ && listener_->stop(); }
  void needs_memory(std::string_view step, std::uint64_t bytes) override {
    const MemoryLimit limit = memory_limit();
    if (bytes <= limit.bytes) return;
    throw NotNowError(configuration_.located(KeyError(
        "routing.algorithm",
        "the deadlock check of " + what_ + " needs about " + bytes_text(bytes) + " of memory (" +
            std::string(step) + "), but only " + bytes_text(limit.bytes) + " are left (" + limit.bound +
            "); check a smaller network of this kind, and run this one with flitmend run --allow-deadlock")));
  }

 private:
  const Configuration& configuration_;
  std::string what_;
  ProofListener* listener_;
};

bool has_no_proof(const RoutingProperties& p) {
  return p.proof == DeadlockProof::none;
}

const RecoveryNeeds& recovery_needs(const Configuration& c) {
  return recovery_protocols().at(c.recovery.protocol).needs;
}

std::string spread_note(const Configuration& c) {
  if (!c.hardware.router.needs_whole_room() || !spreads_packets(recovery_needs(c))) return "";
  return formatted(
      "Recovery protocol %1% can keep a packet in several virtual channels after its head has left, so the "
      "check is that of %2%.\n",
      c.recovery.protocol,
      recovery_needs(c).has(Mechanism::circuits) ? "pipelined circuits" : "wormhole switching");
}

std::string with(const std::string& options) {
  return options.empty() ? "" : " with " + options;
}

}  // namespace

DeadlockOptions deadlock_options(const Configuration& c) {
  DeadlockOptions options;
  options.cut_through = c.hardware.router.needs_whole_room() && !spreads_packets(recovery_needs(c));
  options.whole_paths =
      c.hardware.router.switching == "pipelined-circuit" || recovery_needs(c).has(Mechanism::circuits);
  const auto& of_protocol = recovery_protocols().at(c.recovery.protocol).heads_go_back;
  options.heads_go_back =
      c.hardware.router.heads_go_back() || (of_protocol != nullptr && of_protocol(c.recovery));
  return options;
}

std::string deadlock_check_key(const Configuration& c) {
  // All sections except irrelevant ones, so that a new section is included by default.
  Configuration part = c;
  part.traffic = {};
  for (const OptionKey* option : {&kClassesOption, &kClassDependenciesOption})
    if (const auto given = c.traffic.options.given().find(option->name());
        given != c.traffic.options.given().end())
      part.traffic.options.set(given->first, given->second);
  part.simulation = {};
  part.statistics = {};
  part.waves = {};
  part.faults = {};
  part.tlm = {};
  return to_yaml(std::move(part));
}

DeadlockCheck check_deadlock(const Configuration& c, ProofListener* listener, const ShowFinding& show) {
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  if (const MessageClasses classes = message_classes(c, *topology); !classes.empty())
    return check_by_class(c, *topology, classes, listener, show);
  const std::unique_ptr<RoutingFunction> routing =
      make_routing(*topology, c.hardware.router.virtual_channels, c.routing);
  const ChannelMap channels(*routing);
  const std::int64_t vcs = c.hardware.router.virtual_channels;
  const std::string what = formatted("%1% on %2% with %3% virtual %4%, %5%", c.routing.algorithm,
                                     with_article(topology->description()), vcs,
                                     vcs == 1 ? "channel" : "channels", c.hardware.router.switching);
  WithinMemory within_memory(c, what, listener);
  DeadlockOptions options = deadlock_options(c);
  options.listener = &within_memory;
  const DeadlockAnalysis analysis = analyse_deadlock(*routing, channels, options);
  const bool atomic = options.cut_through || c.hardware.router.vc_reallocation == "atomic";
  Judgement judgement = judge(analysis, atomic);
  if (c.deadlock.recovery == "compressionless" && analysis.verdict != DeadlockVerdict::free &&
      analysis.routes.livelock.empty() && analysis.routes.sound())
    judgement = {ExitStatus::done, "can deadlock; recovery.timeout of fcr ends a deadlock"};
  if (c.deadlock.recovery == "disha" && judgement.status != ExitStatus::done &&
      analysis.routes.livelock.empty() && analysis.routes.sound())
    judgement = {ExitStatus::done, "can deadlock, relies on recovery disha"};
  const std::string verdict = what + ": " + judgement.text;
  if (show) show(analysis, *routing, channels, verdict);
  return {.status = judgement.status,
          .verdict = verdict,
          .details = spread_note(c) + describe(analysis, *routing, channels)};
}

std::string deadlock_remedy(const Configuration& c) {
  const std::unique_ptr<Topology> topology = make_topology(c.network);
  if (const std::string changing = changing_routes_note(c); !changing.empty()) return changing + ".";
  if (routing_properties(*topology, c.routing).proof != DeadlockProof::none)
    return "routing.algorithm " + c.routing.algorithm +
           " has a proof, so this should not happen; flitmend check says what it proves here.";
  std::string free;
  for (const RoutingEntry& entry : routing_algorithms().entries()) {
    if (!entry.applies_to(*topology)) continue;
    RoutingSettings settings;
    settings.algorithm = entry.name;
    const RoutingProperties properties = entry.properties(*topology, settings);
    if (properties.proof == DeadlockProof::none) continue;
    free += (free.empty() ? "" : ", ") + std::string(entry.name) +
            with(entry.name == c.routing.algorithm ? harmful_options(c.routing, *topology, true, has_no_proof)
                                                   : "") +
            " (" + counted(properties.virtual_channels, "virtual channel") + ")";
  }
  return "More virtual channels do not prevent it: routing.algorithm " + c.routing.algorithm +
         with(harmful_options(c.routing, *topology, false, has_no_proof)) +
         " can deadlock with any number of them. " +
         (free.empty()
              ? "No routing algorithm is free of deadlock on " + with_article(topology->description()) +
                    (topology->has_one_way_links() ? " by itself; a routing.table with classes, or with "
                                                     "escapes, can be: docs/networks.md"
                                                   : "")
              : "Free of deadlock on " + with_article(topology->description()) + " are: " + free) +
         ".";
}

}  // namespace flitmend
