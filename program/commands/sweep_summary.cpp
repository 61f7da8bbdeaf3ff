// SPDX-License-Identifier: Apache-2.0
#include "program/commands/sweep_summary.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/escaped_text.h"
#include "base/table.h"
#include "base/text.h"

namespace flitmend {
namespace {

std::map<PointStatus, std::size_t> count(const std::vector<PointRecord>& points) {
  std::map<PointStatus, std::size_t> counts;
  for (const PointRecord& p : points) ++counts[p.status];
  return counts;
}

std::string settings_text(const Json& axes) {
  std::string text;
  for (const auto& [key, value] : axes.items())
    text += (text.empty() ? "" : ", ") + key + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return escaped_text(text);
}

/// The points that went wrong, those of one status and reason together.
void print_failures(const std::vector<PointRecord>& points, std::ostream& out) {
  constexpr std::size_t kShown = 10;  // reasons
  std::vector<std::vector<const PointRecord*>> groups;
  std::map<std::pair<PointStatus, std::string>, std::size_t> group_of;
  for (const PointRecord& p : points) {
    if (p.status == PointStatus::done) continue;
    const std::string reason = p.message.substr(0, p.message.find('\n'));
    const auto [group, fresh] = group_of.try_emplace({p.status, reason}, groups.size());
    if (fresh) groups.emplace_back();
    groups[group->second].push_back(&p);
  }
  for (std::size_t g = 0; g < std::min(groups.size(), kShown); ++g) {
    const PointRecord& first = *groups[g].front();
    out << "point " << first.id << " (" << settings_text(first.axes) << ")";
    if (const std::size_t others = groups[g].size() - 1; others > 0)
      out << " and " << counted(others, "other") << " for the same reason";
    out << ": " << to_word(first.status) << ": "
        << escaped_text(first.message.substr(0, first.message.find('\n'))) << '\n';
  }
  if (groups.size() > kShown) out << "and " << counted(groups.size() - kShown, "reason") << " more\n";
}

std::string optional_text(const std::optional<double>& value) {
  return value ? formatted("%.4g", *value) : "-";
}

void print_curves(const std::vector<SaturationRecord>& curves, std::ostream& out) {
  if (curves.empty()) return;
  Table table{.columns = {{"curve"},
                          {"saturation load", Table::right},
                          {"throughput", Table::right},
                          {"zero-load latency", Table::right},
                          {""}}};
  for (const SaturationRecord& c : curves)
    table.add({settings_text(c.axes), optional_text(c.load), optional_text(c.throughput),
               optional_text(c.zero_load_latency), escaped_text(c.message)});
  out << '\n';
  out << table.text();
}

}  // namespace

void print_summary(const SweepReader& reader, std::ostream& out) {
  const std::vector<PointRecord> points = reader.points();
  out << points.size() << (points.size() == 1 ? " point" : " points") << " in "
      << escaped_text(reader.path().string());
  const char* separator = ": ";
  for (const auto& [status, number] : count(points)) {
    out << separator << number << ' ' << to_word(status);
    separator = ", ";
  }
  out << '\n';
  print_failures(points, out);
  print_curves(reader.saturation(), out);
}

ExitStatus exit_status_of(const SweepReader& reader) {
  const std::vector<PointRecord> points = reader.points();
  std::map<PointStatus, std::size_t> counts = count(points);
  const bool not_now = std::any_of(points.begin(), points.end(), [](const PointRecord& p) {
    return p.status == PointStatus::refused && p.exit_status == to_int(ExitStatus::unfinished);
  });
  if (counts[PointStatus::contract_broken] + counts[PointStatus::crashed]) return ExitStatus::contract_broken;
  if (counts[PointStatus::deadlock]) return ExitStatus::deadlock;
  if (counts[PointStatus::unfinished] + counts[PointStatus::timed_out] || not_now)
    return ExitStatus::unfinished;
  if (counts[PointStatus::refused] && !counts[PointStatus::done]) return ExitStatus::bad_usage;
  return ExitStatus::done;
}

}  // namespace flitmend
