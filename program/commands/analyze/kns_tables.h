// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze kns-tables`: what routing tables of intermediate nodes take.
void add_kns_tables(CLI::App& analyze, Command& command);

}  // namespace flitmend
