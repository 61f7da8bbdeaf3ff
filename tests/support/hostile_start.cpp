// SPDX-License-Identifier: Apache-2.0
#include "support/hostile_start.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "base/text.h"
#include "program/program.h"
#include "support/files.h"
#include "testbench/run_end.h"

namespace flitmend::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

constexpr double kLongest =
    kSanitized ? 300 : 60;  // seconds of a start, on a machine that does other work too

/// In the child: nothing of the test's process is left but its memory.
[[noreturn]] void start(const HostileStart& hostile, const fs::path& folder) {
  setpgid(0, 0);
  const fs::path work = folder / "work";
  for (const auto& [name, descriptor] : {std::pair{"out.txt", 1}, {"err.txt", 2}}) {
    const int file = open((folder / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, descriptor) < 0) _exit(126);
  }
  if (const int nothing = open("/dev/null", O_RDONLY); nothing < 0 || dup2(nothing, 0) < 0) _exit(126);
  if (chdir(work.c_str()) != 0) _exit(126);
  setenv("HOME", (folder / "home").c_str(), 1);
  setenv("XDG_CACHE_HOME", "/proc/none", 1);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  for (const int number : {SIGXFSZ, SIGPIPE}) std::signal(number, SIG_IGN);
  const rlimit no_core{0, 0}, file_size{rlim_t{256} << 20, rlim_t{256} << 20};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_FSIZE, &file_size);
  if (!kSanitized) {
    const rlimit memory{rlim_t{4} << 30, rlim_t{4} << 30};
    setrlimit(RLIMIT_AS, &memory);
  }
  std::vector<const char*> words = {"flitmend"};
  for (const std::string& word : hostile.words) words.push_back(word.c_str());
  words.push_back(nullptr);
  install_report_handler();
  const ExitStatus status =
      run_program(static_cast<int>(words.size()) - 1, words.data(), std::cout, std::cerr);
  std::cout.flush();
  _exit(to_int(status));
}

/// Waits for the end of a child, up to kLongest. Nothing: it has not ended.
std::optional<int> wait_for(pid_t child) {
  const auto began = Clock::now();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() - began > std::chrono::duration<double>(kLongest)) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return status;
}

/// Whether the start limits its time. Damage may remove the limit, and a size of 50,000 x 3 nodes then takes
/// hours of honest work.
bool is_limited(const HostileStart& hostile) {
  if (hostile.words.front() == "check") return false;  // it has no limit
  for (const std::string& word : hostile.words)
    if (word.starts_with("simulation.time_limit_seconds=")) return true;
  for (const auto& [name, text] : hostile.files)
    if (text.find("\n    timeout_seconds: 10\n") != text.npos ||
        text.find("\ntimeout_seconds: 10\n") != text.npos)
      return true;
  return false;
}

/// Its exit status, minus the signal that ended it, or nothing if it had to be ended. One without a limit is
/// interrupted, as its user would do.
std::optional<int> end_of(const HostileStart& hostile, pid_t child) {
  std::optional<int> status = wait_for(child);
  if (!status && !is_limited(hostile)) {
    kill(child, SIGINT);
    status = wait_for(child);
  }
  if (status) return WIFEXITED(*status) ? WEXITSTATUS(*status) : -WTERMSIG(*status);
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return std::nullopt;
}

/// What a terminal would obey.
std::string fault_of_text(const std::string& stream, const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7f')
      return stream + " has the control character " + std::to_string(static_cast<int>(c));
  return "";
}

std::string fault_of_results(const fs::path& stats) {
  if (!fs::exists(stats)) return "";
  const auto json = nlohmann::json::parse(read_file(stats.string()), nullptr, false);
  if (json.is_discarded() || !json.contains("messages")) return "stats.json is not complete";
  const auto& m = json["messages"];
  const auto count = [&](const char* key) { return m.value(key, std::int64_t{0}); };
  const std::int64_t known =
      count("delivered") + count("lost") + count("undeliverable") + count("void") + count("in_flight");
  if (count("generated") == known) return "";
  return "of " + std::to_string(count("generated")) + " messages generated " + std::to_string(known) +
         " are accounted for";
}

std::string fault_of_files(const HostileStart& hostile, const fs::path& folder) {
  const std::set<std::string> ours = {"work", "out.txt", "err.txt"};
  for (const auto& entry : fs::directory_iterator(folder))
    if (!ours.contains(entry.path().filename().string()))
      return "wrote outside its folder: " + entry.path().filename().string();
  for (const auto& entry : fs::directory_iterator(folder / "work")) {
    const std::string name = entry.path().filename().string();
    if (!hostile.files.contains(name) && !hostile.outputs.contains(name)) return "wrote " + name;
  }
  for (const auto& [name, text] : hostile.files) {
    if (!fs::is_regular_file(folder / "work" / name)) return "removed " + name;
    if (read_file((folder / "work" / name).string()) != text) return "changed " + name;
  }
  return "";
}

