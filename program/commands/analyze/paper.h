// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend analyze paper NAME|--list`: a published table next to ours, with the difference and a verdict
/// per row.
void add_paper(CLI::App& analyze, Command& command);

}  // namespace flitmend
