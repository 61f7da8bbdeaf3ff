// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/statistics/results_visitor.h"

namespace flitmend {

/// What a task of a task graph did.
struct TaskResults {
  std::string name;
  std::uint64_t node = 0;
  std::uint64_t firings = 0;  ///< that have ended
  std::uint64_t busy = 0;     ///< cycles
  std::string unfinished;     ///< why it has not fired in every iteration; empty: it has
  void visit(ResultsVisitor&) const;
};

/// Iterations of a task graph. Figures of none are undefined.
struct TaskGraphResults {
  std::uint64_t iterations = 0;
  std::uint64_t complete = 0;
  std::optional<std::uint64_t> makespan;
  std::optional<std::uint64_t> first;
  std::optional<double> throughput;
  std::string missing;  ///< why the first iteration that is not complete is not
  std::vector<TaskResults> tasks;
  void visit(ResultsVisitor&) const;
  /// Lines of the summary.
  std::string text() const;
};

}  // namespace flitmend
