// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend rtl CONFIG.yaml [--set KEY=VALUE]… [--state-bits N] [--package NAME]`: prints the bits of a flit
/// as a SystemVerilog package (FlitCodec). No simulation.
void add_rtl(CLI::App& program, Command& command);

}  // namespace flitmend
