// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/watchdog.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/backward_reach.h"
#include "base/text.h"
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "rtl_tlm/mechanisms/copies/copies.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"

namespace flitmend {

/// Which input virtual channels of a fabric wait for which others.
class DeadlockWatchdog::WaitGraph {
 public:
  WaitGraph(const Fabric& fabric, Repairs repairs)
      : fabric_(fabric), topology_(fabric.topology()), repairs_(std::move(repairs)) {
    for (RouterId r = 0; r < topology_.router_count(); ++r) {
      base_.push_back(static_cast<std::uint32_t>(total_));
      total_ += fabric.router(r).state().ids();
    }
    movable_.resize(total_);
  }

  void look() {
    movable_.assign(total_, true);
    edges_.clear();
    for (RouterId r = 0; r < topology_.router_count(); ++r) add(r);
    if (!edges_.empty()) spread();
  }

  std::optional<FoundDeadlock> deadlock() const {
    FoundDeadlock found;
    found.blocked = static_cast<std::size_t>(std::count(movable_.begin(), movable_.end(), false));
    if (found.blocked == 0) return std::nullopt;
    // Everything that a blocked one waits for is blocked, so any walk along the edges ends in a cycle.
    auto at =
        static_cast<std::uint32_t>(std::find(movable_.begin(), movable_.end(), false) - movable_.begin());
    std::vector<std::uint32_t> walk;
    for (auto seen = walk.end(); seen == walk.end(); seen = std::find(walk.begin(), walk.end(), at)) {
      walk.push_back(at);
      at = std::lower_bound(edges_.begin(), edges_.end(), Edge{at, 0})->waits_for;
    }
    for (auto i = std::find(walk.begin(), walk.end(), at); i != walk.end(); ++i)
      found.cycle.push_back(vc(*i));
    if (!fabric_.context().routing.looks_at_outputs())
      for (const WaitingVc& v : found.cycle) {
        const RouterState& state = fabric_.router(v.router).state();
        if (state.route_fsm(v.id) == RouteFsm::needs_route)
          found.since = std::max(found.since, state.route(v.id).ready);
      }
    return found;
  }

  bool blocked(RouterId r, unsigned id) const { return !movable_[base_[r] + id]; }

  std::vector<std::vector<WaitingVc>> deadlocks() const {
    std::vector<std::uint32_t> parent(total_);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t node) {
      while (parent[node] != node) node = parent[node] = parent[parent[node]];
      return node;
    };
    for (const Edge& e : edges_)
      if (!movable_[e.from]) {
        const auto [low, high] = std::minmax({root(e.from), root(e.waits_for)});
        parent[high] = low;
      }
    std::vector<std::vector<WaitingVc>> sets;
    std::vector<std::size_t> set_of(total_);
    for (std::uint32_t node = 0; node < total_; ++node) {
      if (movable_[node]) continue;
      const std::uint32_t first = root(node);  // the lowest of its set
      if (first == node) {
        set_of[node] = sets.size();
        sets.emplace_back();
      }
      sets[set_of[first]].push_back(vc(node));
    }
    return sets;
  }

 private:
  struct Edge {
    std::uint32_t from, waits_for;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };

  WaitingVc vc(std::uint32_t node) const {
    const auto r =
        static_cast<RouterId>(std::upper_bound(base_.begin(), base_.end(), node) - base_.begin() - 1);
    const RouterState& state = fabric_.router(r).state();
    const unsigned id = node - base_[r];
    return {r, id, state.input(id).count > 0 ? state.front(id).message : kNoMessage};
  }

  void add(RouterId r) {
    const RouterState& state = fabric_.router(r).state();
    for (unsigned id = 0; id < state.ids(); ++id) {
      const RouteFsm fsm = state.route_fsm(id);
      const bool waits =
          fsm == RouteFsm::routed ? add_routed(r, id)
          : fsm == RouteFsm::needs_route && state.route(id).stage == PipelineStage::vc_allocation
              ? add_head(r, id)
              : false;
      if (waits && !timer_ends_wait(r, id)) movable_[base_[r] + id] = false;
    }
  }

