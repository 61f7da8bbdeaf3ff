// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/text.h"
#include "exploration/report/deadlock_picture.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/checks/verdict_cache.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

constexpr std::chrono::seconds kLongestProof{2};
constexpr const char* kTitle = "What the deadlock check has found";

std::string too_large(std::uint64_t channels) {
  return formatted("Not drawn: the network has %1% channels, and reports draw at most %2%", channels,
                   kMostReportedChannels);
}

const char* words_of(DeadlockFinding finding) {
  switch (finding) {
    case DeadlockFinding::deadlock:
      return "A deadlock that the routing allows: solid channels are held by the message with that number, "
             "dashed ones are those for which it waits. Point at a channel to see its virtual channels.";
    case DeadlockFinding::order:
      return "The order of the proof: a message that holds a channel waits only for channels of lower rank, "
             "so the one at the lowest rank can always go on. Grey channels are not part of the proof. Point "
             "at a channel to see the ranks of its virtual channels.";
    case DeadlockFinding::cycle:
      return "The cycle that prevents a proof: each channel depends on the next one, the last on the first. "
             "Point at a channel to see its virtual channels.";
    case DeadlockFinding::nothing:
      break;
  }
  return "";
}

/// Ends a check that would make the reader of a report wait.
class ShortProof final : public ProofListener {
 public:
  void begin_step(std::string_view) override {}
  void update(std::uint64_t, std::uint64_t) override {}
  bool stop() const override { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + kLongestProof;
};

/// What a check of the configuration finds now, in a short time.
struct ShortCheck {
  std::optional<DeadlockCheck> found;
  std::string words;  ///< about the picture
  std::string svg;    ///< empty: nothing to draw
  std::string why;    ///< why there is no picture, or nothing was found: a paragraph; empty: there is one
};

ShortCheck check_shortly(const Configuration& c, const VerdictCache& cache) {
  ShortCheck check;
  ShortProof patience;
  bool shows_free = true;
  try {
    const std::uint64_t channels = make_topology(c.network)->channel_count();
    if (channels > kMostReportedChannels) {
      check.why = too_large(channels) + "; flitmend check --picture draws larger networks.";
      check.found = deadlock_verdict(c, &patience, cache);
      return check;
    }
    check.found = check_deadlock(c, &patience,
                                 [&](const DeadlockAnalysis& analysis, const RoutingFunction& routing,
                                     const ChannelMap& map, const std::string& verdict) {
                                   // Of several virtual networks, the first that is not free.
                                   const bool free = analysis.verdict == DeadlockVerdict::free;
                                   if (!check.words.empty() && (free || !shows_free)) return;
                                   shows_free = free;
                                   check.words = words_of(finding_of(analysis));
                                   if (!check.words.empty())
                                     check.svg = deadlock_picture(analysis, routing, map, verdict);
                                 });
  } catch (const Interrupted&) {
    if (check.why.empty())
      check.why =
          formatted("Not drawn: the check takes longer than %1% s; flitmend check --picture draws it.",
                    kLongestProof.count());
  } catch (const ConfigurationError& e) {
    check.why = std::string("The configuration cannot be checked here: ") + e.what();
  }
  return check;
}

/// Nothing where the configuration cannot be checked.
std::string notes_on(const Configuration& c) {
  try {
    const std::string changing = changing_routes_note(c);
    return fault_notes(c) + (changing.empty() ? "" : "Faults: " + changing + ".\n");
  } catch (const ConfigurationError&) {
    return "";
  }
}

void add_verdict(ReportPage& page, const std::string& verdict, bool proved) {
  if (proved)
    page.paragraph(verdict + ".");
  else
    page.warning(verdict + ".");
}

constexpr const char* kColour = "#d62728";

std::string vc_name(const StoredStats& vc) {
  return vc.text("router") + "." + vc.text("port") + ".vc" + vc.text("vc");
}

std::string message_name(const StoredStats& vc) {
  if (!vc.number("message")) return "the rest of a message";
  return "message " + vc.text("message") + " of " + vc.text("source") + " to " + vc.text("destination");
}

/// The channel that ends at a port of a router, by the router and the port where it begins.
std::optional<RouterPort> channel_into(const Topology& topology, const std::string& router,
                                       const std::string& port) {
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId p = 0; topology.router_name(r) == router && p < topology.port_count(r); ++p)
      if (const auto far = topology.neighbour(r, p);
          far && topology.port_name(r, p) == port && topology.carries_flits(far->router, far->port))
        return far;
  return std::nullopt;
}

