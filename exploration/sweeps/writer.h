// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exploration/sweeps/database.h"
#include "exploration/sweeps/records.h"

namespace flitmend {

/// What a results file is the results of; two sweeps are the same when these are.
struct SweepIdentity {
  std::string version;  ///< of flitmend
  std::string base;     ///< text of the base configuration
  std::string base_name;
  std::string sweep;  ///< text of the sweep
  std::string sweep_name;
};

/// Writes results.sqlite of one sweep; one writer at a time. Every call is one transaction, on the disk when
/// it returns. Throws WriteError where it cannot be written.
class SweepWriter {
 public:
  /// A new file for this sweep; the folder is there. Throws ConfigurationError where it has results already.
  static SweepWriter create(const std::filesystem::path& folder, const SweepIdentity&,
                            const std::vector<AxisRecord>&);
  /// The file of an earlier start, or a new one where there is none. Throws ConfigurationError where its
  /// results are those of another sweep, version or schema.
  static SweepWriter resume(const std::filesystem::path& folder, const SweepIdentity&,
                            const std::vector<AxisRecord>&);

  /// Throws what resume would of a file that is there; changes nothing.
  static void check_resumable(const std::filesystem::path& folder, const SweepIdentity&);

  struct Finished {
    PointRecord point;
    HostRecord host;
  };
  /// Adds points; those that are there already stay as they are.
  void add(const std::vector<Finished>&);
  void set_saturation(const SaturationRecord&);
  /// Nothing is missing any more.
  void set_complete();

  /// Identifiers of the points that are there.
  std::set<std::int64_t> finished() const;

 private:
  explicit SweepWriter(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  std::unique_ptr<Database> database_;
};

}  // namespace flitmend
