// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/deadlock_report.h"

#include "base/errors.h"
#include "exploration/report/deadlock_picture.h"
#include "testbench/fault_notes.h"
#include "testbench/verdicts.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

constexpr const char* kTitle = "What the deadlock check has found";

const char* words_of(DeadlockFinding finding) {
  switch (finding) {
    case DeadlockFinding::deadlock:
      return "A deadlock that the routing allows: solid channels are held by the message with that number, "
             "dashed ones are those for which it waits. Point at a channel to see its virtual channels.";
    case DeadlockFinding::order:
      return "The order of the proof: a message that holds a channel waits only for channels of lower rank, "
             "so the one at the lowest rank can always go on. Grey channels are no part of the proof. Point "
             "at a channel to see the ranks of its virtual channels.";
    case DeadlockFinding::cycle:
      return "The cycle that prevents a proof: each channel depends on the next one, the last on the first. "
             "Point at a channel to see its virtual channels.";
    case DeadlockFinding::nothing:
      break;
  }
  return "";
}

}  // namespace

void add_deadlock(ReportPage& page, const Configuration& c, const VerdictCache& cache, bool picture) {
  page.heading("Deadlock");
  try {
    const std::uint64_t channels = make_topology(c.network)->channel_count();
    const bool drawn = picture && channels <= kMostReportedChannels;
    std::string words, svg;
    const DeadlockCheck check =
        drawn ? check_deadlock(c, nullptr,
                               [&](const DeadlockAnalysis& analysis, const RoutingFunction& routing,
                                   const ChannelMap& map, const std::string& verdict) {
                                 words = words_of(finding_of(analysis));
                                 if (!words.empty()) svg = deadlock_picture(analysis, routing, map, verdict);
                               })
              : deadlock_verdict(c, nullptr, cache);
    if (check.status == ExitStatus::done)
      page.paragraph(check.verdict + ".");
    else
      page.warning(check.verdict + ".");
    if (!svg.empty())
      page.drawing(kTitle, words, svg);
    else if (picture && !drawn)
      page.paragraph("With " + std::to_string(channels) + " channels there is no picture here, but up to " +
                     std::to_string(kMostReportedChannels) +
                     "; flitmend check --picture draws larger networks.");
    const std::string faults = fault_notes(c);
    page.listing("flitmend check", check.details + (faults.empty() ? "" : "\n" + faults), true);
  } catch (const ConfigurationError& e) {
    page.paragraph(std::string("The configuration cannot be checked here: ") + e.what());
  }
}

}  // namespace flitmend
