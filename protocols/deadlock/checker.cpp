// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/checker.h"

#include <algorithm>

#include "base/parallel.h"
#include "protocols/deadlock/blocked_states.h"
#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/escape_order.h"
#include "protocols/deadlock/mirrors.h"

namespace flitmend {
namespace {

/// Bytes of a state graph, and of the data about a channel.
std::uint64_t bytes_of(const StateGraph& g) {
  return g.states.size() * sizeof(StateGraph::State) + g.points.size() * sizeof(StateGraph::Point) +
         g.edges.size() * sizeof(StateGraph::Edge) + g.sources.size() * sizeof(StateId);
}
constexpr std::uint64_t kBytesPerChannel = 150;

/// Tells a listener, if there is one, the next step and the memory that it takes.
class Steps {
 public:
  explicit Steps(ProofListener* listener) : listener_(listener) {}
  ProofListener* begin(std::string_view step, std::uint64_t bytes = 0) const {
    if (!listener_) return nullptr;
    if (bytes > 0) listener_->needs_memory(step, bytes);
    listener_->begin_step(step);
    return listener_;
  }

 private:
  ProofListener* listener_;
};

/// What one pass over some of the destinations finds.
struct Findings {
  Findings(const ChannelMap& channels, bool randomised_routing, const DeadlockOptions& options)
      : dependencies(channels),
        escapes(channels.size()),
        order(channels.size(), options.cut_through),
        randomised(randomised_routing),
        faults(options.faults && options.faults->count() > 0) {}

  /// The states of the messages to one destination, which represents `stands_for` destinations.
  void add(const StateGraph& graph, const PointOrder& points, unsigned stands_for) {
    dependencies.add(graph);
    const std::size_t before = routes.pairs;
    add_route_checks(graph, points, randomised, routes);
    routes.pairs += (stands_for - 1) * (routes.pairs - before);
    bool any = false;
    for (const StateGraph::Edge& e : graph.edges)
      if (e.escape) {
        escapes[e.channel] = true;
        any = true;
      }
    if (any) order.add(graph, points);
    escapes_connected = escapes_connected && escapes_arrive(graph, points, faults);
    graph_bytes += stands_for * bytes_of(graph);
  }
  /// The mirror images of these findings.
  void mirror(const std::vector<ChannelImages>& mirrors) {
    for (const ChannelImages& images : mirrors) {
      dependencies.mirror(images);
      for (ChannelId c = 0; c < escapes.size(); ++c) escapes[images[c]] |= escapes[c];
    }
  }
  /// Those of later destinations.
  void add(const Findings& later) {
    dependencies.add(later.dependencies);
    routes.add(later.routes);
    for (std::size_t c = 0; c < escapes.size(); ++c) escapes[c] |= later.escapes[c];
    escapes_connected = escapes_connected && later.escapes_connected;
    order.add(later.order);
    graph_bytes += later.graph_bytes;
  }

  DependencyGraph dependencies;
  RouteChecks routes;
  std::vector<char> escapes;  ///< by channel: whether it is an escape candidate of some state
  bool escapes_connected = true;
  EscapeOrder order;
  std::uint64_t graph_bytes = 0;
  bool randomised;  ///< the routing function is
  bool faults;      ///< there are any: a router then drops a head without candidates
};

/// Passes over the state graphs of all destinations, on all processors.
class Passes {
 public:
  Passes(const RoutingFunction& routing, const ChannelMap& channels, const FaultSet* faults,
         const std::vector<GridMirror>& mirrors)
      : routing_(routing),
        channels_(channels),
        faults_(faults),
        destinations_(classes_of_nodes(routing.topology(), mirrors)),
        // A small network is done before a thread has started.
        threads_(thread_count(0, destinations_.size() / 64)) {
    for (const GridMirror& mirror : mirrors) images_.push_back(images_of_channels(channels, routing, mirror));
  }

  unsigned threads() const { return threads_; }
  const std::vector<ChannelImages>& images() const { return images_; }

  /// Every thread goes through a range of destinations, calls add(result, graph, order, nodes that it stands
  /// for) for each of them, and the results of later ranges are added to the first. All start as copies of
  /// `start`.
  template <class Result, class Add>
  Result run(const Result& start, SurveyListener* listener, Add&& add) const {
    SurveyProgress progress(listener, destinations_.size());
    std::vector<Result> results(threads_, start);
    parallel_for(threads_, threads_, [&](std::size_t i) {
      StateExplorer explorer(routing_, channels_, faults_);
      PointOrder order;
      const std::size_t first = destinations_.size() * i / threads_;
      const std::size_t end = destinations_.size() * (i + 1) / threads_;
      for (std::size_t d = first; d < end; ++d) {
        const StateGraph& graph = explorer.explore(destinations_[d].node);
        order.find(graph);
        add(results[i], graph, order, destinations_[d].size);
        progress.add(1);
      }
    });
    for (unsigned i = 1; i < threads_; ++i) results[0].add(results[i]);
    return std::move(results[0]);
  }

