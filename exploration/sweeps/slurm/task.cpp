// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/task.h"

#include <algorithm>
#include <functional>

#include "base/errors.h"
#include "exploration/sweeps/runner.h"
#include "exploration/sweeps/slurm/manifest.h"
#include "testbench/files/output_folder.h"

namespace flitmend {

bool run_slurm_task(const std::filesystem::path& folder, std::size_t index, const std::string& version,
                    const std::atomic<bool>& stop) {
  const SlurmManifest manifest = read_manifest(folder);
  if (index >= manifest.tasks.size())
    throw ConfigurationError("the sweep in " + folder.string() + " has no task " + std::to_string(index));
  if (manifest.identity.version != version)
    throw ConfigurationError("the sweep in " + folder.string() + " was started by flitmend " +
                             manifest.identity.version + ", but this node has " + version);
  Sweep sweep = parse_sweep(manifest.identity.sweep, manifest.identity.sweep_name,
                            [&](const std::string&) { return manifest.identity.base; });
  sweep.folder = manifest.sweep_folder;
  const SweepPlan plan(sweep);
  const std::vector<std::int64_t>& units = manifest.tasks[index];
  if (std::adjacent_find(units.begin(), units.end(), std::greater_equal<>()) != units.end() ||
      (!units.empty() && (units.front() < 0 || units.back() >= plan.units())))
    throw ConfigurationError("task " + std::to_string(index) + " of the sweep in " + folder.string() +
                             " has units that the sweep does not have; submit it again with --slurm "
                             "--resume after removing its folder slurm");
  const std::filesystem::path own = task_folder(folder, index);
  prepare_output_folder(own);
  const FolderLock lock(own);
  SweepWriter writer = SweepWriter::resume(own, manifest.identity, {});
  return SweepRunner(plan, writer, own, static_cast<unsigned>(sweep.slurm.cpus_per_task),
                     manifest.use_cache ? VerdictCache::of_user() : VerdictCache())
      .run(units, nullptr, stop);
}

}  // namespace flitmend
