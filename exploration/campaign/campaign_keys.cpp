// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign_keys.h"

namespace flitmend {

const FileSection& campaign_keys() {
  static const FileSection section{
      "Campaign file",
      "For `flitmend campaign CAMPAIGN.yaml`; see docs/campaign.md.",
      {{"base", "", "a file, or sections", "Configuration that every run starts from, as in a sweep file."},
       {"axes", "", "a list of axes",
        "Hardware, traffic and faults to combine, as in a sweep file; without seeds and "
        "`recovery.protocol`."},
       {"protocols", "all", "a list of recovery protocols",
        "Protocols to test, each with every combination."},
       {"hits", "3000", "1 to 1000000000", "Hits to collect per protocol and stratum."},
       {"durations", "all", "a list of transient, permanent",
        "Strata to fill; hits in others are counted as they come."},
       {"overlaps", "all", "a list of one, at-once, in-sequence",
        "Strata to fill; hits in others are counted as they come."},
       {"earlier", "none", "a list of files",
        "`bounds.csv` of earlier campaigns, relative to this file: their hits count with those of this one. "
        "Give "
        "this one a `first_seed` above all of theirs, or it may make the same runs again."},
       {"confidence", "0.95", "0.5 to 0.999999", "One-sided confidence level of the bounds."},
       {"runs", "1000", "1 to 1000000", "Maximum number of runs per combination."},
       {"first_seed", "1", "1 to 1000000000", "`simulation.seed` of the first run of a combination."},
       {"slurm", "{}", "a section", "How a cluster runs the campaign, as in a sweep file."},
       {"timeout_seconds", "0", "0 to 1e9",
        "A run that takes longer is killed and counts as failed; 0: no limit."},
       {"allow_deadlock", "false", "true, false", "Run combinations that are not proved free of deadlock."}}};
  return section;
}

}  // namespace flitmend
