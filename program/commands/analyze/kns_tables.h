// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze kns-tables`: sizes of routing tables for intermediate nodes.
void add_kns_tables(CLI::App& analyze, Command& command);

}  // namespace flitmend
