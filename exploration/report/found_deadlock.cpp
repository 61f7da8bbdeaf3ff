// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/found_deadlock.h"

#include <optional>
#include <string>
#include <vector>

#include "exploration/report/channel_picture.h"
#include "exploration/report/deadlock_report.h"

namespace flitmend {
namespace {

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
    stroke.notes.push_back(number + ": " + vc_name(cycle[i]) + ", " + message_name(cycle[i]) +
                           ", waits for " + std::to_string((i + 1) % cycle.size() + 1));
  }
  if (!any) return "";
  return picture.svg("The deadlock that ended the run",
                     legend_text("Each numbered channel waits for the next one, the last for the first."));
}

}  // namespace

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
  if (!drawable)
    page.paragraph("Not drawn: the network has " + std::to_string(channels) +
                   " channels, and reports draw at most " + std::to_string(kMostReportedChannels) + ".");
  page.table(table, false);
  return true;
}

}  // namespace flitmend
