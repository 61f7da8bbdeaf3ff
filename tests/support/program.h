// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace flitmend {

/// The program as a process of its own, as a user starts it.
class ProgramProcess {
 public:
  struct Options {
    std::string out;        ///< file that standard output goes to; empty: a temporary one
    bool terminal = false;  ///< standard error is a terminal
    long file_limit = 0;    ///< bytes that a file may have, 0: any number
    std::string folder;     ///< working folder; empty: the caller's
  };

  /// Starts it with these words behind its name.
  explicit ProgramProcess(const std::vector<std::string>& words) : ProgramProcess(words, Options()) {}
  ProgramProcess(const std::vector<std::string>& words, const Options&);
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;
  ~ProgramProcess();

  void signal(int number);
  pid_t process() const { return process_; }
  /// Waits for its end; the exit status, or minus the signal that killed it.
  int wait();

  /// What it wrote; after wait().
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

 private:
  std::filesystem::path out_file_;
  std::filesystem::path err_file_;
  bool out_is_ours_ = false;
  int terminal_ = -1;
  pid_t process_ = -1;
  std::string out_;
  std::string err_;
};

/// A folder of its own for a test, removed with it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Writes a file and returns its name.
  std::string write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  std::vector<std::string> files() const;  ///< names, sorted

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path&);

}  // namespace flitmend
