// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/file_keys.h"

namespace flitmend {

const FileSection& sweep_keys() {
  static const FileSection section{
      "A sweep's file",
      "`flitmend sweep SWEEP.yaml`; docs/sweeps.md explains it.",
      {{"base", "", "a file, or sections",
        "Configuration that every point starts from; a file's name is relative to the "
        "sweep's folder."},
       {"axes", "", "a list of axes", "A point for each combination of theirs, the last axis fastest."},
       {"keep", "everything", "a section", "What of each point's results goes into the file."},
       {"slurm", "{}", "a section", "How a cluster runs the sweep."},
       {"timeout_seconds", "0", "0 to 1e9",
        "A point whose process takes longer is ended and recorded as timed-out; 0: "
        "none is."},
       {"allow_deadlock", "false", "true, false", "Runs points that are not proved free of deadlock."}}};
  return section;
}

const FileSection& axis_keys() {
  static const FileSection section{
      "An axis of a sweep",
      "One of: `key` with `values`, or with `from`, `to` and one of `step` and `count`; `keys` with `values` "
      "(zipped); "
      "`seeds`; `key: traffic.load` with `until: saturation`, `from` and `step`.",
      {{"name", "its keys", "a text", "How results call the axis."},
       {"seeds", "", "a count, or a list", "Values of `simulation.seed`: 1 to the count, or those."},
       {"key", "", "a dotted path", "Key of the configuration, or a section of it, that the axis sets."},
       {"keys", "", "a list of dotted paths",
        "Several keys that go together: each of the values is a list, one for each "
        "key."},
       {"until", "", "saturation",
        "The axis chooses its loads itself, upwards from `from` by `step` and then by "
        "halving, to where the network saturates."},
       {"values", "", "a list", "The points of the axis."},
       {"from", "", "a number", "First point of a range; lowest load of a search."},
       {"to", "", "a number",
        "Last point of a range; of a search, no load above it is tried (default: none is too "
        "high)."},
       {"step", "", "a number above 0",
        "Distance of two points of a range; of a search, of the first loads."},
       {"count", "", "1 or more", "Points of a range, equally far apart."},
       {"zero_load", "a fifth of `from`", "a load below `from`",
        "Where a search measures the latency without "
        "contention."}}};
  return section;
}

const FileSection& keep_keys() {
  static const FileSection section{
      "keep",
      "",
      {{"metrics", "[\"*\"]", "a list of globs",
        "Numbers of `stats.json`, by dotted name, that go into the table "
        "`metrics`."},
       {"stats", "true", "true, false", "Whether `stats.json` as a whole goes into the table `points`."}}};
  return section;
}

const FileSection& slurm_keys() {
  static const FileSection section{"slurm",
                                   "",
                                   {{"points_per_task", "at most 100 tasks", "1 to 1000000",
                                     "Points (curves, with `until: saturation`) of a task of "
                                     "the job array."},
                                    {"cpus_per_task", "1", "1 to 4096",
                                     "Processors that a task asks for, and points that it runs at a time."},
                                    {"options", "[]", "a list of texts", "More words for `sbatch`."}}};
  return section;
}

}  // namespace flitmend
