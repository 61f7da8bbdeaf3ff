// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze TOOL …`: closed forms and graph engines. A tool is a file pair in this folder with
///   void add_NAME(CLI::App& analyze, Command& command)
/// and one line in analyze.cpp. Its callback throws ConfigurationError for bad input.
void add_analyze(CLI::App& program, Command& command);

}  // namespace flitmend
