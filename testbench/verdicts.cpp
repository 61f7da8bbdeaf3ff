// SPDX-License-Identifier: Apache-2.0
#include "testbench/verdicts.h"

#include "base/errors.h"
#include "testbench/input_files.h"

namespace flitmend {
namespace {

std::optional<std::string> question_about(const char* what, const Configuration& c) {
  std::optional<std::string> question = verdict_question(c);
  if (question) question->insert(0, std::string(what) + '\n');
  return question;
}

}  // namespace

std::optional<std::string> verdict_question(const Configuration& c) {
  std::string text = deadlock_check_key(c);
  try {
    for (const InputFileResults& file : digests_of(network_files(c)))
      text += file.key + ' ' + file.sha256 + '\n';
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
