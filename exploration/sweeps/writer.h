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

/// What identifies the results of a sweep; two sweeps are the same if these are equal.
struct SweepIdentity {
  std::string version;  ///< of flitmend
  std::string base;     ///< text of the base configuration
  std::string base_name;
  std::string sweep;  ///< text of the sweep
  std::string sweep_name;
  std::string files = {};  ///< the other files that it names, with digests (named_files)
};

/// Writes results.sqlite of one sweep; only one writer at a time. Every call is one transaction, on disk when
/// it returns. Throws WriteError if it cannot be written.
class SweepWriter {
 public:
  /// Creates the file for this sweep; the folder must exist. Throws ConfigurationError if it already has
  /// results.
  static SweepWriter create(const std::filesystem::path& folder, const SweepIdentity&,
                            const std::vector<AxisRecord>&);
  /// Opens the file of an earlier start, or creates it. Points that the machine could not run then count as
  /// missing again. Rows without their point, after an edit by hand, are removed. Throws ConfigurationError
  /// if the results belong to another sweep, version or schema.
  static SweepWriter resume(const std::filesystem::path& folder, const SweepIdentity&,
                            const std::vector<AxisRecord>&);

  /// Throws what resume would throw for an existing file; changes nothing.
  static void check_resumable(const std::filesystem::path& folder, const SweepIdentity&);

  struct Finished {
    PointRecord point;
    HostRecord host;
  };
  /// How long each call waits for programs that read or write the file before it throws BusyError; 10 s at
  /// first.
  void set_patience(std::chrono::milliseconds patience) { database_->set_patience(patience); }
  /// Adds points; existing ones stay unchanged.
  void add(const std::vector<Finished>&);
  void set_saturation(const SaturationRecord&);
  /// Marks the sweep as complete.
  void set_complete();

  /// Ids of the recorded points.
  std::set<std::int64_t> finished() const;

 private:
  explicit SweepWriter(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  void mend(const std::vector<AxisRecord>&);

  std::unique_ptr<Database> database_;
};

}  // namespace flitmend
