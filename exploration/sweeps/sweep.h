// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "exploration/sweeps/axis.h"

namespace flitmend {

/// keep: … — what of each point's results goes into the file.
struct SweepKeep {
  std::vector<std::string> metrics = {"*"};  ///< globs over dotted names
  bool stats = true;                         ///< stats.json as a whole
};

/// slurm: … — how a cluster runs the sweep.
struct SweepSlurm {
  std::int64_t points_per_task = 0;  ///< 0: such that there are at most 100 tasks
  std::int64_t cpus_per_task = 1;
  std::vector<std::string> options;  ///< words for sbatch
};

/// A sweep as its file describes it.
struct Sweep {
  std::string name;       ///< how messages call the file
  std::string text;       ///< of the file
  std::string base_name;  ///< how messages call the base configuration
  std::string base;       ///< its text
  std::vector<SweepAxis> axes;
  SweepKeep keep;
  SweepSlurm slurm;
  double timeout_seconds = 0;  ///< of a point's process; 0: none
  bool allow_deadlock = false;

  /// The axis "until: saturation", null where there is none.
  const SweepAxis* adaptive() const;
};

/// Gives the text of the base configuration for the name in the sweep.
using BaseReader = std::function<std::string(const std::string& file)>;

/// Reads a sweep from its text. Throws ConfigurationError: everything that is wrong together, a line each
/// with its place, keys and values of the axes and of the base configuration included.
Sweep parse_sweep(const std::string& text, const std::string& name, const BaseReader&);

/// The same from a part of another document: `root` stands at `path` there ("sweeps.mesh"; empty: it is the
/// document), `name` is how messages call the file, `text` is what the results are known by.
Sweep read_sweep(const DocumentNode& root, const std::string& path, const std::string& name,
                 const std::string& text, const BaseReader&);

/// The same from a file; the base configuration's name is relative to its folder.
Sweep load_sweep(const std::filesystem::path&);

/// Puts the place of each value where a message speaks of "--set #1", "--set #2", … .
std::string with_places(std::string message, const std::vector<std::string>& places);

}  // namespace flitmend
