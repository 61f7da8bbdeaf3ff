// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/errors.h"
#include "exploration/report/page.h"
#include "exploration/sweeps/records.h"
#include "support/files.h"
#include "support/message_of.h"
#include "testbench/statistics/channel_statistic.h"
#include "testbench/statistics/results.h"

namespace flitmend::test {

inline constexpr PlottingLibrary kNoDrawing{"var vega;", "var vegaLite;", "Licence: do as you like."};

inline std::string report(const TemporaryFolder& folder) {
  return report_html(folder / "", kNoDrawing);
}
inline std::string error_of(const std::string& folder) {
  return message_of<ConfigurationError>([&] { report_html(folder, kNoDrawing); });
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// The data of the figures, as a browser reads it.
inline Json figures_of(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"figures\">";
  const std::size_t at = html.find(begin) + begin.size();
  return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

/// The two channels of a 2x1 mesh.
inline std::shared_ptr<const OptionalStatistic> channels(const std::string& from, const std::string& port) {
  return std::make_shared<ChannelStatistic>(
      std::vector<ChannelResults>{ChannelResults::measured(from, port, "router_1", 50, 100),
                                  ChannelResults::measured("router_1", "dim0_minus", "router_0", 25, 100)});
}

/// A 2x1 mesh with one channel each way.
inline Results small_results() {
  Results r;
  r.simulation.measured_cycles = 100;
  r.messages = {.generated = 1001, .delivered = 1001};
  r.traffic.accepted = 0.25;
  r.latency.total.count = 1001;
  r.latency.total.mean = 31.25;
  r.latency.total.ci95 = 0.5;
  r.latency.total.p50 = 30;
  r.latency.total.p95 = 40;
  r.latency.total.p99 = 41;
  r.latency.total.histogram = HistogramResults{{30, 40, 4000}, {600, 400, 1}};
  r.optional = {channels("router_0", "dim0_plus")};
  return r;
}

inline void write_run(const TemporaryFolder& folder, const Results& results,
                      const std::string& config = "network: {topology: mesh, size: [2]}\n") {
  write_file(folder / "stats.json", to_json(results));
  write_file(folder / "config.yaml", config);
}

}  // namespace flitmend::test
