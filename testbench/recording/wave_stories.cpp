// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/wave_stories.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// The rows about a fault. Names of signals are those below the fabric.
class FaultRows {
 public:
  FaultRows(const FaultStory& story, const FaultPath& path, const Fabric& fabric)
      : story_(story), path_(path), topology_(fabric.topology()) {}

  std::vector<WaveStoryRow> rows() {
    heading("fault");
    if (path_.failed()) part(*path_.failed());
    router("C", path_.before());
    router("B", path_.at());
    router("A", path_.after());
    heading("flits of the message");
    flits();
    heading("control lines");
    for (const FaultPath::RaisedLine& raised : path_.lines()) line(raised);
    return std::move(rows_);
  }

 private:
  void heading(const std::string& text) { rows_.push_back({text, {}}); }

  std::string port_name(const PathHop& hop) const {
    return hop.port < topology_.port_count(hop.router)
               ? topology_.port_name(hop.router, static_cast<PortId>(hop.port))
               : "local";
  }
  std::string port_scope(const PathHop& hop) const {
    return topology_.router_name(hop.router) + "." + port_name(hop);
  }
  /// The other end of the channel that ends there; none for an injection channel.
  std::optional<RouterPort> writer(const PathHop& hop) const {
    if (hop.port >= topology_.port_count(hop.router)) return std::nullopt;
    return topology_.neighbour(hop.router, static_cast<PortId>(hop.port));
  }
  /// "2,3 → 3,3"
  std::string way(const PathHop& hop) const {
    const auto from = writer(hop);
    return (from ? place_name(topology_, from->router) : "node") + " → " + place_name(topology_, hop.router);
  }

  void part(const FaultyPart& part) {
    if (part.is_router()) {
      rows_.push_back(
          {place_name(topology_, part.router) + " down", {topology_.router_name(part.router) + ".down"}});
      return;
    }
    const std::string scope =
        topology_.router_name(part.router) + "." + topology_.port_name(part.router, part.port);
    rows_.push_back(
        {place_name(topology_, part.router) + " " + topology_.port_name(part.router, part.port) + " faulty",
         {scope + ".faulty"}});
  }
  void router(const std::string& letter, const std::optional<PathHop>& hop) {
    if (!hop) return;
    rows_.push_back({letter + " " + place_name(topology_, hop->router) + " route FSM",
                     {formatted("%1%.vc%2%.route_fsm", port_scope(*hop), hop->vc)}});
  }

  void flits() {
    const std::string source = topology_.router_name(story_.source()) + ".interface.injector.flit.";
    const std::string destination = topology_.router_name(story_.destination()) + ".interface.receiver.flit.";
    rows_.push_back({place_name(topology_, story_.source()) + " sends",
                     {source + "destination", source + "id", source + "kind"},
                     {story_.destination(), path_.id()}});
    std::vector<RouterPort> channels;
    for (const PathHop& hop : path_.hops()) {
      const RouterPort end{hop.router, static_cast<PortId>(hop.port)};
      if (!writer(hop) || std::find(channels.begin(), channels.end(), end) != channels.end()) continue;
      channels.push_back(end);  // of several virtual channels of a channel, once
      const std::string flit = port_scope(hop) + ".input_flit.";
      rows_.push_back(
          {way(hop), {flit + "source", flit + "id", flit + "kind"}, {story_.source(), path_.id()}});
    }
    rows_.push_back({place_name(topology_, story_.destination()) + " receives",
                     {destination + "source", destination + "id", destination + "kind"},
                     {story_.source(), path_.id()}});
  }

  void line(const FaultPath::RaisedLine& raised) {
    const bool forward = with_flits(raised.line);
    const std::string name(traits_of(raised.line).name);
    const auto from = writer(raised.hop);
    std::string scope = port_scope(raised.hop);
    if (!forward)
      scope = from ? topology_.router_name(from->router) + "." +
                         topology_.port_name(from->router, from->port) + ".output"
                   : topology_.router_name(raised.hop.router) + ".interface.injector";
    const std::string to = place_name(topology_, forward || !from ? raised.hop.router : from->router);
    rows_.push_back({to + " " + name, {scope + "." + name}});
  }

  const FaultStory& story_;
  const FaultPath& path_;
  const Topology& topology_;
  std::vector<WaveStoryRow> rows_;
};

}  // namespace

std::vector<WaitingVcResults> waiting_vcs(const FoundDeadlock& found, const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  std::vector<WaitingVcResults> cycle;
  for (const WaitingVc& v : found.cycle) {
    const RouterState& state = fabric.router(v.router).state();
    const unsigned port = state.port_of(v.id);
    WaitingVcResults waiting;
    waiting.router = topology.router_name(v.router);
    waiting.port = port < topology.port_count(v.router)
                       ? topology.port_name(v.router, static_cast<PortId>(port))
                       : "local";
    waiting.vc = state.vc_of(v.id);
    if (v.message != kNoMessage) {
      const Message& m = fabric.context().messages[v.message];
      waiting.message = m.id;
      waiting.source = topology.router_name(m.source);
      waiting.destination = topology.router_name(m.destination);
    }
    cycle.push_back(std::move(waiting));
  }
  return cycle;
}

RecordedFault::RecordedFault(const WaveSettings& waves, Fabric& fabric, Scoreboard& scoreboard,
                             FaultInjector& faults)
    : fabric_(fabric),
      story_(static_cast<Cycle>(waves.from), waves.to == 0 ? kNever : static_cast<Cycle>(waves.to)),
      path_(fabric, story_) {
  faults.add_observer(path_);
  scoreboard.add_observer(story_);
  fabric.add_observer(static_cast<PacketObserver&>(story_));
}

WaveStory RecordedFault::story() const {
  WaveStory shown;
  if (!story_.begun()) return shown;
  const Topology& topology = fabric_.topology();
  const std::string message =
      formatted("message %1% of %2% to %3%", story_.id(), place_name(topology, story_.source()),
                place_name(topology, story_.destination()));
  shown.title = "The fault and " + message;
  shown.rows = FaultRows(story_, path_, fabric_).rows();
  for (const FaultStory::Moment& moment : story_.moments())
    shown.moments.push_back(
        {shown.moments.empty() ? moment.name + (": " + message) : moment.name, moment.cycle});
  return shown;
}

WaveStory deadlock_wave_story(const std::vector<WaitingVcResults>& cycle, Cycle since,
                              const Topology& topology) {
  const auto place = [&](const std::string& name) {
    RouterId router = 0;
    while (router < topology.router_count() && topology.router_name(router) != name) ++router;
    return router < topology.router_count() ? place_name(topology, router) : name;
  };
  WaveStory shown;
  shown.title = "The deadlock: each waits for the next";
  shown.moments = {{"deadlock", since}};
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const WaitingVcResults& vc = cycle[i];
    const std::string holds = vc.message ? formatted("message %1% of %2% to %3%", *vc.message,
                                                     place(vc.source), place(vc.destination))
                                         : "rest of a message";
    shown.rows.push_back(
        {formatted("%1%: %2% %3% vc%4%, %5%", i + 1, place(vc.router), vc.port, vc.vc, holds), {}});
    for (const char* signal : {"stage", "output_port", "input_buffer"})
      shown.rows.push_back({signal, {vc.name() + "." + signal}});
  }
  return shown;
}

}  // namespace flitmend
