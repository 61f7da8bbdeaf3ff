// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/verdict_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "base/checked_file.h"
#include "base/digest.h"
#include "base/errors.h"
#include "base/input_file.h"
#include "base/program_file.h"
#include "base/text.h"
#include "testbench/checks/class_check.h"
#include "testbench/files/input_files.h"

namespace flitmend {

namespace {

constexpr const char* kVerdictFormat = "flitmend verdict 1";
constexpr std::size_t kMostVerdictBytes = std::size_t{1} << 24;

/// Empty if no folder is named, or if more than its last part would have to be created: a home is not ours
/// to create.
std::filesystem::path cache_folder() {
  const auto absolute = [](const char* name) -> std::filesystem::path {
    const char* const value = std::getenv(name);
    return value && value[0] == '/' ? value : "";
  };
  std::filesystem::path folder = absolute("XDG_CACHE_HOME");
  if (folder.empty())
    if (const std::filesystem::path home = absolute("HOME"); !home.empty()) folder = home / ".cache";
  std::error_code error;
  if (folder.empty() || !std::filesystem::is_directory(folder.parent_path(), error)) return {};
  return folder / "flitmend" / "verdicts";
}

/// The content of a file of ours that nobody else can write; empty if it is anything else.
std::string own_text(const std::filesystem::path& path) {
  struct stat about {};
  if (lstat(path.c_str(), &about) != 0 || about.st_uid != geteuid() || (about.st_mode & S_IWOTH) != 0)
    return "";
  try {
    return read_input_file(path.string(), kMostVerdictBytes);
  } catch (const ConfigurationError&) {
    return "";
  }
}

/// Of the verdicts that a check can have; none: it is another number.
std::optional<ExitStatus> verdict_status(int number) {
  for (const ExitStatus status : {ExitStatus::done, ExitStatus::deadlock, ExitStatus::unproved})
    if (number == to_int(status)) return status;
  return std::nullopt;
}

/// The text after the first `count` lines.
std::string after_lines(const std::string& text, unsigned count) {
  std::size_t at = 0;
  for (; count > 0; --count) {
    at = text.find('\n', at);
    if (at == text.npos) return "";
    ++at;
  }
  return text.substr(at);
}

}  // namespace

VerdictCache::VerdictCache(std::filesystem::path folder, std::string program, std::chrono::milliseconds least)
    : folder_(std::move(folder)), program_(std::move(program)), least_(least) {}

VerdictCache VerdictCache::of_user() {
  std::filesystem::path folder = cache_folder();
  return folder.empty() ? VerdictCache() : VerdictCache(std::move(folder), build_id());
}

std::string VerdictCache::full(const std::string& question) const {
  return "program " + program_ + '\n' + question;
}

std::filesystem::path VerdictCache::file_of(const std::string& full_question) const {
  return folder_ / sha256(full_question);
}

// A file: the format, a digest of what follows the first two lines, a line of numbers (exit status, bytes of
// the question and of the verdict), then question, verdict and details.
std::optional<DeadlockCheck> VerdictCache::find(const std::string& question) const {
  if (program_.empty()) return std::nullopt;
  const std::string asked = full(question);
  const std::string text = own_text(file_of(asked));
  const std::string content = after_lines(text, 2);
  if (text.substr(0, text.size() - content.size()) !=
      std::string(kVerdictFormat) + '\n' + sha256(content) + '\n')
    return std::nullopt;
  std::istringstream numbers(content);
  int number = 0;
  std::size_t question_bytes = 0, verdict_bytes = 0;
  if (!(numbers >> number >> question_bytes >> verdict_bytes)) return std::nullopt;
  const std::optional<ExitStatus> status = verdict_status(number);
  const std::string texts = after_lines(content, 1);
  if (!status || question_bytes != asked.size() || texts.compare(0, question_bytes, asked) != 0 ||
      verdict_bytes > texts.size() - question_bytes)
    return std::nullopt;
  return DeadlockCheck{.status = *status,
                       .verdict = texts.substr(question_bytes, verdict_bytes),
                       .details = texts.substr(question_bytes + verdict_bytes),
                       .from_cache = true};
}

void VerdictCache::keep(const std::string& question, const DeadlockCheck& check) const {
  if (program_.empty()) return;
  const std::string asked = full(question);
  std::error_code error;
  const auto kind = std::filesystem::symlink_status(file_of(asked), error).type();
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found) return;
  const std::string content =
      formatted("%1% %2% %3%\n", to_int(check.status), asked.size(), check.verdict.size()) + asked +
      check.verdict + check.details;
  try {
    std::filesystem::create_directories(folder_);
    write_checked(file_of(asked), std::string(kVerdictFormat) + '\n' + sha256(content) + '\n' + content);
    remove_oldest();
  } catch (const WriteError&) {  // no room, no permission: the next check proves it again
  } catch (const std::filesystem::filesystem_error&) {
  }
}

void VerdictCache::remove_oldest() const {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    std::error_code gone;  // another process may have removed it
    const auto time = entry.last_write_time(gone);
    if (!gone) files.emplace_back(time, entry.path());
  }
  if (files.size() <= kMostFiles) return;
  std::sort(files.begin(), files.end());
  std::error_code ignored;
  for (std::size_t i = 0; i < files.size() - kMostFiles; ++i)
    std::filesystem::remove(files[i].second, ignored);
}

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
  const std::vector<NetworkKind> networks = network_kinds(c);
  std::vector<DeadlockCheck> checks;
  for (const NetworkKind& network : networks)
    checks.push_back(cache.answer(
        [&] {
          return question_about(kind == FaultSets::single ? "single faults" : "double link faults",
                                network.configuration);
        },
        [&] { return check_fault_sets(network.configuration, kind, listener); }));
  return together(networks, checks);
}

}  // namespace flitmend
