// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/program.h"

namespace flitmend {

/// Tests that run the program over a configuration of their own.
class ProgramFixture : public testing::Test {
 protected:
  /// Status of the program with these words; its output in out_ and err_.
  int start(const std::vector<std::string>& words, const ProgramProcess::Options& options = {}) {
    ProgramProcess process(words, options);
    const int status = process.wait();
    out_ = process.out();
    err_ = process.err();
    return status;
  }
  /// Status of `flitmend run`, and of `flitmend check`, over that text.
  int run(const std::string& text, const std::vector<std::string>& more = {},
          const ProgramProcess::Options& options = {}) {
    std::vector<std::string> words = {"run", folder_.write("c.yaml", text), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return start(words, options);
  }
  int check(const std::string& text, const std::vector<std::string>& more = {},
            const ProgramProcess::Options& options = {}) {
    std::vector<std::string> words = {"check", folder_.write("c.yaml", text)};
    words.insert(words.end(), more.begin(), more.end());
    return start(words, options);
  }
  nlohmann::ordered_json stats(const std::string& name) const {
    return nlohmann::ordered_json::parse(read_file(folder_ / name + "/stats.json"));
  }
  /// A message about a place in the configuration.
  std::string at(const std::string& rest) const { return "flitmend: " + (folder_ / "c.yaml") + rest + "\n"; }

  ScratchFolder folder_;
  std::string out_;
  std::string err_;
};

}  // namespace flitmend
