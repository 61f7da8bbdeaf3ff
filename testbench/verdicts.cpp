// SPDX-License-Identifier: Apache-2.0
#include "testbench/verdicts.h"

#include "base/digest.h"
#include "base/errors.h"
#include "base/input_file.h"
#include "protocols/routing/table.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{1} << 28;

std::optional<std::string> question_about(const char* what, const Configuration& c) {
  std::optional<std::string> question = verdict_question(c);
  if (question) question->insert(0, std::string(what) + '\n');
  return question;
}

}  // namespace

std::optional<std::string> verdict_question(const Configuration& c) {
  std::string text = deadlock_check_key(c);
  try {
    // A graph that is given as it is, is part of the configuration.
    const std::string graph = c.network.graph.find('<') == std::string::npos ? c.network.graph : "";
    for (const std::string& file : {graph, table_file(c.routing)})
      text += (file.empty() ? "-" : sha256(read_input_file(file, kMostFileBytes))) + '\n';
  } catch (const ConfigurationError&) {
    return std::nullopt;
  }
  return text;
}

DeadlockCheck deadlock_verdict(const Configuration& c, ProofListener* listener, const VerdictCache& cache) {
  return cache.answer([&] { return question_about("deadlock", c); },
                      [&] { return check_deadlock(c, listener); });
}

DeadlockCheck fault_sets_verdict(const Configuration& c, FaultSets kind, ProofListener* listener,
                                 const VerdictCache& cache) {
  return cache.answer(
      [&] { return question_about(kind == FaultSets::single ? "single faults" : "double link faults", c); },
      [&] { return check_fault_sets(c, kind, listener); });
}

}  // namespace flitmend
