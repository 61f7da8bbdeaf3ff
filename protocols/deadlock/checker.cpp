// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/checker.h"

#include <algorithm>

#include "base/parallel.h"
#include "protocols/deadlock/blocked_states.h"
#include "protocols/deadlock/class_graph.h"
#include "protocols/deadlock/findings.h"
#include "protocols/deadlock/mirrors.h"

namespace flitmend {
namespace {

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

/// The same for the graph of the classes of destinations, which stands for all of them.
class ClassPass {
 public:
  ClassPass(const RoutingFunction& routing, const DestinationClasses& classes, const ChannelMap& channels,
            SurveyListener* listener)
      : classes_(routing, classes, channels, listener) {
    order_.find(classes_.graph());
  }

  bool all_arrive() const { return classes_.all_arrive(order_); }
  static std::vector<ChannelImages> images() { return {}; }
  template <class Result, class Add>
  Result run(Result result, SurveyListener*, Add&& add) const {
    add(result, classes_.graph(), order_, 1);
    return result;
  }

 private:
  ClassGraph classes_;
  PointOrder order_;
};

void conclude(DeadlockAnalysis& a, DeadlockVerdict verdict, DeadlockArgument argument,
              const DeadlockOptions& options) {
  a.verdict = verdict;
  a.argument = argument;
  a.needs_atomic_reallocation = verdict == DeadlockVerdict::free &&
                                argument != DeadlockArgument::dependency_graph &&
                                argument != DeadlockArgument::no_head_waits && !options.cut_through;
}

/// What an order of channels proves; else "not proved". `passes`: to go through all destinations again.
template <class Pass>
void conclude_by_order(const ChannelMap& channels, const DeadlockOptions& options, Findings found,
                       const Pass& passes, DeadlockAnalysis& a) {
  a = {};
  a.channels = channels.size();
  a.routes = std::move(found.routes);
  const Steps steps(options.listener);
  const Digraph dependencies = found.dependencies.edges();
  const std::vector<ChannelId> downwards = order_after_successors(dependencies);
  a.dependencies = edge_count(dependencies);
  if (downwards.size() == channels.size()) {
    a.ranks.resize(channels.size());
    std::uint32_t rank = 0;
    for (const ChannelId c : downwards) a.ranks[c] = ++rank;
    return conclude(a, DeadlockVerdict::free, DeadlockArgument::dependency_graph, options);
  }
  if (!options.brief) a.cycle = shortest_cycle(dependencies, steps.begin("shortest cycle"));
  const auto c1 = static_cast<std::uint64_t>(std::count(found.escapes.begin(), found.escapes.end(), true));
  if (c1 == 0) return;
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
}

/// From all destinations. Returns the bytes that all state graphs would take.
std::uint64_t prove_by_order(const RoutingFunction& routing, const ChannelMap& channels,
                             const DeadlockOptions& options, const std::vector<GridMirror>& mirrors,
                             DeadlockAnalysis& a) {
  const Passes passes(routing, channels, options.faults, mirrors);
  Findings found =
      passes.run(Findings(channels, routing.randomised(), options),
                 Steps(options.listener)
                     .begin("channel dependencies", passes.threads() * kBytesPerChannel * channels.size()),
                 [](Findings& result, const StateGraph& graph, const PointOrder& order, unsigned stands_for) {
                   result.add(graph, order, stands_for);
                 });
  found.mirror(passes.images());
  const std::uint64_t graph_bytes = found.graph_bytes;
  conclude_by_order(channels, options, std::move(found), passes, a);
  return graph_bytes;
}

/// From the classes of destinations that the routing function declares. False unless they prove freedom
/// from deadlock and that every message arrives.
bool prove_by_classes(const RoutingFunction& routing, const DestinationClasses& classes,
                      const ChannelMap& channels, const DeadlockOptions& options, DeadlockAnalysis& a) {
  const ClassPass pass(routing, classes, channels,
                       Steps(options.listener)
                           .begin("channel dependencies", kBytesPerChannel * channels.size() +
                                                              ClassGraph::bytes_for(routing, classes)));
  if (!pass.all_arrive()) return false;
  Findings found = pass.run(Findings(channels, routing.randomised(), options), nullptr,
                            [](Findings& result, const StateGraph& graph, const PointOrder& order, unsigned) {
                              result.add_channels(graph, order);
                            });
  const std::size_t nodes = routing.topology().node_count();
  found.routes.pairs = nodes * (nodes - 1);
  conclude_by_order(channels, options, std::move(found), pass, a);
  return a.verdict == DeadlockVerdict::free;
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
    case DeadlockArgument::no_head_waits:
      return "no head waits for a channel";
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
  const DestinationClasses* const classes =
      faulty || options.without_classes ? nullptr : few_classes(routing);
  // Only data wait, on paths that are complete and lead to nodes that consume them.
  const auto without_waiting_heads = [&] {
    if (a.argument != DeadlockArgument::dependency_graph)
      conclude(a, DeadlockVerdict::free, DeadlockArgument::no_head_waits, options);
    return a;
  };
  if (classes && prove_by_classes(routing, *classes, channels, options, a))
    return options.heads_go_back ? without_waiting_heads() : a;
  const auto mirrors = faulty || options.without_mirrors ? std::vector<GridMirror>{} : mirrors_of(routing);
  std::uint64_t graph_bytes = prove_by_order(routing, channels, options, mirrors, a);
  // Errors are shown in the order of the destinations.
  if (!mirrors.empty() && (!a.routes.sound() || (a.escape && !a.escape->cycle.empty())))
    graph_bytes = prove_by_order(routing, channels, options, {}, a);
  if (options.heads_go_back) return without_waiting_heads();
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
