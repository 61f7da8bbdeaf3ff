// SPDX-License-Identifier: Apache-2.0
#include "base/table.h"
#include "base/text.h"
#include "exploration/campaign/campaign.h"
#include "exploration/campaign/exhaustive_campaign.h"
#include "exploration/studies/study.h"
#include "program/reference/catalogue.h"
#include "program/reference/pages.h"
#include "protocols/routing/registry.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"
#include "testbench/configuration/unused_keys.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

constexpr const char* kIntroduction =
    R"(# Configuration reference

Generated from the program's own declarations. To regenerate: `ninja -C build/release reference`.

One YAML file describes a run. A key that is left out has its default. `--set KEY=VALUE` on the command line
overrides the file; KEY is the dotted path, VALUE is written as in YAML: `--set network.size=[4,4]`.

An explicit key overrides what the routing algorithm needs, that overrides the router preset, and that overrides
the default. An explicit value that contradicts a need is refused. Every run writes its effective configuration
to its output folder as `config.yaml`, which can be run as it is.

If a key is set to a value other than its default, but other keys leave it without effect, a note on standard error
gives its place and the reason. The column `meaning` says when a key has an effect.

Integers are decimal, hexadecimal (`0x10`), or like `1e6`. Nodes are numbers or coordinates: `17`, `[3, 4]`.
)";

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// When the key has an effect; empty: always.
std::string effect_of(const DeclaredKey& key) {
  const std::string effect = effect_text(key.effect);
  return effect.empty() ? "" : " Has an effect only " + effect + ".";
}

void append_section(std::string& text, const DeclaredSection& section) {
  const bool inner = section.path.find('.') != section.path.npos;
  text +=
      std::string("\n##") + (inner ? "#" : "") + " " + section.path + "\n\n" + section.description + "\n\n";
  if (section.keys.empty()) return;
  Table table{.columns = {{"key"}, {"default"}, {"unit"}, {"values"}, {"meaning"}}};
  for (const DeclaredKey& key : section.keys) {
    std::string values = key.allowed;
    for (const Choice& choice : key.choices) values += (values.empty() ? "" : ", ") + code(choice.name);
    table.add(
        {code(last_part(key.path)), code(key.value), key.unit, values, key.description + effect_of(key)});
  }
  text += table.markdown();
  for (const DeclaredKey& key : section.keys) {
    if (key.choices.empty()) continue;
    text += "\n" + code(last_part(key.path)) + ":\n\n";
    for (const Choice& choice : key.choices)
      text += "- " + code(choice.name) + ": " + std::string(choice.description) + "\n";
  }
}

void append_group(std::string& text, const CatalogueGroup& group) {
  text += "\n### " + group.title + "\n\nKey " + code(group.key) + ".\n\n";
  Table table{.columns = {{"name"}, {"what it is"}, {group.needs_word}}};
  for (const CatalogueEntry& entry : group.entries)
    table.add({code(entry.name), entry.description, entry.needs});
  text += table.markdown();
}

void append_file_section(std::string& text, const FileSection& section) {
  text += "\n### " + std::string(section.title) + "\n\n";
  if (!section.description.empty()) text += std::string(section.description) + "\n\n";
  Table table{.columns = {{"key"}, {"default"}, {"values"}, {"meaning"}}};
  for (const FileKey& key : section.keys)
    table.add({code(key.name), key.fallback.empty() ? "–" : std::string(key.fallback),
               std::string(key.values), std::string(key.description)});
  text += table.markdown();
}

}  // namespace

std::string configuration_reference() {
  std::string text = kIntroduction;
  for (const DeclaredSection& section : declarations(Configuration())) append_section(text, section);
  text += "\n## What can be named\n\nThe same as `flitmend list`.\n";
  for (const CatalogueGroup& group : catalogue()) append_group(text, group);
  text += "\n## Sweeps, studies and campaigns\n";
  for (const FileSection* section :
       {&sweep_keys(), &axis_keys(), &keep_keys(), &slurm_keys(), &study_keys(), &statement_keys(),
        &reference_keys(), &campaign_keys(), &exhaustive_campaign_keys(), &exhaustive_keys()})
    append_file_section(text, *section);
  return text;
}

namespace {

std::string guarantee(const RoutingProperties& p) {
  std::string text = p.proof == DeadlockProof::none
                         ? "can deadlock"
                         : std::string("free of deadlock (") + to_string(p.proof) +
                               (p.atomic_vc_reallocation ? ", atomic reallocation" : "") + ")";
  text += p.extra_hops == 0 ? ", minimal" : ", at most " + counted(p.extra_hops, "hop") + " more";
  if (p.tolerated_faults == kAnyFaults) return text + "; around all faults known from the start";
  if (p.tolerated_faults > 0)
    text += "; around " + counted(p.tolerated_faults, "faulty node") + " known from the start";
  return text;
}

}  // namespace

std::string routing_table_page() {
  Table table{
      .columns = {
          {"algorithm"}, {"topology"}, {"virtual channels"}, {"choice"}, {"guarantee"}, {"reference"}}};
  for (const RoutingEntry& entry : routing_algorithms().entries())
    for (const std::string_view name : entry.topologies()) {
      RoutingSettings settings;
      settings.algorithm = entry.name;
      const auto network = example_network(topologies().at(name), entry);
      const RoutingProperties p = entry.properties(*network, settings);
      const std::string dimensions = entry.dimensions_text();
      table.add({"`" + std::string(entry.name) + "`",
                 std::string(name) + (dimensions.empty() ? "" : " " + dimensions),
                 std::to_string(p.virtual_channels), to_string(p.adaptivity), guarantee(p),
                 std::string(entry.reference)});
    }
  return "\n" + table.markdown() + "\n";
}

}  // namespace flitmend
