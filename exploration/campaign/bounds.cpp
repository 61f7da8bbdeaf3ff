// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/bounds.h"

#include <algorithm>
#include <boost/algorithm/string/split.hpp>
#include <charconv>
#include <cmath>
#include <sstream>

#include "analysis/confidence.h"
#include "base/digest.h"
#include "base/errors.h"
#include "base/text.h"
#include "protocols/recovery/registry.h"

namespace flitmend {

Strata strata_of(const std::string& protocol, const Json& stats) {
  Strata strata;
  const auto rows = stats.find("hits");
  if (rows == stats.end()) return strata;
  for (const Json& row : *rows) {
    const auto text = [&](const char* key) { return row.at(key).get<std::string>(); };
    const auto number = [&](const char* key) { return row.at(key).get<std::uint64_t>(); };
    strata[{protocol, text("fault"), text("duration"), text("phase"), text("overlap")}] +=
        {number("hits"),
         number("delivered"),
         number("lost"),
         number("undeliverable"),
         number("guard_repaired"),
         number("failed"),
         row.value("in_flight", std::uint64_t{0})};
  }
  return strata;
}

void add(Strata& strata, const Strata& more) {
  for (const auto& [stratum, count] : more) strata[stratum] += count;
}

std::string why_impossible(const Stratum& s) {
  const RecoveryEntry& protocol = recovery_protocols().at(s.protocol);
  if (s.phase == "control" && !protocol.needs.control_messages) return "the protocol has no control messages";
  if (s.phase == "retransmission" && !protocol.traits.resends()) return "nothing is sent again";
  if (s.phase == "tail" && protocol.needs.padding)
    return "a padded message has arrived before its tail leaves the source, so its tail counts as a "
           "retransmission";
  if (s.phase == "absorption" && s.overlap == "one") return "a packet that is absorbed was hit before";
  return {};
}

double upper_bound(std::uint64_t failures, std::uint64_t trials, double confidence) {
  if (failures >= trials) return 1;
  const auto n = static_cast<double>(trials);
  const auto f = static_cast<double>(failures);
  if (failures == 0) return -std::expm1(std::log1p(-confidence) / n);
  return beta_quantile(f + 1, n - f, confidence);
}

namespace {

constexpr const char* kColumns =
    "protocol,fault,duration,phase,overlap,hits,lost,undeliverable,guard_repaired,in_flight,failed";
constexpr std::size_t kWords = 5, kCells = 11;
constexpr std::size_t kFingerprint = 64;                       // digits
constexpr std::uint64_t kMostCounted = 1'000'000'000'000'000;  // sums of counts cannot wrap

std::string rows_of(const Strata& strata, char between) {
  std::ostringstream rows;
  for (const auto& [s, c] : strata) {
    for (const std::string& word : {s.protocol, s.fault, s.duration, s.phase, s.overlap})
      rows << word << between;
    for (const std::uint64_t count : {c.hits, c.lost, c.undeliverable, c.guard_repaired, c.in_flight})
      rows << count << between;
    rows << c.failed << '\n';
  }
  return rows.str();
}

std::string fingerprint_of(const FoundBounds& found) {
  std::ostringstream numbers;
  numbers << found.runs << ' ' << found.messages << ' ' << found.broken_elsewhere << ' '
          << found.without_result << '\n';
  return sha256(numbers.str() + rows_of(found.strata, ' '));
}

template <class Words>
bool among(const Words& words, const std::string& word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool known(const Stratum& s) {
  return recovery_protocols().find(s.protocol) && among(kFaultParts, s.fault) &&
         among(kFaultDurations, s.duration) && among(kHitPhases, s.phase) && among(kOverlaps, s.overlap);
}

class BoundsReader {
 public:
  explicit BoundsReader(const std::string& name) { found_.name = name; }

  FoundBounds read(const std::string& csv) {
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line); ++line_) {
      if (line.ends_with('\r')) line.pop_back();
      if (line.starts_with("# "))
        read_sum(line.substr(2));
      else if (in_table_)
        read_row(line);
      else if (in_table_ = line == kColumns; !in_table_)
        refuse_file();
    }
    if (!in_table_) refuse_file();
    if (found_.fingerprint != fingerprint_of(found_))
      throw ConfigurationError(found_.name +
                               ": its numbers are not those of its fingerprint; restore the file");
    return std::move(found_);
  }

 private:
  void read_sum(const std::string& line) {
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, space), value = line.substr(std::min(space + 1, line.size()));
    if (name == "runs")
      found_.runs = static_cast<std::int64_t>(number(value));
    else if (name == "messages")
      found_.messages = number(value);
    else if (name == "broken_elsewhere")
      found_.broken_elsewhere = number(value);
    else if (name == "without_result")
      found_.without_result = number(value);
    else if (name == "fingerprint")
      found_.fingerprint = value;
    else if (name == "counts")
      read_counted(value);
    else
      refuse_file();
  }

  void read_counted(const std::string& value) {
    const Json name =
        value.size() > kFingerprint ? Json::parse(value.substr(kFingerprint), nullptr, false) : Json();
    if (!name.is_string()) refuse("does not name a campaign that is counted");
    found_.counts.push_back({name.get<std::string>(), value.substr(0, kFingerprint)});
  }

  void read_row(const std::string& line) {
    std::vector<std::string> cells;
    boost::split(cells, line, [](char c) { return c == ','; });
    if (cells.size() != kCells) refuse(formatted("has %1% cells instead of %2%", cells.size(), kCells));
    const Stratum stratum{cells[0], cells[1], cells[2], cells[3], cells[4]};
    if (!known(stratum)) refuse("is not a stratum of this version");
    HitCounts hits;
    std::size_t cell = kWords;
    for (std::uint64_t* const count :
         {&hits.hits, &hits.lost, &hits.undeliverable, &hits.guard_repaired, &hits.in_flight, &hits.failed})
      *count = number(cells[cell++]);
    if (!found_.strata.emplace(stratum, hits).second) refuse("repeats the stratum of an earlier row");
  }

  std::uint64_t number(const std::string& text) const {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > kMostCounted)
      refuse("has '" + text + "' for a count");
    return number;
  }

  [[noreturn]] void refuse(const std::string& wrong) const {
    throw ConfigurationError({found_.name, line_}, "the line " + wrong + "; restore the file");
  }
  [[noreturn]] void refuse_file() const {
    throw ConfigurationError(
        {found_.name, line_},
        "this is not a table of bounds; name a bounds.csv that `flitmend campaign` has written");
  }

  FoundBounds found_;
  int line_ = 1;
  bool in_table_ = false;  ///< the names of the columns have been read
};

}  // namespace

std::string bounds_csv(const FoundBounds& found) {
  std::ostringstream csv;
  csv << "# runs " << found.runs << "\n# messages " << found.messages << "\n# broken_elsewhere "
      << found.broken_elsewhere << "\n# without_result " << found.without_result << '\n';
  for (const CountedCampaign& c : found.counts)
    csv << "# counts " << c.fingerprint << ' ' << Json(c.name) << '\n';
  csv << "# fingerprint " << fingerprint_of(found) << '\n' << kColumns << '\n' << rows_of(found.strata, ',');
  return csv.str();
}

FoundBounds parse_bounds(const std::string& csv, const std::string& name) {
  return BoundsReader(name).read(csv);
}

}  // namespace flitmend