  /// Whether the recovery protocol ends a wait by itself: in the router, or at the source of the packet.
  bool timer_ends_wait(RouterId r, unsigned id) const {
    const Router& router = fabric_.router(r);
    const RouterState& state = router.state();
    if (state.input(id).count == 0) return false;
    if (router.timer_ends_wait(id)) return true;
    const MessageIndex packet = state.front(id).message;
    const InterfaceRecovery* const source =
        fabric_.network_interface(fabric_.context().messages[packet].source).recovery();
    return source && source->timer_ends_wait(packet);
  }

  void wait(RouterId r, unsigned id, RouterId other, unsigned other_id) {
    edges_.push_back({base_[r] + id, base_[other] + other_id});
  }

  /// A head at the front asks for any virtual channel of any candidate. False if it can get one now.
  bool add_head(RouterId r, unsigned id) {
    const Router& router = fabric_.router(r);
    const RouterState& state = router.state();
    if (state.layout().heads_go_back) return false;
    const HeadRoute& in = state.route(id);
    const NetworkContext& context = fabric_.context();
    const std::uint32_t length =
        state.layout().whole_messages() ? context.messages[state.front(id).message].length : 1;
    if (waits_for_repair(r)) return false;
    const std::size_t before = edges_.size();
    const RouteCandidate* candidates = state.candidates_of(id);
    for (unsigned i = 0; i < in.candidates; ++i) {
      const unsigned port = candidates[i].port;
      if (state.arbiter(port).faulty) continue;
      const VcMask vcs =
          router.has_local_port() && port == router.local_port() && context.routing.message_classes() == 1
              ? low_bits(state.vcs())
              : context.routing.class_vcs(r, static_cast<PortId>(port), candidates[i].vc_class);
      if (state.arbiter(port).unlimited || available(state, port, vcs, length)) return false;
      for (VcMask rest = vcs; rest; rest &= rest - 1) {
        const unsigned output_id = port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest));
        if (state.output(output_id).owner != kNoVc)
          wait(r, id, r, state.output(output_id).owner);
        else if (!(lingering(state, output_id) ? wait_for_tail(r, id, output_id)
                                               : wait_downstream(r, id, output_id)))
          return false;
      }
    }
    return edges_.size() > before;
  }

  /// Every repair of a port of a router gives its heads new candidates.
  bool waits_for_repair(RouterId r) const {
    if (!repairs_) return false;
    const RouterState& state = fabric_.router(r).state();
    for (PortId port = 0; port < topology_.port_count(r); ++port)
      if (state.arbiter(port).faulty && repairs_(r, port)) return true;
    return false;
  }

  static VcMask available(const RouterState& state, unsigned port, VcMask vcs, std::uint32_t length) {
    const VcMask free = OutputController::available(state, port, vcs, length);
    return TailSignals::built(state.layout()) ? TailSignals::grantable(state, port, free) : free;
  }

  static bool lingering(const RouterState& state, unsigned output_id) {
    return TailSignals::built(state.layout()) && TailSignals::lingering(state, output_id);
  }

  /// A head waits for a shadow register, so for the tail that has left by that output virtual channel: it is
  /// in the output buffer, in the input buffer of the next router or in one of the output buffers there.
  /// False if it has gone on: then its signals are under way.
  bool wait_for_tail(RouterId r, unsigned id, unsigned output_id) {
    const RouterState& state = fabric_.router(r).state();
    const auto far = far_end(r, state.port_of(output_id));
    if (!far) return false;
    if (state.output_flits(output_id) > 0) return wait_downstream(r, id, r, output_id);
    const RouterState& next = fabric_.router(far->router).state();
    const unsigned input_id = far->port * state.vcs() + state.vc_of(output_id);
    for (unsigned port = 0; port < next.ports(); ++port)
      for (VcMask rest = TailSignals::at_port(next, port).lingering; rest; rest &= rest - 1) {
        const unsigned onward = port * next.vcs() + static_cast<unsigned>(std::countr_zero(rest));
        if (TailSignals::shadow(next, onward).came_from == input_id)
          return next.output_flits(onward) > 0 && wait_downstream(r, id, far->router, onward);
      }
    const bool owed = TailSignals::at_port(next, far->port).owed >> state.vc_of(output_id) & 1;
    if (!owed || next.input(input_id).count == 0) return false;
    wait(r, id, far->router, input_id);
    return true;
  }

  /// A virtual channel that holds an output. False if a flit can cross now.
  bool add_routed(RouterId r, unsigned id) {
    const RouterState& state = fabric_.router(r).state();
    const InputVcState& in = state.input(id);
    if (Circuits::path_incomplete(state, id)) return wait_for_acknowledgement(r, id);
    if (Copies::built(state.layout()) && Copies::closing(state, id)) return wait_with_copies(r, id);
    if (in.count == 0) {
      if (VirtualChannel(state, id).path_held()) return wait_downstream(r, id, in.output);
      return keeps_copies(state, id) ? wait_with_copies(r, id) : wait_upstream(r, id);
    }
    const unsigned port = state.port_of(in.output);
    if (TailSignals::holds_back(state, id)) return wait_for_tail(r, id, in.output);
    if (state.arbiter(port).unlimited || OutputController::room(state, in.output) > 0) return false;
    return wait_downstream(r, id, in.output);
  }

  static bool keeps_copies(const RouterState& state, unsigned id) {
    return Copies::built(state.layout()) && Copies::counts_of(state, id).kept > 0;
  }

  /// A virtual channel that holds only copies waits for COPIED and, unless its tail has left, for more flits.
  /// False if COPIED or a flit is under way.
  bool wait_with_copies(RouterId r, unsigned id) {
    const RouterState& state = fabric_.router(r).state();
    const unsigned output_id = state.input(id).output;
    const auto far = far_end(r, state.port_of(output_id));
    if (!far) return false;
    // The next router has a copied flit that has left this one until it sends COPIED.
    const RouterState& next = fabric_.router(far->router).state();
    const unsigned next_id = far->port * state.vcs() + state.vc_of(output_id);
    const unsigned onward = next.input(next_id).output;
    const unsigned held = next.input(next_id).count + (onward == kNoVc ? 0 : next.output_flits(onward));
    if (Copies::counts_of(state, id).told > held) return false;
    if (!Copies::closing(state, id) && state.room(id) > 0 && !wait_upstream(r, id)) return false;
    return wait_downstream(r, id, output_id);
  }

  /// The other end of a network port; none at an edge and at the local port.
  std::optional<RouterPort> far_end(RouterId r, unsigned port) const {
    return port < topology_.port_count(r) ? topology_.neighbour(r, static_cast<PortId>(port)) : std::nullopt;
  }

  /// Waits for the buffer downstream of an output virtual channel. False if something moves there.
  bool wait_downstream(RouterId r, unsigned id, unsigned output_id) {
    return wait_downstream(r, id, r, output_id);
  }
  /// The same for an output virtual channel of another router.
  bool wait_downstream(RouterId r, unsigned id, RouterId there, unsigned output_id) {
    const RouterState& state = fabric_.router(there).state();
    const unsigned port = state.port_of(output_id);
    const unsigned vc = state.vc_of(output_id);
    const auto far = far_end(there, port);
    const Channel* out = state.channels(port).out;
    if (!far || !out || out->flits_underway(vc) > 0 || out->credits_underway(vc) > 0) return false;
    if (state.output_flits(output_id) > 0 && OutputController::next_buffer_takes_front(state, output_id))
      return false;
    wait(r, id, far->router, far->port * state.vcs() + vc);
    return true;
  }

  /// Pipelined circuit switching: a virtual channel that has sent a head waits for the acknowledgement. False
  /// if that is under way.
  bool wait_for_acknowledgement(RouterId r, unsigned id) {
    const RouterState& state = fabric_.router(r).state();
    const unsigned output_id = state.input(id).output;
    const auto far = far_end(r, state.port_of(output_id));
    if (!far || Circuits::acknowledgement_underway(state, output_id)) return false;
    const VcMask waiting = Circuits::port(fabric_.router(far->router).state(), far->port).backward();
    if (waiting >> state.vc_of(output_id) & 1) return false;
    return wait_downstream(r, id, output_id);
  }

  /// Waits for the rest of a message that has started to arrive.
  bool wait_upstream(RouterId r, unsigned id) {
    const RouterState& state = fabric_.router(r).state();
    const unsigned port = state.port_of(id);
    const unsigned vc = state.vc_of(id);
    const auto far = far_end(r, port);
    const Channel* in = state.channels(port).in;
    if (!far || !in || in->flits_underway(vc) > 0) return false;
    const RouterState& feeder = fabric_.router(far->router).state();
    const unsigned feeding = far->port * state.vcs() + vc;
    const unsigned owner = feeder.output(feeding).owner;
    if (feeder.output_flits(feeding) > 0 || owner == kNoVc) return false;
    wait(r, id, far->router, owner);
    return true;
  }

  /// What waits for a virtual channel that can move can also move.
  void spread() {
    reach_.reset(total_);
    for (const Edge& e : edges_)
      if (!movable_[e.from]) reach_.add_edge(e.from, e.waits_for);
    std::sort(edges_.begin(), edges_.end());
    reach_.mark(movable_);
  }

  const Fabric& fabric_;
  const Topology& topology_;
  Repairs repairs_;
  std::vector<std::uint32_t> base_;
  std::size_t total_ = 0;
  std::vector<char> movable_;
  std::vector<Edge> edges_;
  BackwardReach reach_;
};

