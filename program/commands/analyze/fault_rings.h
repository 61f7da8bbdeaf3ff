// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze fault-rings`: the probability that a minimal path of an n-dimensional mesh meets a fault
/// region or its ring, exactly and by random paths.
void add_fault_rings(CLI::App& analyze, Command& command);

}  // namespace flitmend
