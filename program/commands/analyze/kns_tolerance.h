// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze kns-tolerance`: which combinations of faulty links a KNS network tolerates.
void add_kns_tolerance(CLI::App& analyze, Command& command);

}  // namespace flitmend
