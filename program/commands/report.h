// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend report DIR [-o FILE]`: one HTML file about a run, a sweep or a study.
void add_report(CLI::App& program, Command& command);

}  // namespace flitmend