 private:
  const RoutingFunction& routing_;
  const ChannelMap& channels_;
  const FaultSet* faults_;
  std::vector<NodeClass> destinations_;
  std::vector<ChannelImages> images_;  ///< by mirror
  unsigned threads_;
};

void conclude(DeadlockAnalysis& a, DeadlockVerdict verdict, DeadlockArgument argument,
              const DeadlockOptions& options) {
  a.verdict = verdict;
  a.argument = argument;
  a.needs_atomic_reallocation = verdict == DeadlockVerdict::free &&
                                argument != DeadlockArgument::dependency_graph && !options.cut_through;
}

/// What an order of channels proves; else "not proved". Returns the bytes that all state graphs would take.
std::uint64_t prove_by_order(const RoutingFunction& routing, const ChannelMap& channels,
                             const DeadlockOptions& options, const std::vector<GridMirror>& mirrors,
                             DeadlockAnalysis& a) {
  a = {};
  a.channels = channels.size();
  const Steps steps(options.listener);
  const Passes passes(routing, channels, options.faults, mirrors);
  Findings found =
      passes.run(Findings(channels, routing.randomised(), options),
                 steps.begin("channel dependencies", passes.threads() * kBytesPerChannel * channels.size()),
                 [](Findings& result, const StateGraph& graph, const PointOrder& order, unsigned stands_for) {
                   result.add(graph, order, stands_for);
                 });
  found.mirror(passes.images());
  a.routes = std::move(found.routes);
  const Digraph dependencies = found.dependencies.edges();
  const std::vector<ChannelId> downwards = order_after_successors(dependencies);
  a.dependencies = edge_count(dependencies);
  if (downwards.size() == channels.size()) {
    a.ranks.resize(channels.size());
    std::uint32_t rank = 0;
    for (const ChannelId c : downwards) a.ranks[c] = ++rank;
    conclude(a, DeadlockVerdict::free, DeadlockArgument::dependency_graph, options);
    return found.graph_bytes;
  }
  if (!options.brief) a.cycle = shortest_cycle(dependencies, steps.begin("shortest cycle"));
  const auto c1 = static_cast<std::uint64_t>(std::count(found.escapes.begin(), found.escapes.end(), true));
  if (c1 == 0) return found.graph_bytes;
  a.escape = DeadlockAnalysis::Escape{found.escapes_connected, c1, {}};
  while (found.order.settle(passes.images()))
    found.order = passes.run(found.order, steps.begin("order of escape channels"),
                             [](EscapeOrder& result, const StateGraph& graph, const PointOrder& order,
                                unsigned) { result.add(graph, order); });
  a.escape->cycle = found.order.cycle();
  if (a.escape->cycle.empty())
    for (ChannelId c = 0; c < channels.size(); ++c)
      a.ranks.push_back(found.escapes[c] ? found.order.rank(c) : 0);
  if (a.escape->connected && a.escape->cycle.empty())
    conclude(a, DeadlockVerdict::free, DeadlockArgument::escape_channels, options);
  return found.graph_bytes;
}

}  // namespace

const char* to_string(DeadlockVerdict verdict) {
  switch (verdict) {
    case DeadlockVerdict::free:
      return "free";
    case DeadlockVerdict::can_deadlock:
      return "can deadlock";
    case DeadlockVerdict::not_proved:
      return "not proved";
  }
  return "";
}

const char* to_string(DeadlockArgument argument) {
  switch (argument) {
    case DeadlockArgument::dependency_graph:
      return "channel dependency graph";
    case DeadlockArgument::escape_channels:
      return "extended graph of the escape channels";
    case DeadlockArgument::wormhole_fixpoint:
      return "wormhole fixpoint";
    case DeadlockArgument::cut_through_fixpoint:
      return "cut-through fixpoint";
    case DeadlockArgument::wormhole_search:
      return "wormhole deadlock found";
    case DeadlockArgument::none:
      return "none";
  }
  return "";
}

DeadlockAnalysis analyse_deadlock(const RoutingFunction& routing, const ChannelMap& channels,
                                  const DeadlockOptions& options) {
  DeadlockAnalysis a;
  const Steps steps(options.listener);
  const bool faulty = options.faults && options.faults->count() > 0;
  const auto mirrors = faulty || options.without_mirrors ? std::vector<GridMirror>{} : mirrors_of(routing);
  std::uint64_t graph_bytes = prove_by_order(routing, channels, options, mirrors, a);
  // Errors are shown in the order of the destinations.
  if (!mirrors.empty() && (!a.routes.sound() || (a.escape && !a.escape->cycle.empty())))
    graph_bytes = prove_by_order(routing, channels, options, {}, a);
  if (a.verdict == DeadlockVerdict::free || options.orders_only) return a;
  const auto concluded = [&](DeadlockVerdict verdict, DeadlockArgument argument) {
    conclude(a, verdict, argument, options);
    return a;
  };
  // As much again for what the fixpoints know of every state.
  const std::vector<StateGraph> graphs = all_state_graphs(
      routing, channels, options.faults, steps.begin("states of all messages", 2 * graph_bytes));
  WaitFixpoint wormhole;
  if (!options.cut_through) {
    wormhole = wormhole_fixpoint(graphs, channels, steps.begin("messages that could block each other"));
    a.wormhole_blocked = wormhole.states;
    if (wormhole.empty()) return concluded(DeadlockVerdict::free, DeadlockArgument::wormhole_fixpoint);
  }
  const auto search = [&] {
    a.deadlock = find_wormhole_deadlock(graphs, channels, wormhole, options.whole_paths,
                                        steps.begin("search for a deadlock"));
    return a.deadlock.empty() ? concluded(DeadlockVerdict::not_proved, DeadlockArgument::none)
                              : concluded(DeadlockVerdict::can_deadlock, DeadlockArgument::wormhole_search);
  };
  if (options.whole_paths) return search();
  const WaitFixpoint cut_through =
      cut_through_fixpoint(graphs, channels, steps.begin("messages that hold one channel each"));
  a.cut_through_blocked = cut_through.states;
  if (!cut_through.empty()) {
    if (!options.brief)
      a.deadlock = deadlocked_configuration(graphs, channels, cut_through, steps.begin("smallest deadlock"));
    return concluded(DeadlockVerdict::can_deadlock, DeadlockArgument::cut_through_fixpoint);
  }
  if (options.cut_through) return concluded(DeadlockVerdict::free, DeadlockArgument::cut_through_fixpoint);
  return search();
}

}  // namespace flitmend
