// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/graphviz.h"

#include <algorithm>

#include "base/text.h"
#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/escape_dependencies.h"

namespace flitmend {
namespace {

bool follows_in(const std::vector<ChannelId>& cycle, ChannelId from, ChannelId to) {
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (cycle[i] == from && cycle[(i + 1) % cycle.size()] == to) return true;
  return false;
}

/// Channels of a network of which the indirect dependencies are shown.
constexpr std::size_t kMostExtended = 4096;

/// By whether a dependency of escape channels is indirect, and cross.
constexpr const char* kStyles[2][2] = {
    {"", " [style=dotted, label=cross]"},
    {" [style=dashed, label=indirect]", " [style=dashed, label=\"indirect cross\"]"}};

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
  std::vector<char> used(channels.size());
  for (ChannelId c = 0; c < channels.size(); ++c)
    for (const std::uint32_t next : edges[c]) used[c] = used[next] = true;
  std::string text = "// " + std::string(to_string(a.verdict)) + " (" + to_string(a.argument) +
                     ")\ndigraph channels {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (ChannelId c = 0; c < channels.size(); ++c) {
    if (by_escape ? rank(c) == 0 : !used[c]) continue;
    const bool in_cycle = !by_escape && std::find(cycle.begin(), cycle.end(), c) != cycle.end();
    text += "  " + quoted(channels.name(c)) +
            (rank(c) > 0 ? " [label=" + quoted(formatted("%1%\\nrank %2%", channels.name(c), rank(c))) + "]"
             : in_cycle  ? " [color=red]"
                         : "") +
            ";\n";
  }
  const auto add_edge = [&](ChannelId from, ChannelId to, const char* style) {
    text += "  " + quoted(channels.name(from)) + " -> " + quoted(channels.name(to)) + style + ";\n";
  };
  // For packets that fit in a virtual channel only the direct dependencies count; the others may lead
  // upwards.
  if (by_escape && channels.size() <= kMostExtended) {
    for (const EscapeDependency& d : escape_dependencies(routing, channels, faults))
      if (rank(d.from) > rank(d.to)) add_edge(d.from, d.to, kStyles[d.indirect][d.cross]);
    return text + "}\n";
  }
  for (ChannelId c = 0; c < channels.size(); ++c)
    for (const std::uint32_t next : edges[c])
      if (!by_escape || rank(c) > rank(next))
        add_edge(c, next, !by_escape && follows_in(cycle, c, next) ? " [color=red, penwidth=3]" : "");
  if (by_escape) return text + "}\n";
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    // A cycle of escape channels may need indirect dependencies, which the graph above does not have.
    const ChannelId from = cycle[i], to = cycle[(i + 1) % cycle.size()];
    if (!std::ranges::binary_search(edges[from], to))
      add_edge(from, to, " [color=red, penwidth=3, style=dashed]");
  }
  return text + "}\n";
}

}  // namespace flitmend
