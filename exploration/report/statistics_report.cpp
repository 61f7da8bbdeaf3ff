// SPDX-License-Identifier: Apache-2.0
// Pictures of statistics.timeline and statistics.blocking.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/escaped_text.h"
#include "base/text.h"
#include "exploration/report/network_map.h"
#include "exploration/report/sections.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

std::string svg_begin(double width, double height) {
  return formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$.0f\" height=\"%2$.0f\" viewBox=\"0 0 %1$.0f "
      "%2$.0f\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" "
      "fill=\"white\"/>\n",
      width, height);
}

/// A quantity of a slice of time.
struct Series {
  const char* key;
  const char* words;
  const char* colour;
};

/// A panel of the time line: quantities of one unit over the cycles.
class Panel {
 public:
  static constexpr double kWidth = 760, kHeight = 120, kLeft = 60, kPitch = 160;

  Panel(const Json& slices, std::vector<Series> series) : series_(std::move(series)) {
    for (const Json& json : slices) {
      const StoredStats slice(json);
      const double begin = slice.number("begin").value_or(0), cycles = slice.number("cycles").value_or(0);
      last_ = std::max(last_, begin + cycles);
      for (std::size_t i = 0; i < series_.size(); ++i)
        if (const auto value = slice.number(series_[i].key)) {
          steps_[i].push_back({begin, begin + cycles, *value});
          most_ = std::max(most_, *value);
        }
    }
  }
  bool empty() const { return last_ <= 0; }
  std::string svg(double top) const {
    const auto x = [&](double cycle) { return kLeft + cycle / last_ * kWidth; };
    const auto y = [&](double value) { return top + kHeight - (most_ > 0 ? value / most_ * kHeight : 0); };
    std::string text = formatted(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
        "stroke=\"#c8c8c8\"/>\n",
        kLeft, top, kWidth, kHeight);
    const auto label = [&](double at_x, double at_y, const char* anchor, const std::string& words) {
      text +=
          formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, words);
    };
    label(kLeft - 5, top + 9, "end", rounded_text(most_, 4));
    label(kLeft - 5, top + kHeight, "end", "0");
    label(kLeft, top + kHeight + 13, "start", "cycle 0");
    label(kLeft + kWidth, top + kHeight + 13, "end", rounded_text(last_, 12));
    double legend = kLeft;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      text += formatted("<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"", series_[i].colour);
      double end = -1;
      for (const Step& step : steps_[i]) {
        text += formatted("%s%.1f,%.1f H%.1f ",
                          step.begin == end ? "V" + formatted("%.1f ", y(step.value)) + "M" : "M",
                          x(step.begin), y(step.value), x(step.end));
        end = step.end;
      }
      text += "\"/>\n" + formatted("<rect x=\"%.1f\" y=\"%.1f\" width=\"10\" height=\"3\" fill=\"%s\"/>\n",
                                   legend, top - 8, series_[i].colour);
      label(legend + 14, top - 4, "start", series_[i].words);
      legend += 30 + 6.5 * static_cast<double>(std::string_view(series_[i].words).size());
    }
    return text;
  }

 private:
  struct Step {
    double begin, end, value;
  };
  std::vector<Series> series_;
  std::array<std::vector<Step>, 2> steps_;
  double last_ = 0, most_ = 0;
};

/// From white over yellow to red.
std::string heat(double share) {
  const auto level = [](double value) {
    return static_cast<unsigned>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  };
  return formatted("rgb(%1%,%2%,%3%)", 255u, level(1.15 - share), level(1 - 3 * share));
}

struct Cause {
  const char* key;
  const char* words;
};
constexpr Cause kCauses[] = {
    {"route", "a route"},   {"vc", "a virtual channel"}, {"acknowledgement", "an acknowledgement"},
    {"credit", "a credit"}, {"switch", "the switch"},    {"link", "the link"}};

double all_waits(const StoredStats& router) {
  double sum = 0;
  for (const Cause& cause : kCauses) sum += router.number(cause.key).value_or(0);
  return sum;
}

