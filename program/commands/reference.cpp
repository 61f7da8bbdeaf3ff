// SPDX-License-Identifier: Apache-2.0
#include "program/commands/reference.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "exploration/campaign/campaign_keys.h"
#include "exploration/studies/study_keys.h"
#include "program/commands/command.h"
#include "program/commands/manual.h"
#include "testbench/hardware_reference.h"
#include "testbench/recovery_comparison.h"
#include "testbench/reference.h"
#include "testbench/routing_table.h"
#include "testbench/statistics/results.h"

namespace flitmend {
namespace {

/// Text for a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

void append_section(std::string& text, const FileSection& section) {
  text += "\n### " + std::string(section.title) + "\n\n";
  if (!section.description.empty()) text += std::string(section.description) + "\n\n";
  text += "| key | default | values | meaning |\n|---|---|---|---|\n";
  for (const FileKey& key : section.keys)
    text += "| `" + cell(key.name) + "` | " + (key.fallback.empty() ? "–" : cell(key.fallback)) + " | " +
            cell(key.values) + " | " + cell(key.description) + " |\n";
}

}  // namespace

std::string program_reference() {
  std::string text = configuration_reference();
  text += "\n## Sweeps, studies and campaigns\n";
  for (const FileSection* section : {&sweep_keys(), &axis_keys(), &keep_keys(), &slurm_keys(), &study_keys(),
                                     &statement_keys(), &reference_keys(), &campaign_keys()})
    append_section(text, *section);
  return text;
}

void add_reference(CLI::App& program, Command& command) {
  CLI::App* reference =
      program.add_subcommand("reference", "Print the reference of all configuration keys, as Markdown.");
  struct Pages {
    bool statistics = false;
    bool hardware = false;
    bool recovery = false;
    bool routing = false;
    bool manual = false;
  };
  auto pages = std::make_shared<Pages>();
  auto* const statistics = reference->add_flag("--statistics", pages->statistics,
                                               "Instead: the keys of stats.json (docs/statistics.md).");
  auto* const hardware =
      reference->add_flag("--hardware", pages->hardware, "Instead: the register map (docs/hardware.md).")
          ->excludes(statistics);
  auto* const recovery =
      reference
          ->add_flag("--recovery", pages->recovery,
                     "Instead: what recovery protocols need (a section of docs/recovery.md).")
          ->excludes(statistics)
          ->excludes(hardware);
  auto* const routing =
      reference
          ->add_flag("--routing", pages->routing,
                     "Instead: what routing algorithms need and guarantee (a section of docs/routing.md).")
          ->excludes(statistics)
          ->excludes(hardware)
          ->excludes(recovery);
  reference->add_flag("--manual", pages->manual, "Instead: the manual page, for man(1).")
      ->excludes(statistics)
      ->excludes(hardware)
      ->excludes(recovery)
      ->excludes(routing);
  reference->callback([&command, &program, pages] {
    command.out << (pages->manual       ? manual_page(program)
                    : pages->statistics ? statistics_reference()
                    : pages->hardware   ? hardware_reference()
                    : pages->recovery   ? recovery_comparison_page()
                    : pages->routing    ? routing_table_page()
                                        : program_reference());
  });
}

}  // namespace flitmend
