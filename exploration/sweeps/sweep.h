// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exploration/exhaustive/fault_space.h"
#include "exploration/sweeps/axis.h"
#include "testbench/configuration/file_folders.h"

namespace flitmend {

/// Section `keep`: which results of each point are stored.
struct SweepKeep {
  std::vector<std::string> metrics = {"*"};  ///< globs over dotted names
  bool stats = true;                         ///< stats.json as a whole
};

/// Section `slurm`: how a cluster runs the sweep.
struct SweepSlurm {
  std::int64_t points_per_task = 0;  ///< 0: as many as give at most 100 tasks
  std::int64_t cpus_per_task = 1;
  std::vector<std::string> options;  ///< arguments for sbatch
};

/// A sweep as its file describes it.
struct Sweep {
  std::string name;              ///< what messages call the file
  std::string text;              ///< of the file
  std::filesystem::path folder;  ///< of the file; absolute
  std::string base_name;         ///< what messages call the base configuration
  std::string base;              ///< its text
  DocumentNode base_document;
  std::vector<SweepAxis> axes;
  SweepKeep keep;
  SweepSlurm slurm;
  /// Files that decide which points are run, besides those that configurations name: digests by name.
  std::map<std::string, std::string> also_read;
  double timeout_seconds = 0;  ///< for a point's process; 0: none
  bool allow_deadlock = false;
  /// Every point is searched for failures instead of being run; none: it is run.
  std::optional<FaultSpace> exhaustive;
  /// Keys of axes whose points share their seeds, if the points of all other axes are to have seeds of their
  /// own. None: all points share the seeds of the axis of seeds.
  std::optional<std::vector<std::string>> seeds_shared_by;

  /// What the names of files in the sweep and in its base configuration are relative to.
  FileFolders folders() const;
  /// The axis with until: saturation; null if there is none.
  const SweepAxis* adaptive() const;
  /// The axis that sets simulation.seed alone; null if there is none.
  const SweepAxis* seed_axis() const;
};

/// Returns the text of the base configuration for its name in the sweep.
using BaseReader = std::function<std::string(const std::string& file)>;

/// Reads a sweep from its text. Throws ConfigurationError with all errors together, one line each with its
/// place, including keys and values of the axes and of the base configuration.
Sweep parse_sweep(const std::string& text, const std::string& name, const BaseReader&);

/// The same from a part of another document. `root` is at `path` in it ("sweeps.mesh"; empty: the whole
/// document), `name` is what messages call the file, and `text` identifies the results.
Sweep read_sweep(const DocumentNode& root, const std::string& path, const std::string& name,
                 const std::string& text, const BaseReader&);

/// The same from a file; the base configuration is relative to its folder.
Sweep load_sweep(const std::filesystem::path&);

}  // namespace flitmend
