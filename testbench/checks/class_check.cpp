// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/class_check.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "protocols/deadlock/dependency_graph.h"
#include "protocols/routing/registry.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

/// Names of the classes in a network: "request and reply".
std::string classes_in(const MessageClasses& classes, unsigned network) {
  std::vector<std::string> names;
  for (const MessageClass& one : classes.list)
    if (one.network == network) names.push_back(shown_value(one.name));
  return (names.size() == 1 ? "class " : "classes ") + joined(names);
}

std::string range_text(const VcRange& range) {
  return range.count == 1 ? formatted("%1%", range.first)
                          : formatted("%1%-%2%", range.first, range.first + range.count - 1);
}

/// The classes of a cycle as text: "request -> reply -> request".
std::string cycle_text(const std::vector<std::uint32_t>& cycle, const MessageClasses& classes) {
  std::string text;
  for (const std::uint32_t c : cycle) text += classes.list[c].name + " -> ";
  return text + classes.list[cycle.front()].name;
}

std::string number_of_classes(const MessageClasses& classes) {
  return formatted("%1% %2% of messages", classes.list.size(),
                   classes.list.size() == 1 ? "class" : "classes");
}

void worsen(DeadlockCheck& check, ExitStatus status) {
  if (check.status != ExitStatus::deadlock && status != ExitStatus::done) check.status = status;
}

/// "class 'a', on virtual channels 0-1; class 'b', on virtual channels 2-3" of the networks with that many.
std::string classes_with(const MessageClasses& classes, unsigned virtual_channels) {
  std::string text;
  for (unsigned n = 0; n < classes.networks.size(); ++n)
    if (classes.networks[n].count == virtual_channels)
      text += (text.empty() ? "" : "; ") + formatted("%1%, on virtual channels %2%", classes_in(classes, n),
                                                     range_text(classes.networks[n]));
  return text;
}

/// Judges the waits between classes.
void add_dependencies(DeadlockCheck& check, const Configuration& c, const Topology& topology,
                      const MessageClasses& classes) {
  if (classes.dependencies.empty()) {
    check.details += "No class waits for another one at its destination (traffic.class_dependencies).\n";
    return;
  }
  Digraph of_classes(classes.list.size()), of_networks(classes.networks.size());
  std::vector<bool> waits_for_itself(classes.networks.size());
  for (const auto& [waiting, awaited] : classes.dependencies) {
    check.details +=
        formatted("Messages of class %1% wait at their destinations until messages of class %2% have left.\n",
                  shown_value(classes.list[waiting].name), shown_value(classes.list[awaited].name));
    const auto add = [](std::vector<std::uint32_t>& list, std::uint32_t to) {
      list.push_back(to);
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    add(of_classes[waiting], awaited);
    const unsigned from = classes.list[waiting].network, to = classes.list[awaited].network;
    if (from == to)
      waits_for_itself[from] = true;
    else
      add(of_networks[from], to);
  }
  if (const std::vector<std::uint32_t> cycle = shortest_cycle(of_classes); !cycle.empty()) {
    worsen(check, ExitStatus::deadlock);
    check.verdict += "; but classes wait for each other: can deadlock";
    check.details +=
        "The classes wait in a cycle, which no virtual channels prevent: " + cycle_text(cycle, classes) +
        ". Remove one of these from traffic.class_dependencies.\n";
    return;
  }
  for (unsigned n = 0; n < classes.networks.size(); ++n) {
    if (!waits_for_itself[n]) continue;
    const Configuration one = of_network(c, classes.networks[n]);
    const auto routing = make_routing(topology, one.hardware.router.virtual_channels, one.routing);
    const ChannelMap channels(*routing);
    const std::vector<ChannelId> cycle = request_reply_cycle(*routing, channels);
    if (cycle.empty()) continue;
    worsen(check, ExitStatus::deadlock);
    check.verdict +=
        "; but " + classes_in(classes, n) + " wait for each other on the same virtual channels: can deadlock";
    check.details += formatted(
        "A shortest cycle on virtual channels %1%, counted from the first of them:\n%2%"
        "Give these classes virtual channels of their own (virtual_channels: own).\n",
        range_text(classes.networks[n]), describe_request_reply(cycle, channels, topology));
  }
  if (const std::vector<std::uint32_t> cycle = shortest_cycle(of_networks); !cycle.empty()) {
    worsen(check, ExitStatus::unproved);
    check.verdict += "; but not proved free of deadlock between classes";
    std::string text;
    for (const std::uint32_t n : cycle)
      text += "virtual channels " + range_text(classes.networks[n]) + " -> ";
    check.details += "Virtual networks wait for each other in a cycle, as classes share them: " + text +
                     "virtual channels " + range_text(classes.networks[cycle.front()]) +
                     ". Give every class virtual channels of its own.\n";
    return;
  }
  if (check.status == ExitStatus::done)
    check.details +=
        "These waits have no cycle: the virtual networks that wait for no other one empty by their own "
        "proof, then "
        "those\nthat wait for them.\n";
}

}  // namespace

