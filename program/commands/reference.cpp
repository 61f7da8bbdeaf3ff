// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "program/reference/pages.h"
#include "testbench/statistics/results.h"

namespace flitmend {

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
                                        : configuration_reference());
  });
}

}  // namespace flitmend
