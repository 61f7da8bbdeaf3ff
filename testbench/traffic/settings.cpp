// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/settings.h"

#include "base/registry_effect.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"

namespace flitmend {
namespace {

/// Of what messages are like: with load 0 there are none.
constexpr KeyEffect kSent = KeyEffect::unless("traffic.load", "0");

KeyEffect of_patterns(std::string_view key) {
  return kSent && read_by<&PatternEntry::options>(traffic_patterns(), "traffic.pattern", key);
}
KeyEffect of_lengths(std::string_view key) {
  return kSent && read_by<&LengthEntry::options>(length_distributions(), "traffic.length_distribution", key);
}
KeyEffect of_injections(std::string_view key) {
  return kSent && read_by<&InjectionEntry::options>(injection_processes(), "traffic.injection", key);
}

}  // namespace

void TrafficSettings::visit(SettingsVisitor& v) {
  v.begin_section("traffic", "Synthetic traffic, or a trace.");
  v.key({"pattern", "", "Destination of a message, by its source.", kSent}, pattern,
        traffic_patterns().choices());
  v.key({"load", "load_unit",
         "Offered load of each sending node; 0: none. Nodes that a permutation maps to themselves send "
         "nothing, and the offered load that a run reports, which is per node of the network, is lower by "
         "their share.",
         kAlways},
        load, {0, 64});
  v.key({"load_unit", "", "Unit of load.", kSent}, load_unit,
        {{"flits", "flits per node per cycle"},
         {"capacity", "share of 2B/N flits per node per cycle; B channels cross the bisection, N nodes"}});

  v.key({"message_length", "flits",
         "Length of a message, head and tail included (1: head and tail in one flit): of all messages "
         "(fixed), on average (normal, and uniform without message_length_max), of the short messages "
         "(bimodal).",
         kSent && (KeyEffect::unless("traffic.length_distribution", "uniform") ||
                   KeyEffect::only_with("traffic.message_length_max", "0"))},
        message_length, {1, kLongestMessage});
  v.key({"length_distribution", "", "Distribution of message lengths.", kSent}, length_distribution,
        length_distributions().choices());
  v.key({"message_length_min", "flits", "Shortest message (uniform, normal).",
         of_lengths("message_length_min")},
        message_length_min, {1, kLongestMessage});
  v.key({"message_length_max", "flits",
         "Longest message (uniform, normal); 0: 2·message_length − message_length_min, so that "
         "message_length is the "
         "mean.",
         of_lengths("message_length_max")},
        message_length_max, {0, kLongestMessage});
  v.key({"message_length_deviation", "flits", "Standard deviation before truncation (normal).",
         of_lengths("message_length_deviation")},
        message_length_deviation, {0.001, kLongestMessage});
  v.key({"message_length_long", "flits", "Length of the long messages (bimodal).",
         of_lengths("message_length_long")},
        message_length_long, {1, kLongestMessage});
  v.key({"message_length_long_fraction", "", "Share of long messages (bimodal).",
         of_lengths("message_length_long_fraction")},
        message_length_long_fraction, {0, 1});

  v.key(
      {"injection", "", "Process that creates a node's messages; the mean gap is mean length / load.", kSent},
      injection, injection_processes().choices());
  v.key({"interval_phase", "", "First message of a node (fixed-interval).", of_injections("interval_phase")},
        interval_phase,
        {{"random", "at a random time within the first interval, different for each node"},
         {"zero", "in cycle 0 at all nodes"}});
  v.key({"burst_length", "cycles", "Mean length of a burst (bursty).", of_injections("burst_length")},
        burst_length, {1, 1e12});
  v.key({"burst_load", "flits",
         "Flits per cycle that a node offers within a burst (bursty); the mean over bursts and pauses is "
         "load.",
         of_injections("burst_load")},
        burst_load, {1e-6, 64});

  v.key({"include_self", "", "Random destinations include the node itself (uniform, hotspot).",
         of_patterns("include_self")},
        include_self);
  v.key({"hotspot_nodes", "", "Hot nodes (hotspot); empty: the node in the middle, coordinates k/2.",
         of_patterns("hotspot_nodes")},
        hotspot_nodes);
  v.key({"hotspot_fraction", "", "Share of messages that go to a hot node (hotspot); the rest is uniform.",
         of_patterns("hotspot_fraction")},
        hotspot_fraction, {0, 1});
  v.key({"permutation_file", "",
         "File for pattern permutation: one line 'source destination' per pair, nodes as numbers or as "
         "coordinates x,y,…; # starts a comment; sources that are not listed send nothing.",
         of_patterns("permutation_file")},
        permutation_file);

  v.key({"trace", "", "Netrace file to replay with its dependencies, instead of synthetic traffic.", kAlways},
        trace);
  v.key({"trace_region", "", "Region of the trace to replay, counted from 0; -1: the whole trace.",
         KeyEffect::only_if_given("traffic.trace")},
        trace_region, {-1, 65535});
  v.end_section();
}

}  // namespace flitmend
