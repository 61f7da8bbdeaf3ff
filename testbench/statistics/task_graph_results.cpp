// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/task_graph_results.h"

#include <algorithm>

#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {

void TaskResults::visit(ResultsVisitor& v) const {
  v.value({"name", "", "Name of the task."}, name);
  v.value({"node", "", "Its node."}, node);
  v.value({"firings", "", "Times that it has computed and sent: once per iteration."}, firings);
  v.value({"busy", "cycles", "Cycles that it computed in these firings."}, busy);
  v.value({"unfinished", "", "Why it did not fire in every iteration; empty: it did."}, unfinished);
}

void TaskGraphResults::visit(ResultsVisitor& v) const {
  v.value({"iterations", "", "Iterations that the run was to execute (`traffic.iterations`)."}, iterations);
  v.value({"complete", "", "Iterations in which every task has fired and every message has arrived."},
          complete);
  v.value({"makespan", "cycles",
           "The last cycle of the last iteration, counted from 0; null if an iteration is not complete."},
          makespan);
  v.value({"first", "cycles", "The last cycle of the first iteration."}, first);
  v.value({"throughput", "1/cycle",
           "Iterations per cycle: those that became complete after the first one, per cycle from then to the "
           "end of the last one; null if there are none."},
          throughput);
  v.value(
      {"missing", "",
       "Why the first iteration that is not complete is not: lost messages and dead tasks; empty if all are, "
       "or if the run was cut short."},
      missing);
  visit_list(v, {"tasks", "", "Each task, in the order of the file."}, tasks);
}

std::string TaskGraphResults::text() const {
  const auto shown = [](const auto& number, const char* format) {
    return number ? formatted(format, *number) : std::string("-");
  };
  std::string out = formatted(
      "task graph   %d of %d iterations complete; makespan %s cycles, first iteration %s; %s iterations per "
      "cycle\n",
      complete, iterations, shown(makespan, "%d"), shown(first, "%d"), shown(throughput, "%.6f"));
  if (!missing.empty()) out += "             incomplete: " + escaped_text(missing) + "\n";
  constexpr std::size_t kMost = 20;
  out += formatted("%-16s %10s %9s %10s\n", "tasks", "node", "firings", "busy");
  for (std::size_t i = 0; i < std::min(tasks.size(), kMost); ++i) {
    const TaskResults& t = tasks[i];
    out += formatted("  %-14s %10d %9d %10d%s\n", escaped_text(t.name), t.node, t.firings, t.busy,
                     t.unfinished.empty() ? "" : "  unfinished: " + escaped_text(t.unfinished));
  }
  if (tasks.size() > kMost)
    out += formatted("             … and %d more in stats.json\n", tasks.size() - kMost);
  return out;
}

}  // namespace flitmend
