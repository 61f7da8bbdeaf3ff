// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// The page: keys and names of configurations, keys of sweeps and of studies, from their declarations.
std::string program_reference();

/// `flitmend reference`, hidden from --help: prints the generated reference page, for the build.
void add_reference(CLI::App& program, Command& command);

}  // namespace flitmend
