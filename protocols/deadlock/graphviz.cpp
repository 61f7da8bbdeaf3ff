// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/graphviz.h"

#include <algorithm>

#include "base/text.h"
#include "protocols/deadlock/dependency_graph.h"

namespace flitmend {
namespace {

bool follows_in(const std::vector<ChannelId>& cycle, ChannelId from, ChannelId to) {
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (cycle[i] == from && cycle[(i + 1) % cycle.size()] == to) return true;
  return false;
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

}  // namespace

std::string graphviz(const DeadlockAnalysis& a, const RoutingFunction& routing, const ChannelMap& channels,
                     const FaultSet* faults) {
  const Digraph edges = dependency_graph(routing, channels, faults).edges();
  const bool by_escape = a.argument == DeadlockArgument::escape_channels;
  const std::vector<ChannelId>& cycle = a.escape && !a.escape->cycle.empty() ? a.escape->cycle : a.cycle;
  const auto rank = [&](ChannelId c) {
    return a.verdict != DeadlockVerdict::free || a.ranks.empty() ? 0 : a.ranks[c];
  };
  const auto shown = [&](ChannelId c) { return !by_escape || rank(c) > 0; };
  std::vector<char> used(channels.size());
  for (ChannelId c = 0; c < channels.size(); ++c)
    for (const std::uint32_t next : edges[c]) used[c] = used[next] = true;
  std::string text = "// " + std::string(to_string(a.verdict)) + " (" + to_string(a.argument) +
                     ")\ndigraph channels {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (ChannelId c = 0; c < channels.size(); ++c) {
    if (!used[c] || !shown(c)) continue;
    const bool in_cycle = !by_escape && std::find(cycle.begin(), cycle.end(), c) != cycle.end();
    text += "  " + quoted(channels.name(c)) +
            (rank(c) > 0 ? " [label=" + quoted(formatted("%1%\\nrank %2%", channels.name(c), rank(c))) + "]"
             : in_cycle  ? " [color=red]"
                         : "") +
            ";\n";
  }
  for (ChannelId c = 0; c < channels.size(); ++c)
    for (const std::uint32_t next : edges[c]) {
      // A hop from an escape channel to another of no lower rank is not an escape hop.
      if (!shown(c) || !shown(next) || (by_escape && rank(c) <= rank(next))) continue;
      text += "  " + quoted(channels.name(c)) + " -> " + quoted(channels.name(next)) +
              (!by_escape && follows_in(cycle, c, next) ? " [color=red, penwidth=3]" : "") + ";\n";
    }
  if (!by_escape)
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      // A cycle of escape channels may need indirect dependencies, which the graph above does not have.
      const ChannelId from = cycle[i], to = cycle[(i + 1) % cycle.size()];
      if (!std::binary_search(edges[from].begin(), edges[from].end(), to))
        text += "  " + quoted(channels.name(from)) + " -> " + quoted(channels.name(to)) +
                " [color=red, penwidth=3, style=dashed];\n";
    }
  return text + "}\n";
}

}  // namespace flitmend