std::string picture_of(const std::vector<StoredStats>& cycle, const Topology& topology) {
  ChannelPicture picture(topology);
  bool any = false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto channel = channel_into(topology, cycle[i].text("router"), cycle[i].text("port"));
    if (!channel) continue;
    any = true;
    ChannelPicture::Stroke& stroke = picture.stroke(channel->router, channel->port);
    const std::string number = std::to_string(i + 1);
    stroke.colour = kColour;
    stroke.label += (stroke.label.empty() ? "" : ",") + number;
    stroke.notes.push_back(formatted("%1%: %2%, %3%, waits for %4%", number, vc_name(cycle[i]),
                                     message_name(cycle[i]), (i + 1) % cycle.size() + 1));
  }
  if (!any) return "";
  return picture.svg("The deadlock that ended the run",
                     legend_text("Each numbered channel waits for the next one, the last for the first."));
}

}  // namespace

void add_deadlock(ReportPage& page, const Configuration* c, const std::optional<std::string>& kept,
                  const VerdictCache& cache, bool picture) {
  page.heading("Deadlock");
  const std::string verdict = kept ? kept->substr(0, kept->find('\n')) : "";
  if (kept) add_verdict(page, verdict, true);
  // The verdict of a large network is not looked for again.
  const bool check_again =
      c && (!kept || (picture && make_topology(c->network)->channel_count() <= kMostReportedChannels));
  ShortCheck check;
  if (check_again) check = check_shortly(*c, cache);
  if (!kept && check.found)
    add_verdict(page, check.found->verdict, check.found->status == ExitStatus::done);
  else if (!kept)
    page.paragraph("The run kept no verdict, because it was started without proof or by an earlier version.");
  if (picture && !check.svg.empty() && (!kept || check.found->verdict == verdict))
    page.drawing(kTitle, check.words, check.svg);
  else if (!check.why.empty() && (picture || !check.found))
    page.paragraph(check.why);
  const std::string faults = c ? notes_on(*c) : "";
  std::string details;
  if (kept)
    details = kept->substr(std::min(kept->size(), verdict.size() + 2));
  else if (check.found)
    details = check.found->details;
  if (!details.empty()) page.listing("flitmend check", details + (faults.empty() ? "" : "\n" + faults), true);
}

bool add_found_deadlock(ReportPage& page, const StoredStats& stats, const Topology* topology) {
  const nlohmann::ordered_json* list = stats.find("deadlock.cycle");
  if (!list || !list->is_array() || list->empty()) return false;
  std::vector<StoredStats> cycle;
  for (const nlohmann::ordered_json& vc : *list) cycle.emplace_back(vc);
  page.heading("The deadlock of this run");
  Table table{"Virtual channels that wait for each other",
              {{"number", Table::right}, {"virtual channel"}, {"holds"}, {"waits for"}},
              {}};
  for (std::size_t i = 0; i < cycle.size(); ++i)
    table.rows.push_back({std::to_string(i + 1), vc_name(cycle[i]), message_name(cycle[i]),
                          vc_name(cycle[(i + 1) % cycle.size()])});
  const std::uint64_t channels = topology ? topology->channel_count() : 0;
  const bool drawable = channels <= kMostReportedChannels;
  const std::string svg = topology && drawable ? picture_of(cycle, *topology) : "";
  if (!svg.empty())
    page.drawing("Channels that wait for each other",
                 "The buffers at the ends of these channels are full or hold a head that waits. Point at a "
                 "channel to see its virtual channel and message.",
                 svg);
  if (!drawable) page.paragraph(too_large(channels) + ".");
  page.table(table, false);
  return true;
}

}  // namespace flitmend