DeadlockWatchdog::DeadlockWatchdog(const Fabric& fabric, Repairs repairs)
    : graph_(std::make_unique<WaitGraph>(fabric, std::move(repairs))) {}

DeadlockWatchdog::~DeadlockWatchdog() = default;

std::optional<FoundDeadlock> DeadlockWatchdog::look() {
  graph_->look();
  return graph_->deadlock();
}

bool DeadlockWatchdog::blocked(RouterId router, unsigned id) const {
  return graph_->blocked(router, id);
}

std::vector<std::vector<WaitingVc>> DeadlockWatchdog::deadlocks() const {
  return graph_->deadlocks();
}

std::optional<FoundDeadlock> find_deadlock(const Fabric& fabric) {
  return DeadlockWatchdog(fabric).look();
}

std::string describe(const FoundDeadlock& found, const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  const NetworkContext& context = fabric.context();
  const auto name = [&](const WaitingVc& v) {
    const RouterState& state = fabric.router(v.router).state();
    const unsigned port = state.port_of(v.id);
    const std::string port_name = port < topology.port_count(v.router)
                                      ? topology.port_name(v.router, static_cast<PortId>(port))
                                      : "local";
    return formatted("%1%.%2%.vc%3%", topology.router_name(v.router), port_name, state.vc_of(v.id));
  };
  std::string text;
  for (std::size_t i = 0; i < found.cycle.size(); ++i) {
    const WaitingVc& v = found.cycle[i];
    text += "  " + name(v);
    if (v.message != kNoMessage) {
      const Message& m = context.messages[v.message];
      text += formatted(" (message %1% of %2% to %3%)", m.id, topology.router_name(m.source),
                        topology.router_name(m.destination));
    }
    text += " waits for " + name(found.cycle[(i + 1) % found.cycle.size()]) + "\n";
  }
  return text;
}

}  // namespace flitmend