std::string heat_map(const NetworkMap& map, const std::map<std::string, double>& waits, double most) {
  constexpr double kPitch = 64, kRouterRadius = 20;
  MapPoint low = map.nodes.front().at, high = low;
  for (const NetworkMap::Node& node : map.nodes) {
    low = {std::min(low.x, node.at.x), std::min(low.y, node.at.y)};
    high = {std::max(high.x, node.at.x), std::max(high.y, node.at.y)};
  }
  std::string text = svg_begin((high.x - low.x + 1) * kPitch, (high.y - low.y + 1) * kPitch);
  for (const NetworkMap::Node& node : map.nodes) {
    const auto found = waits.find(node.name);
    const double value = found == waits.end() ? 0 : found->second;
    const double x = (node.at.x - low.x + .5) * kPitch, y = (high.y - node.at.y + .5) * kPitch;
    text += formatted(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"#808080\"><title>%s: %.0f "
        "cycles</title></circle>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
        x, y, kRouterRadius, heat(most > 0 ? value / most : 0), html_escaped(node.name), value, x, y + 4,
        html_escaped(node.label));
  }
  return text + "</svg>\n";
}

}  // namespace

void add_time_line(ReportPage& page, const StoredStats& stats) {
  const Json* const slices = stats.find("timeline");
  if (!slices || !slices->is_array() || slices->empty()) return;
  const Panel panels[] = {
      {*slices,
       {{"offered", "offered flits per node and cycle", "#9c9c9c"}, {"accepted", "accepted", "#1f77b4"}}},
      {*slices, {{"mean", "mean latency of what arrives, cycles", "#d62728"}}},
      {*slices, {{"in_flight", "flits in the network", "#2ca02c"}}}};
  if (panels[0].empty()) return;
  std::string svg = svg_begin(Panel::kLeft + Panel::kWidth + 20, std::size(panels) * Panel::kPitch + 10);
  double top = 22;
  for (const Panel& panel : panels) {
    svg += panel.svg(top);
    top += Panel::kPitch;
  }
  page.heading("Time line");
  page.drawing(
      "The run over time",
      formatted(
          "The run in %1%, from cycle 0 to its end: what nodes offered and what arrived, the mean latency "
          "of the messages that arrived in each slice, and the mean number of flits in the network.",
          counted(slices->size(), "slice")),
      svg + "</svg>\n");
}

void add_blocking(ReportPage& page, const StoredStats& stats, const Topology* topology) {
  constexpr std::size_t kMostDrawn = 4096, kMostListed = 200;
  const Json* const routers = stats.find("blocking.routers");
  if (!routers || !routers->is_array() || routers->empty()) return;
  std::map<std::string, double> waits;
  std::vector<StoredStats> rows;
  double most = 0;
  for (const Json& json : *routers) {
    rows.emplace_back(json);
    most = std::max(most, waits[rows.back().text("router")] = all_waits(rows.back()));
  }
  page.heading("Blocking");
  std::string words = "Cycles that the first flits of buffers waited in the measured window:";
  for (const Cause& cause : kCauses)
    words += std::string(&cause == kCauses ? " " : ", ") + stats.text(std::string("blocking.") + cause.key) +
             " for " + cause.words;
  words += ". The darker a router, the longer they waited there.";
  if (topology && topology->router_count() == rows.size() && rows.size() <= kMostDrawn) {
    const NetworkMap map = network_map(*topology);
    page.drawing("Where flits waited", words + (map.note.empty() ? "" : " " + map.note),
                 heat_map(map, waits, most));
  } else {
    page.paragraph(words);
  }
  std::ranges::stable_sort(rows, std::greater<>(), all_waits);
  Table table{"Routers, the longest waits first", {{"router"}}, {}};
  if (rows.size() > kMostListed) table.title += formatted(" (%1% of %2%)", kMostListed, rows.size());
  for (const Cause& cause : kCauses)
    table.columns.push_back({cause.key, Table::right, std::string("Cycles for ") + cause.words});
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), kMostListed)), rows.end());
  for (const StoredStats& row : rows) {
    table.rows.push_back({row.text("router")});
    for (const Cause& cause : kCauses) table.rows.back().push_back(row.text(cause.key));
  }
  page.table(table, true);
}

}  // namespace flitmend
