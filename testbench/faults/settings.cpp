// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/settings.h"

#include <limits>

namespace flitmend {
namespace {
constexpr KeyEffect kDrawn = KeyEffect::only_if_given("faults.node_rate faults.link_rate");
constexpr KeyEffect kAimed = KeyEffect::only_if_given("faults.aim.rate");
constexpr KeyEffect kLater =
    KeyEffect::only_if_given("faults.node_rate faults.link_rate faults.aim.rate faults.events") &&
    KeyEffect::only_with("simulation.drain", "true");
}  // namespace

void AimSettings::visit(SettingsVisitor& v) {
  v.begin_section("aim",
                  "Faults that hit packets in certain phases, which random faults rarely do "
                  "(docs/campaign.md). Candidates are drawn at random; one strikes if it hits such a packet. "
                  "Unlike all other faults, they depend on what is in the network.");
  v.key({"phases", "",
         "What to hit: head, body, tail, control, retransmission, absorption; docs/campaign.md explains the "
         "words.",
         kAlways},
        phases);
  v.key(
      {"then", "",
       "Phases to hit after a candidate has struck, such as retransmission, in messages that a fault has hit "
       "before: until the next strike, for at most 1000 cycles. Empty: phases again.",
       kAimed},
      then);
  v.key({"first_hit", "",
         "Whether to aim only at messages that no fault has hit before. Does not apply to `then`.", kAimed},
        first_hit);
  v.key({"part", "", "What fails.", kAimed}, part,
        {{"node", "nodes"}, {"link", "links, in both directions"}});
  v.key({"rate", "1/cycle",
         "Probability per part and cycle of a candidate. The more packets there are to hit, the lower it "
         "should be: at a high rate every such packet is hit at its first opportunity.",
         kAlways},
        rate, {0, 1});
  v.key({"at_once", "",
         "How many neighbouring parts a candidate consists of, as in faults.at_once. If more than one, at "
         "least two of them must hit the same packet.",
         kAimed},
        at_once, {1, 8});
  v.key({"duration", "cycles", "How long the fault lasts, or permanent.", kAimed}, duration);
  v.key({"from", "cycles", "No candidate strikes before this cycle.", kAimed}, from, {0, 1 << 30});
  v.key({"apart", "cycles", "Minimum distance between two aimed faults, in cycles.", kAimed}, apart,
        {0, 1 << 30});
  v.key({"most", "", "Maximum number of aimed faults. 0: no limit.", kAimed}, most, {0, 1 << 30});
  v.end_section();
}

void FaultSettings::visit(SettingsVisitor& v) {
  constexpr std::int64_t kMany = std::numeric_limits<std::int32_t>::max();
  v.begin_section("faults", "Which nodes and links fail, when, and for how long. Depends on the seed only.");
  v.key({"static_nodes", "",
         "Nodes that are dead from the start, by number or coordinates, and switches, by name (switch_d0_2).",
         kAlways},
        static_nodes);
  v.key(
      {"random_static_nodes", "nodes",
       "Number of further dead nodes, drawn at random; all others stay connected with each other.", kAlways},
      random_static_nodes, {0, kMany});
  v.key({"static_links", "", "Links that are dead from the start, each by the nodes or switches at its ends.",
         kAlways},
        static_links);
  v.key({"random_static_links", "links",
         "Number of further dead links, drawn at random; the live nodes stay connected with each other.",
         kAlways},
        random_static_links, {0, kMany});
  v.key(
      {"regions", "",
       "Regions of dead nodes on a mesh or torus, as texts: 'box 2,3:2x4' is the box of 2 by 4 nodes whose "
       "lowest node is (2, 3). In the box that it names, L has the first column and the first row, U the "
       "first row, the first and the last column, T the last row and the middle column, plus the middle row "
       "and the middle column.",
       kAlways},
      regions);
  v.key({"node_rate", "1/cycle", "Probability per node and cycle that the node fails.", kAlways}, node_rate,
        {0, 1});
  v.key({"link_rate", "1/cycle", "Probability per link and cycle that the link fails, in both directions.",
         kAlways},
        link_rate, {0, 1});
  v.key(
      {"at_once", "",
       "How many parts each drawn fault strikes in the same cycle: the one drawn and, from one to the next, "
       "random neighbours of a node, or links at the same end of a link.",
       kDrawn},
      at_once, {1, 8});
  v.key({"duration", "cycles",
         "How long a drawn fault lasts, or permanent. A fault of a part that is faulty already extends its "
         "outage.",
         kDrawn},
        duration);
  aim.visit(v);
  v.key({"strike_in_drain", "", "Whether faults still strike while the network drains.", kLater},
        strike_in_drain);
  v.key({"events", "",
         "Faults one by one, like {cycle: 500, node: [3, 4], duration: 10} or {cycle: 700, link: [[0, 0], "
         "[1, 0]], duration: permanent, one_way: true}. A switch or any other router may be called by its "
         "name, like {cycle: 500, node: switch_d0_2}.",
         kAlways},
        events);
  v.end_section();
}

}  // namespace flitmend
