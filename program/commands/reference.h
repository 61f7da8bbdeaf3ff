// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend reference`, hidden from --help: prints the generated reference page, for the build.
void add_reference(CLI::App& program, Command& command);

}  // namespace flitmend
