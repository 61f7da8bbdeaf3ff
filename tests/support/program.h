// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace flitmend {

/// The program in its own process, as a user starts it.
class ProgramProcess {
 public:
  struct Options {
    std::string out;               ///< file for standard output; empty: a temporary file
    bool terminal = false;         ///< standard error is a terminal
    long file_limit = 0;           ///< largest file size in bytes; 0: unlimited
    std::size_t memory_limit = 0;  ///< bytes of address space; 0: unlimited
    std::string folder;            ///< working folder; empty: the caller's
    std::string cache;             ///< of its user; empty: a place where nothing can be kept
  };

  /// Starts it with these arguments.
  explicit ProgramProcess(const std::vector<std::string>& words) : ProgramProcess(words, Options()) {}
  ProgramProcess(const std::vector<std::string>& words, const Options&);
  ProgramProcess(const ProgramProcess&) = delete;
  ProgramProcess& operator=(const ProgramProcess&) = delete;
  ~ProgramProcess();

  void signal(int number);
  /// Reads the terminal until this text arrives or the program ends. False if it does not arrive.
  bool wait_for(const std::string& text);
  pid_t process() const { return process_; }
  bool running() const;
  /// Waits for its end; the exit status, or minus the signal that killed it.
  int wait();

  /// Its output; call after wait().
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

 private:
  bool read_terminal();

  std::filesystem::path out_file_;
  std::filesystem::path err_file_;
  bool out_is_ours_ = false;
  int terminal_ = -1;
  pid_t process_ = -1;
  std::string out_;
  std::string err_;
};

/// A folder for one test, removed with this object.
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
