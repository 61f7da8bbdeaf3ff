// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bounds_reader.h"

#include <algorithm>
#include <boost/format.hpp>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <sstream>
#include <vector>

#include "base/errors.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

/// Cells of a table's row: protocol, fault, duration, phase, overlap, five counts, bound.
constexpr std::size_t kWords = 5, kCounts = 5, kCells = kWords + kCounts + 1;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (line.empty() || line[0] != '|') return cells;
  std::istringstream row(line.substr(1));
  for (std::string cell; std::getline(row, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

template <class Words>
bool among(const Words& words, const std::string& word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool known(const Stratum& s) {
  const auto& protocols = recovery_protocols().entries();
  return std::any_of(protocols.begin(), protocols.end(),
                     [&](const auto& p) { return p.name == s.protocol; }) &&
         among(kFaultParts, s.fault) && among(kFaultDurations, s.duration) && among(kHitPhases, s.phase) &&
         among(kOverlaps, s.overlap);
}

class BoundsReader {
 public:
  explicit BoundsReader(const std::string& name) { found_.name = name; }

  FoundBounds read(const std::string& page) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line); ++line_) read_line(line);
    if (!summed_ || !failures_)
      fail("has no table of bounds; name a bounds.md that `flitmend campaign` has written");
    HitCounts all;
    for (const auto& [stratum, counts] : found_.strata) all += counts;
    if (all.hits != hits_ || all.failed != failed_ || all.guard_repaired != guard_repaired_ ||
        found_.strata.size() != strata_)
      fail((boost::format(
                "its table has %1% hits in %2% strata, %3% of them failed and %4% repaired by the guard, and "
                "its first lines say %5%, %6%, %7% and %8%; restore the file") %
            all.hits % found_.strata.size() % all.failed % all.guard_repaired % hits_ % strata_ % failed_ %
            guard_repaired_)
               .str());
    return std::move(found_);
  }

 private:
  void read_line(const std::string& line) {
    std::uint64_t broken = 0;
    if (!summed_) {
      summed_ = std::sscanf(line.c_str(),
                            "%" SCNd64 " runs, %" SCNu64 " messages, %" SCNu64 " hits in %" SCNu64 " strata.",
                            &found_.runs, &found_.messages, &hits_, &strata_) == 4;
    } else if (!failures_) {
      failures_ =
          std::sscanf(line.c_str(),
                      "%" SCNu64 " hits failed; %" SCNu64 " more runs broke the contract otherwise. %" SCNu64,
                      &failed_, &broken, &guard_repaired_) == 3;
      found_.broken_elsewhere = broken;
    } else if (const std::vector<std::string> cells = cells_of(line); cells.size() == kCells) {
      read_row(cells);
    }
  }

  void read_row(const std::vector<std::string>& cells) {
    if (cells[0] == "protocol" || cells[0].starts_with("---")) return;
    const Stratum stratum{cells[0], cells[1], cells[2], cells[3], cells[4]};
    if (!known(stratum)) fail_here("is not a stratum of this version");
    std::uint64_t counts[kCounts];
    for (std::size_t i = 0; i < kCounts; ++i) {
      std::string text = cells[kWords + i];
      if (i == 0 && text.ends_with('*')) text.pop_back();  // fewer hits than wanted
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), counts[i]);
      if (error != std::errc() || end != text.data() + text.size())
        fail_here("has '" + text + "' for a count");
    }
    HitCounts hits;
    hits.hits = counts[0], hits.lost = counts[1], hits.undeliverable = counts[2];
    hits.guard_repaired = counts[3], hits.failed = counts[4];
    if (!found_.strata.emplace(stratum, hits).second) fail_here("has a stratum that is above it too");
  }

  [[noreturn]] void fail(const std::string& wrong) const {
    throw ConfigurationError(found_.name + ": " + wrong);
  }
  [[noreturn]] void fail_here(const std::string& wrong) const {
    fail("line " + std::to_string(line_) + " " + wrong);
  }

  FoundBounds found_;
  std::size_t line_ = 1;
  bool summed_ = false;    ///< "119497 runs, …" has been read
  bool failures_ = false;  ///< "0 hits failed; …" too
  std::uint64_t hits_ = 0, strata_ = 0, failed_ = 0, guard_repaired_ = 0;
};

}  // namespace

FoundBounds parse_bounds(const std::string& page, const std::string& name) {
  return BoundsReader(name).read(page);
}

}  // namespace flitmend