std::string fault_of_end(std::optional<int> end, const std::string& err) {
  if (!end) return "does not end within " + std::to_string(static_cast<int>(kLongest)) + " s";
  if (*end < 0) return "ended by signal " + std::to_string(-*end);
  constexpr ExitStatus kDocumented[] = {ExitStatus::done,     ExitStatus::bad_usage,
                                        ExitStatus::deadlock, ExitStatus::unfinished,
                                        ExitStatus::unproved, ExitStatus::not_borne_out};
  for (const ExitStatus status : kDocumented)
    if (*end == to_int(status)) return "";
  return "ended with status " + std::to_string(*end) + ": " + err.substr(0, err.find('\n'));
}

/// What names one kind of fault: the text up to its details.
std::string kind_of(const std::string& fault) {
  return fault.substr(0, fault.find(": "));
}

/// Ways to make a text smaller: without each of its `parts` pieces of equal length.
std::vector<std::string> without_a_piece(const std::string& text, std::size_t parts) {
  std::vector<std::string> smaller;
  const std::size_t length = (text.size() + parts - 1) / parts;
  for (std::size_t at = 0; length > 0 && at < text.size(); at += length)
    smaller.push_back(text.substr(0, at) + text.substr(std::min(text.size(), at + length)));
  return smaller;
}

}  // namespace

std::string HostileStart::text() const {
  std::string text = "flitmend";
  for (const std::string& word : words) text += " " + shell_word(word);
  for (const auto& [name, content] : files) text += "\n--- " + name + ":\n" + content;
  return text;
}

std::string fault_of_refusal(const std::string& err) {
  static const std::regex place(
      "^flitmend: ("
      ".*:[0-9]+(:[0-9]+)?: |"                                // a line of a file
      "[^ ]*[.](yaml|graphml|csv|txt|bz2|json|sqlite):? |"    // a file as a whole
      ".*: this is an? |"                                     // a file of another kind
      "[a-z_]+([.][a-z_]+)+(\\[[0-9]+\\])*: |"                // a key
      "--[a-z]|[A-Z]+ '|unknown (command|option|study) |"     // a word of the command line
      ".*see flitmend |(help|list|study|analyze [a-z-]+): |"  // a command
      "cannot [a-z]+ [^ ]|there is no folder |.* is not a folder|nothing to report on in |no results of a "
      "sweep in |the sweep in |folder |trace '|"  // what cannot be used
      "[a-z-]+ is -?[0-9.]+[;:,]|(k-ary n-cube|mesh [^:]+|fault [^:]+|probability [a-z]+): )");  // a number
  static const std::regex remedy(
      "; |expected|did you mean|out of range|known: |given twice|set twice|overlap|must |write |choose "
      "|remove "
      "|exchange |combined |needs |not closed|indent |give |and [0-9]+ more|No such file|Is a directory|see "
      "flitmend|not well-formed|Permission denied|Not a directory|File name too long|belongs to");
  if (err.empty()) return "refused without a message";
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("flitmend: ")) return "a line of its refusal is not the program's: " + line;
    if (line.starts_with("flitmend:   ")) continue;
    if (!std::regex_search(line, place)) return "refused without place: " + line;
    if (!std::regex_search(line, remedy)) return "refused without remedy: " + line;
  }
  return "";
}

std::string fault_of(const HostileStart& hostile) {
  const TemporaryFolder scratch;
  const fs::path folder = fs::path(scratch / "").parent_path();
  fs::create_directory(folder / "work");
  for (const auto& [name, text] : hostile.files) write_file((folder / "work" / name).string(), text);
  std::cout.flush();
  std::cerr.flush();
  const pid_t child = fork();
  if (child == 0) start(hostile, folder);
  const std::optional<int> end = end_of(hostile, child);
  const std::string out = read_file((folder / "out.txt").string()),
                    err = read_file((folder / "err.txt").string());
  for (const std::string& fault :
       {fault_of_end(end, err), end == to_int(ExitStatus::bad_usage) ? fault_of_refusal(err) : "",
        fault_of_text("standard output", out), fault_of_text("standard error", err),
        fault_of_results(folder / "work" / "out" / "stats.json"), fault_of_files(hostile, folder)})
    if (!fault.empty()) return fault;
  return "";
}

HostileStart smallest(HostileStart hostile, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  const std::string kind = kind_of(fault_of(hostile));
  const auto take = [&](const HostileStart& smaller) {
    if (Clock::now() > end || kind_of(fault_of(smaller)) != kind) return false;
    hostile = smaller;
    return true;
  };
  for (bool smaller = true; smaller && Clock::now() < end;) {
    smaller = false;
    for (std::size_t i = hostile.words.size(); i-- > 1;) {
      HostileStart less = hostile;
      less.words.erase(less.words.begin() + static_cast<std::ptrdiff_t>(i));
      smaller = take(less) || smaller;
    }
    for (const auto& [name, text] : std::map(hostile.files))
      for (std::size_t parts = 2; parts <= 64 && Clock::now() < end; parts *= 2)
        for (const std::string& rest : without_a_piece(hostile.files.at(name), parts)) {
          HostileStart less = hostile;
          less.files[name] = rest;
          if (!take(less)) continue;
          smaller = true;
          break;
        }
  }
  return hostile;
}

}  // namespace flitmend::test
