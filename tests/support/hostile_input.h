// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "base/errors.h"
#include "exploration/sweeps/child_process.h"
#include "exploration/sweeps/point_run.h"
#include "testbench/configuration/configuration.h"
#include "testbench/run_end.h"
#include "topologies/registry.h"

namespace flitmend {

/// Counts what is tried, and what comes of it.
class HostileInput : public testing::Test {
 protected:
  // Seconds without progress.
#ifdef __SANITIZE_ADDRESS__
  static constexpr double kLongest = 50;
#else
  static constexpr double kLongest = 5;
#endif
  void TearDown() override {
    std::cout << tried_ << " inputs: " << accepted_ << " accepted, " << run_
              << " of them run; the slowest took " << slowest_ << " s\n";
  }

  /// Calls `read`, which accepts or throws; what is thrown must be about one of these sources.
  template <class Read>
  bool accepts(const std::string& input, const std::set<std::string>& sources, const Read& read) {
    ++tried_;
    const auto began = std::chrono::steady_clock::now();
    bool accepted = false;
    try {
      read();
      accepted = true;
    } catch (const ConfigurationError& error) {
      expect_useful(error.what(), sources, input);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not a refusal: " << error.what() << "\n--- input:\n" << input;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
    slowest_ = std::max(slowest_, seconds.count());
    EXPECT_LT(seconds.count(), kLongest) << input;
    accepted_ += accepted;
    return accepted;
  }

  /// Runs the accepted configuration for a few cycles, in a process of its own.
  void run(Configuration configuration, const std::string& input) {
    constexpr NodeId kMostNodes = 256;
    if (make_topology(configuration.network)->node_count() > kMostNodes) return;
    if (configuration.hardware.router.virtual_channels * configuration.hardware.router.input_buffer > 4096)
      return;
    ++run_;
    configuration.simulation.max_cycles = 300;
    configuration.simulation.time_limit_seconds = 3;
    configuration.waves.enabled = false;
    ChildProcess process([&] { return run_point(configuration, ""); });
    const auto began = std::chrono::steady_clock::now();
    while (!process.read()) {
      if (std::chrono::steady_clock::now() - began > std::chrono::seconds(30)) {
        ADD_FAILURE() << "does not end:\n" << input;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const ChildProcess::End end = process.end();
    ASSERT_TRUE(end.answer) << "signal " << end.signal << ", status " << end.exit_status << "\n" << input;
    const Json answer = Json::parse(*end.answer);
    const int status = answer["exit_status"].get<int>();
    EXPECT_TRUE(status == to_int(ExitStatus::done) || status == to_int(ExitStatus::unfinished) ||
                status == to_int(ExitStatus::deadlock))
        << status << ": " << answer["message"] << "\n"
        << input;
  }

  int tried_ = 0;
  int accepted_ = 0;
  int run_ = 0;
  double slowest_ = 0;

 private:
  /// Every line begins with a place, names no control character and says what would be right.
  static void expect_useful(const std::string& message, const std::set<std::string>& sources,
                            const std::string& input) {
    static const std::regex remedy(
        "; |expected|did you mean|out of range|known: |given twice|set twice|overlap|must |write |choose "
        "|remove |exchange |combined |needs |not closed|indent |"
        "give |and [0-9]+ more|No such file|Is a directory");
    std::istringstream lines(message);
    for (std::string line; std::getline(lines, line);) {
      const bool placed = std::any_of(sources.begin(), sources.end(), [&](const std::string& source) {
        return line.starts_with(source + ":") || line.starts_with("  ");
      });
      EXPECT_TRUE(placed) << "no place: " << line << "\n--- input:\n" << input;
      EXPECT_TRUE(std::regex_search(line, remedy) || line.starts_with("  "))
          << "no remedy: " << line << "\n--- input:\n"
          << input;
      EXPECT_EQ(line.find('\x1b'), line.npos) << line;
    }
    EXPECT_FALSE(message.empty()) << input;
  }
};

}  // namespace flitmend
