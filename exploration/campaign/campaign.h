// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/campaign/bounds.h"
#include "exploration/sweeps/file_keys.h"
#include "exploration/sweeps/sweep.h"

namespace flitmend {

/// A campaign as its file describes it.
struct Campaign {
  std::string name;  ///< what messages call the file
  /// All runs that it may choose from: seeds, then the axes of the file, then the protocols, so that unit =
  /// seed · combinations + combination.
  Sweep sweep;
  std::int64_t hits = 3000;  ///< enough for a stratum
  double confidence = 0.95;
  std::int64_t runs = 1000;  ///< most of a combination
  std::int64_t first_seed = 1;
  std::vector<std::string> protocols;
  // Strata with these are to have enough hits; empty: all.
  std::vector<std::string> durations;
  std::vector<std::string> overlaps;
  std::vector<FoundBounds> earlier;  ///< campaigns whose hits count with those of this one

  bool wants(const Stratum&) const;
};

/// Reads a campaign from its text. Throws ConfigurationError with all errors, one line each with its place.
Campaign parse_campaign(const std::string& text, const std::string& name, const BaseReader&);

/// The same from a file; the base configuration is relative to its folder.
Campaign load_campaign(const std::filesystem::path&);

/// The keys of a campaign file.
const FileSection& campaign_keys();

}  // namespace flitmend
