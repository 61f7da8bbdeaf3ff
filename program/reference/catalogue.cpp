// SPDX-License-Identifier: Apache-2.0
#include "program/reference/catalogue.h"

#include <optional>

#include "base/text.h"
#include "program/reference/pages.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/selection/registry.h"
#include "testbench/collectives/collective.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

CatalogueGroup topology_group() {
  CatalogueGroup group{"topologies", "network.topology", "Topologies", {}, "size by"};
  for (const TopologyEntry& entry : topologies().entries()) {
    NetworkSettings network;
    network.topology = entry.name;
    if (!entry.size_required) network.complete();
    Configuration configuration;
    configuration.network = network;
    const std::vector<DeclaredSection> sections = declarations(configuration);
    std::vector<std::string> keys, words;
    for (std::string_view key : entry.size_keys) {
      keys.push_back("network." + std::string(key));
      words.push_back(keys.back() + (entry.size_required
                                         ? " (required)"
                                         : " (default " + find_key(sections, keys.back()).value + ")"));
    }
    group.entries.push_back(
        {std::string(entry.name), std::string(entry.description), joined(words), Json{{"size_keys", keys}}});
  }
  return group;
}

std::vector<std::string> strings(const std::vector<std::string_view>& words) {
  return {words.begin(), words.end()};
}

/// What it needs on each topology, with default options.
CatalogueEntry routing_entry(const RoutingEntry& entry) {
  RoutingSettings routing;
  routing.algorithm = entry.name;
  Json needs = Json::array();
  std::vector<std::string> words;
  std::optional<RoutingProperties> last;
  for (std::string_view name : entry.topologies()) {
    const RoutingProperties p = routing_properties(*example_network(topologies().at(name), entry), routing);
    last = p;
    needs.push_back(Json{
        {"topology", name}, {"virtual_channels", p.virtual_channels}, {"classes", strings(p.vc_classes)}});
    const std::string dimensions = entry.dimensions_text();
    words.push_back(std::string(name) + (dimensions.empty() ? "" : " " + dimensions) + " with " +
                    p.virtual_channels_text());
  }
  std::string text = joined(words);
  const bool atomic = last && last->atomic_vc_reallocation;
  if (atomic) text += "; with wormhole switching vc_reallocation atomic";
  std::vector<std::string> options;
  for (const RoutingOption& option : entry.options) options.emplace_back(option.key->name());
  return {std::string(entry.name), std::string(entry.description), text,
          Json{{"topologies", strings(entry.topologies())},
               {"dimensions", {entry.dimensions.min, entry.dimensions.max}},
               {"requirements", needs},
               {"vc_reallocation", atomic ? "atomic" : "on-tail"},
               {"options", options},
               {"default_selection", entry.default_selection},
               {"deadlock_freedom", last ? to_string(last->proof) : ""},
               {"adaptivity", last ? to_string(last->adaptivity) : ""},
               {"minimal", last && last->extra_hops == 0}}};
}

CatalogueGroup routing_group() {
  CatalogueGroup group{"routing", "routing.algorithm", "Routing algorithms", {}, "needs"};
  for (const RoutingEntry& entry : routing_algorithms().entries())
    group.entries.push_back(routing_entry(entry));
  return group;
}

CatalogueGroup pattern_group() {
  CatalogueGroup group{"traffic", "traffic.pattern", "Traffic patterns", {}, "needs"};
  for (const PatternEntry& entry : traffic_patterns().entries())
    group.entries.push_back(
        {std::string(entry.name), std::string(entry.description), std::string(entry.needs), Json::object()});
  return group;
}

/// Names without needs.
template <class Entry>
CatalogueGroup plain_group(std::string concern, std::string key, std::string title,
                           const Registry<Entry>& registry) {
  CatalogueGroup group{std::move(concern), std::move(key), std::move(title), {}, "needs"};
  for (const Entry& entry : registry.entries())
    group.entries.push_back({std::string(entry.name), std::string(entry.description), "", Json::object()});
  return group;
}

CatalogueGroup recovery_group() {
  CatalogueGroup group =
      plain_group("recovery", "recovery.protocol", "Recovery protocols", recovery_protocols());
  for (CatalogueEntry& entry : group.entries)
    entry.details = recovery_details(recovery_protocols().at(entry.name));
  return group;
}

/// The words of a key with a closed list of values.
CatalogueGroup choice_group(std::string concern, std::string key, std::string title) {
  CatalogueGroup group{std::move(concern), std::move(key), std::move(title), {}, "needs"};
  const std::vector<DeclaredSection> sections = declarations(Configuration());
  for (const Choice& choice : find_key(sections, group.key).choices)
    group.entries.push_back({std::string(choice.name), std::string(choice.description), "", Json::object()});
  return group;
}

CatalogueGroup preset_group() {
  CatalogueGroup group{"presets", "router.preset", "Router presets", {}, "sets"};
  const std::vector<DeclaredSection> defaults = declarations(Configuration());
  for (const Choice& preset : router_presets()) {
    Configuration configuration;
    apply_preset(std::string(preset.name), configuration.hardware);
    Json sets = Json::object();
    std::vector<std::string> words;
    for (const DeclaredSection& section : declarations(configuration))
      for (const DeclaredKey& key : section.keys)
        if (key.path != group.key && key.value != find_key(defaults, key.path).value) {
          sets[key.path] = key.value;
          words.push_back(key.path + " " + key.value);
        }
    group.entries.push_back({std::string(preset.name), std::string(preset.description),
                             words.empty() ? "nothing: the defaults" : joined(words),
                             Json{{"settings", sets}}});
  }
  return group;
}

}  // namespace

std::vector<CatalogueGroup> catalogue() {
  return {
      topology_group(),
      routing_group(),
      plain_group("selection", "routing.selection", "Selection functions", selections()),
      recovery_group(),
      choice_group("switching", "router.switching", "Switching techniques"),
      preset_group(),
      pattern_group(),
      plain_group("traffic", "traffic.injection", "Injection processes", injection_processes()),
      plain_group("traffic", "traffic.length_distribution", "Length distributions", length_distributions()),
      plain_group("traffic", "traffic.collectives", "Collectives", collectives())};
}

}  // namespace flitmend
