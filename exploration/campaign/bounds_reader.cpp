// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bounds_reader.h"

#include <algorithm>
#include <array>
#include <boost/format.hpp>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/errors.h"
#include "protocols/recovery/registry.h"

namespace flitmend {
namespace {

/// Cells of a table's row: protocol, fault, duration, phase, overlap, six counts, bound. Pages of earlier
/// versions have no hits in flight.
constexpr std::size_t kWords = 5, kCounts = 6, kCells = kWords + kCounts + 1;

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
  return recovery_protocols().find(s.protocol) && among(kFaultParts, s.fault) &&
         among(kFaultDurations, s.duration) && among(kHitPhases, s.phase) && among(kOverlaps, s.overlap);
}

constexpr std::size_t kInFlight = 4;      // of the counts
constexpr std::size_t kFingerprint = 64;  // digits
const std::string kUnknown(kFingerprint, '-');

std::string fingerprint_of(const FoundBounds& found) {
  std::ostringstream numbers;
  numbers << found.runs << ' ' << found.messages << ' ' << found.broken_elsewhere << ' '
          << found.without_result << '\n';
  for (const auto& [s, c] : found.strata)
    numbers << s.protocol << ' ' << s.fault << ' ' << s.duration << ' ' << s.phase << ' ' << s.overlap << ' '
            << c.hits << ' ' << c.lost << ' ' << c.undeliverable << ' ' << c.guard_repaired << ' '
            << c.in_flight << ' ' << c.failed << '\n';
  return sha256(numbers.str());
}

constexpr std::uint64_t kMostCounted = 1'000'000'000'000'000;  // sums of a table's counts cannot wrap

/// The number at the front of a text, which is removed; none if there is none, or it is above kMostCounted.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > kMostCounted) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Reads "N one, N two …": the numbers before these words, which follow each other.
template <std::size_t n>
bool read_numbers(std::string_view text, const std::array<std::string_view, n>& words,
                  std::array<std::uint64_t, n>& numbers) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = take_number(text);
    if (!number || !text.starts_with(words[i])) return false;
    text.remove_prefix(words[i].size());
    numbers[i] = *number;
  }
  return true;
}

class BoundsReader {
 public:
  explicit BoundsReader(const std::string& name) { found_.name = name; }

