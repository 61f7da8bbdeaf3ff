// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

namespace flitmend {

/// Says on a terminal what is being done, with the seconds that have passed, while work that reports no
/// progress of its own lasts. Shows nothing for the first second; erases the line at the end. Nothing else
/// may write to the terminal meanwhile.
class BusyLine {
 public:
  /// `shown`: see shows_progress().
  BusyLine(std::ostream& terminal, bool shown, std::string text);
  BusyLine(const BusyLine&) = delete;
  BusyLine& operator=(const BusyLine&) = delete;
  ~BusyLine();

 private:
  void show(std::ostream& terminal, const std::string& text);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;  ///< guarded by mutex_
  std::thread thread_;
};

}  // namespace flitmend
