// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze kary-ncube-model`: the queueing model of Software-Based routing.
void add_kary_ncube_model(CLI::App& analyze, Command& command);

}  // namespace flitmend