DeadlockCheck check_by_class(const Configuration& c, const Topology& topology, const MessageClasses& classes,
                             ProofListener* listener, const ShowFinding& show) {
  std::map<unsigned, DeadlockCheck> proved;  // by number of virtual channels
  DeadlockCheck all;
  const auto show_kind = [&](unsigned count) -> ShowFinding {
    if (!show) return {};
    return [&show, of = classes_with(classes, count)](
               const DeadlockAnalysis& analysis, const RoutingFunction& routing, const ChannelMap& channels,
               const std::string& verdict) { show(analysis, routing, channels, of + ": " + verdict); };
  };
  for (unsigned n = 0; n < classes.networks.size(); ++n) {
    const VcRange& range = classes.networks[n];
    const bool is_new = !proved.contains(range.count);
    if (is_new) proved[range.count] = check_deadlock(of_network(c, range), listener, show_kind(range.count));
    const DeadlockCheck& one = proved[range.count];
    worsen(all, one.status);
    if (is_new) all.verdict += (n == 0 ? "" : "; ") + one.verdict;
    all.details += formatted("%1%, on virtual channels %2%: ", classes_in(classes, n), range_text(range)) +
                   (is_new ? one.verdict + "\n" + one.details : "as those with as many before.\n");
  }
  if (classes.networks.size() > 1)
    all.verdict = formatted("%1% in %2% virtual networks, each: ", number_of_classes(classes),
                            classes.networks.size()) +
                  all.verdict;
  else
    all.verdict = formatted("%1% on the same virtual channels: ", number_of_classes(classes)) + all.verdict;
  add_dependencies(all, c, topology, classes);
  return all;
}

std::vector<NetworkKind> network_kinds(const Configuration& c) {
  const MessageClasses classes = message_classes(c, *make_topology(c.network));
  std::vector<NetworkKind> kinds;
  for (const VcRange& range : classes.networks)
    if (std::ranges::none_of(kinds, [&](const NetworkKind& kind) {
          return kind.configuration.hardware.router.virtual_channels == range.count;
        }))
      kinds.push_back({of_network(c, range), classes_with(classes, range.count)});
  if (kinds.empty()) kinds.push_back({c, ""});
  return kinds;
}

DeadlockCheck together(const std::vector<NetworkKind>& kinds, const std::vector<DeadlockCheck>& checks) {
  DeadlockCheck all = checks.front();
  all.from_cache = std::ranges::all_of(checks, &DeadlockCheck::from_cache);
  if (std::ranges::all_of(checks, [&](const DeadlockCheck& one) {
        return one.status == all.status && one.verdict == all.verdict && one.details == all.details;
      }))
    return all;
  all.verdict.clear();
  all.details.clear();
  for (std::size_t i = 0; i < checks.size(); ++i) {
    worsen(all, checks[i].status);
    all.verdict += (i > 0 ? "; " : "") + kinds[i].classes + ": " + checks[i].verdict;
    if (!checks[i].details.empty()) all.details += kinds[i].classes + ":\n" + checks[i].details;
  }
  return all;
}

}  // namespace flitmend
