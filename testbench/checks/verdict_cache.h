// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "testbench/checks/deadlock_check.h"
#include "testbench/checks/fault_sets_check.h"

namespace flitmend {

/// Verdicts of deadlock checks that took long, in files that all processes of a user share. Every file holds
/// its question in full, and a digest of all that is in it: one that is damaged, answers another question,
/// belongs to another user or contains an impossible verdict is ignored. A file that cannot be read or
/// written is not an error.
class VerdictCache {
 public:
  static constexpr std::chrono::milliseconds kLong{200};
  /// Beyond this number, the oldest files are removed.
  static constexpr std::size_t kMostFiles = 1000;

  /// Finds and keeps nothing.
  VerdictCache() = default;
  /// `program` identifies the build, whose verdicts no other build finds; empty: finds and keeps nothing.
  /// `least`: how long a check must have taken for its verdict to be kept.
  VerdictCache(std::filesystem::path folder, std::string program, std::chrono::milliseconds least = kLong);
  /// That of this program and its user: $XDG_CACHE_HOME/flitmend/verdicts, else ~/.cache/flitmend/verdicts;
  /// the empty one if neither is named, or the folder around it does not exist.
  static VerdictCache of_user();

  std::optional<DeadlockCheck> find(const std::string& question) const;
  void keep(const std::string& question, const DeadlockCheck&) const;

  /// The verdict that was kept, else that of `check`. question() is what the verdict depends on; none: there
  /// is nothing to keep. A verdict is kept if it took long, and the question is still the same.
  template <class Question, class Check>
  DeadlockCheck answer(const Question& question, const Check& check) const {
    const std::optional<std::string> before = program_.empty() ? std::nullopt : question();
    if (before)
      if (auto known = find(*before)) return std::move(*known);
    const auto began = std::chrono::steady_clock::now();
    DeadlockCheck verdict = check();
    if (before && std::chrono::steady_clock::now() - began >= least_ && question() == before)
      keep(*before, verdict);
    return verdict;
  }

 private:
  std::string full(const std::string& question) const;
  std::filesystem::path file_of(const std::string& full_question) const;
  void remove_oldest() const;

  std::filesystem::path folder_;
  std::string program_;
  std::chrono::milliseconds least_ = kLong;
};

/// Everything that a verdict about a configuration depends on, besides the program: the configuration as far
/// as it is checked, and digests of the files that it names. None if one cannot be read.
std::optional<std::string> verdict_question(const Configuration&);

/// check_deadlock, unless the verdict was kept.
DeadlockCheck deadlock_verdict(const Configuration&, ProofListener*, const VerdictCache&);

/// The same for check_fault_sets.
DeadlockCheck fault_sets_verdict(const Configuration&, FaultSets, ProofListener*, const VerdictCache&);

}  // namespace flitmend
