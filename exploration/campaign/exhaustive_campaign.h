// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/sweeps/file_keys.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/sweep.h"

namespace flitmend {

/// A campaign that tries every fault, as its file describes it, as a sweep whose points are searched: the
/// combinations of its axes with every protocol. The base or an axis has traffic.messages. Throws
/// ConfigurationError with all errors, one line each with its place.
Sweep parse_exhaustive_campaign(const std::string& text, const std::string& name, const BaseReader&);
/// The same from a file; the base configuration is relative to its folder.
Sweep load_exhaustive_campaign(const std::filesystem::path&);
/// The keys of the file.
const FileSection& exhaustive_campaign_keys();

/// The smallest case of a kind of failure under a protocol: fewest messages, then flits, faults, and cycles
/// to its last fault.
struct SmallestFailure {
  std::string protocol;
  std::string kind;  ///< "frozen"
  std::string what;
  std::uint64_t cases = 0;    ///< of this kind, in all scenarios
  std::string configuration;  ///< YAML: it repeats the case
};

/// What a campaign has found so far.
struct ExhaustiveResults {
  std::string table;  ///< Markdown: one line per protocol, and the sum
  std::string csv;    ///< the same counts
  std::vector<SmallestFailure> failures;
};
ExhaustiveResults exhaustive_results(const SweepReader&);

}  // namespace flitmend