  FoundBounds read(const std::string& page) {
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line); ++line_) {
      if (line.ends_with('\r')) line.pop_back();
      read_line(line);
    }
    if (!summed_ || !failures_)
      throw ConfigurationError(
          found_.name + ": has no table of bounds; name a bounds.md that `flitmend campaign` has written");
    HitCounts all;
    for (const auto& [stratum, counts] : found_.strata) all += counts;
    const auto [runs, messages, hits, strata] = sums_;
    const auto [failed, broken, guard_repaired] = failed_;
    found_.runs = static_cast<std::int64_t>(runs);
    found_.messages = messages;
    found_.broken_elsewhere = broken;
    found_.fingerprint = fingerprint_of(found_);
    if (all.in_flight != in_flight_)
      throw ConfigurationError(found_.name + ": its table has " + std::to_string(all.in_flight) +
                               " hits in flight, and its first lines say " + std::to_string(in_flight_) +
                               "; restore the file");
    if (all.hits != hits || all.failed != failed || all.guard_repaired != guard_repaired ||
        found_.strata.size() != strata)
      throw ConfigurationError(
          found_.name +
          (boost::format(": its table has %1% hits in %2% strata, %3% of them failed and %4% repaired by the "
                         "guard, and its first lines say %5%, %6%, %7% and %8%; restore the file") %
           all.hits % found_.strata.size() % all.failed % all.guard_repaired % hits % strata % failed %
           guard_repaired)
              .str());
    return std::move(found_);
  }

 private:
  void read_line(const std::string& line) {
    constexpr std::string_view kOthers = "the others are those of ";
    if (!summed_) {
      summed_ = read_numbers<4>(line, {" runs, ", " messages, ", " hits in ", " strata."}, sums_);
    } else if (!failures_) {
      failures_ = read_numbers<3>(
          line, {" hits failed; ", " more runs broke the contract otherwise. ", " hits were repaired"},
          failed_);
    } else if (const std::size_t others = line.find(kOthers); others != std::string::npos) {
      read_counted(line.substr(others + kOthers.size()));
    } else if (std::array<std::uint64_t, 1> count{}; read_numbers<1>(line, {" runs have no result"}, count)) {
      found_.without_result = count[0];
    } else if (read_numbers<1>(line, {" hits were in flight"}, count)) {
      in_flight_ = count[0];
    } else {
      read_row(cells_of(line));
    }
  }

  /// Reads what counted_text() writes, or names without quotes, which earlier versions wrote.
  void read_counted(const std::string& list) {
    if (!list.starts_with('"')) {
      std::istringstream names(list);
      for (std::string name; names >> name;) {
        if (name.ends_with(',') || name.ends_with('.')) name.pop_back();
        found_.counts.push_back({name, ""});
      }
      return;
    }
    for (std::size_t at = 0; at < list.size() && list[at] == '"';) {
      std::size_t end = at + 1;
      while (end < list.size() && list[end] != '"') end += list[end] == '\\' ? 2 : 1;
      const Json name = Json::parse(list.substr(at, end + 1 - at), nullptr, false);
      if (!name.is_string() || list.compare(end + 1, 2, " (") != 0 || list.size() < end + 3 + kFingerprint)
        refuse_line("does not name the campaigns that are counted");
      const std::string fingerprint = list.substr(end + 3, kFingerprint);
      found_.counts.push_back({name.get<std::string>(), fingerprint == kUnknown ? "" : fingerprint});
      at = end + 3 + kFingerprint + std::string_view("), ").size();
    }
  }

  void read_row(const std::vector<std::string>& cells) {
    if (cells.empty() || !in_table_) {
      in_table_ =
          !cells.empty() && cells[0] == "protocol" && (cells.size() == kCells || cells.size() == kCells - 1);
      if (in_table_) cells_ = cells.size();
      return;
    }
    if (cells[0].starts_with("---")) return;
    if (cells.size() != cells_)
      refuse("has " + std::to_string(cells.size()) + " cells instead of " + std::to_string(cells_));
    const Stratum stratum{cells[0], cells[1], cells[2], cells[3], cells[4]};
    if (!known(stratum)) refuse("is not a stratum of this version");
    std::array<std::uint64_t, kCounts> counts{};
    const bool has_in_flight = cells_ == kCells;
    for (std::size_t i = 0, column = kWords; i < kCounts; ++i) {
      if (i == kInFlight && !has_in_flight) continue;
      const std::string& cell = cells[column++];
      std::string_view text = cell;
      if (i == 0 && text.ends_with('*')) text.remove_suffix(1);  // fewer hits than wanted
      const auto number = take_number(text);
      if (!number || !text.empty()) refuse("has '" + cell + "' for a count");
      counts[i] = *number;
      if (counts[i] > counts[0])
        refuse("has " + std::to_string(counts[i]) + " of " + std::to_string(counts[0]) + " hits");
    }
    HitCounts hits;
    hits.hits = counts[0], hits.lost = counts[1], hits.undeliverable = counts[2];
    hits.guard_repaired = counts[3], hits.in_flight = counts[kInFlight], hits.failed = counts[5];
    if (!found_.strata.emplace(stratum, hits).second) refuse("has a stratum that is above it too");
  }

  [[noreturn]] void refuse(const std::string& wrong) const { refuse_line("the row " + wrong); }
  [[noreturn]] void refuse_line(const std::string& wrong) const {
    throw ConfigurationError({found_.name, static_cast<int>(line_)}, wrong + "; restore the file");
  }

  FoundBounds found_;
  std::size_t line_ = 1;
  bool summed_ = false;    ///< "119497 runs, …" has been read
  bool failures_ = false;  ///< "0 hits failed; …" too
  bool in_table_ = false;
  std::size_t cells_ = 0;                ///< of a row
  std::uint64_t in_flight_ = 0;          ///< hits, as the first lines say
  std::array<std::uint64_t, 4> sums_{};  ///< runs, messages, hits, strata
  std::array<std::uint64_t, 3>
      failed_{};  ///< hits that failed, runs broken otherwise, hits that the guard repaired
};

}  // namespace

std::string counted_text(const std::vector<CountedCampaign>& counted) {
  std::string text;
  for (const CountedCampaign& c : counted)
    text += (text.empty() ? "" : ", ") + Json(c.name).dump() + " (" +
            (c.fingerprint.empty() ? kUnknown : c.fingerprint) + ")";
  return text;
}

FoundBounds parse_bounds(const std::string& page, const std::string& name) {
  return BoundsReader(name).read(page);
}

}  // namespace flitmend
