// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/checked_file.h"
#include "base/errors.h"

namespace flitmend {

void prepare_output_folder(const std::filesystem::path& folder) {
  const auto refuse = [&](const std::error_code& reason) {
    throw ConfigurationError("cannot write to output folder " + folder.string() + ": " + reason.message() +
                             "; choose another folder with --out");
  };
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) refuse(error);
  if (!std::filesystem::is_directory(folder)) refuse(std::make_error_code(std::errc::not_a_directory));
  std::filesystem::path probe;
  const int descriptor = create_temporary(folder / ".probe", probe);
  if (descriptor < 0) refuse({errno, std::generic_category()});
  close(descriptor);
  unlink(probe.c_str());
}

FolderLock::FolderLock(const std::filesystem::path& folder) {
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw ConfigurationError("cannot open folder " + folder.string() + ": " +
                             std::generic_category().message(errno));
  // The points of a sweep that was killed hold the lock for a moment longer.
  constexpr int kTries = 20;
  for (int i = 0; flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++i) {
    // A file system without locks: the user has to start only one run or sweep at a time.
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (i == kTries) {
      close(descriptor_);
      throw ConfigurationError("another run or sweep is writing to " + folder.string() +
                               "; wait until it ends, or choose another folder with --out");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

namespace {

namespace fs = std::filesystem;

/// The files that a run and a report on it write.
constexpr const char* kResults[] = {"stats.json",  "config.yaml", kCheckFile,  "events.csv", "messages.csv",
                                    "report.html", "waves.vcd",   "waves.fst", "waves.gtkw"};
constexpr const char* kResultFolder = "waves.filters";

bool is_missing(const fs::path& folder) {
  std::error_code error;
  return !fs::exists(folder, error);
}

const fs::path& prepared(const fs::path& folder) {
  prepare_output_folder(folder);
  return folder;
}

void refuse_foreign_results(const fs::path& folder) {
  for (const auto& [file, owner] : {std::pair{"results.sqlite", "sweep"}, {"study.sqlite", "study"}})
    if (std::error_code error; fs::exists(folder / file, error))
      throw ConfigurationError("folder " + folder.string() + " holds the results of a " + owner + " (" +
                               file + "); choose another one with --out");
}

void refuse_own_configuration(const fs::path& folder, const fs::path& configuration_file) {
  std::error_code error;
  if (fs::equivalent(folder / "config.yaml", configuration_file, error))
    throw ConfigurationError("the run would write its effective configuration over its own, " +
                             configuration_file.string() + "; choose another folder with --out");
}

void refuse_own_inputs(const fs::path& folder, const std::vector<InputFile>& inputs) {
  std::error_code error;
  for (const InputFile& input : inputs) {
    bool lost = fs::equivalent(fs::path(input.path).parent_path(), folder / kResultFolder, error);
    for (const char* name : kResults) lost |= fs::equivalent(folder / name, input.path, error);
    if (lost)
      throw ConfigurationError(std::string(input.key) + ": the run would write over " + input.path +
                               ", which it reads; choose another folder with --out");
  }
}

void refuse_in_the_way(const fs::path& path, bool folder) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_directory(status) == folder) return;
  throw ConfigurationError("cannot write " + path.string() + ": " +
                           std::generic_category().message(folder ? ENOTDIR : EISDIR) +
                           "; remove it, or choose another output folder");
}

[[noreturn]] void refuse_to_leave(const fs::path& path, const std::error_code& error) {
  throw ConfigurationError("cannot remove " + path.string() + ", the result of an earlier run: " +
                           error.message() + "; remove it, or choose another folder with --out");
}

/// Removes a regular file, even one that a symbolic link leads to. Leaves anything else (a pipe, a device).
void remove_file(const fs::path& path) {
  const fs::path target = link_target(path);
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (!fs::status_known(status)) refuse_to_leave(target, error);
  if (!fs::is_regular_file(status)) return;
  fs::remove(target, error);
  if (error) refuse_to_leave(target, error);
}

/// What is in a folder; nothing if there is no such folder.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    paths.push_back(i->path());
  if (error && error != std::errc::no_such_file_or_directory) refuse_to_leave(folder, error);
  return paths;
}

/// Removes the temporary files of a run that was killed.
void remove_temporary_files(const fs::path& folder) {
  for (const fs::path& path : entries_of(folder)) {
    const std::string name = path.filename().string();
    const auto is_temporary = [&](const char* file) { return is_temporary_name(name, file); };
    if (std::any_of(std::begin(kResults), std::end(kResults), is_temporary) && !fs::is_symlink(path))
      remove_file(path);
  }
}

/// Removes the filters of a view; then their folder, if nothing else is in it.
void remove_filters(const fs::path& folder) {
  for (const fs::path& path : entries_of(folder)) {
    const std::string name = path.filename().string();
    const std::string file = name.substr(0, name.rfind(".tmp"));
    if (fs::path(file).extension() == ".filter" && (name == file || is_temporary_name(name, file)))
      remove_file(path);
  }
  std::error_code error;
  if (fs::is_symlink(folder, error) || !fs::is_empty(folder, error) || error) return;
  fs::remove(folder, error);
  if (error) refuse_to_leave(folder, error);
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder, const fs::path& configuration_file,
                     const std::vector<InputFile>& inputs)
    : created_(is_missing(folder)), folder_(prepared(folder)), lock_(folder) {
  refuse_foreign_results(folder);
  refuse_own_configuration(folder, configuration_file);
  refuse_own_inputs(folder, inputs);
  for (const char* name : kResults) refuse_in_the_way(folder / name, false);
  refuse_in_the_way(folder / kResultFolder, true);
}

RunFolder::~RunFolder() {
  std::error_code error;
  if (created_) fs::remove(folder_, error);  // fails if it is not empty
}

void RunFolder::remove_results() const {
  for (const char* name : kResults) remove_file(folder_ / name);
  remove_temporary_files(folder_);
  remove_filters(folder_ / kResultFolder);
}

}  // namespace flitmend
