// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace flitmend {
struct Command;

/// `flitmend campaign CAMPAIGN.yaml --out DIR [--jobs N] [--slurm] [--resume] [--quiet]`: random faults until
/// every stratum of hits has enough, and the bound of each in DIR/bounds.md and DIR/bounds.csv.
void add_campaign(CLI::App& program, Command& command);

}  // namespace flitmend
