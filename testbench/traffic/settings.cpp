// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/settings.h"

#include "testbench/traffic/injection_registry.h"
#include "testbench/traffic/length_registry.h"
#include "testbench/traffic/pattern_registry.h"

namespace flitmend {

void TrafficSettings::visit(SettingsVisitor& v) {
  v.begin_section("traffic", "What the nodes send: synthetic traffic, or a trace.");
  v.key({"pattern", "", "Destination of a message, by its source."}, pattern, traffic_patterns().choices());
  v.key({"load", "load_unit",
         "Load that each sending node offers; 0: none. Nodes that a permutation maps to themselves send "
         "nothing, and "
         "the offered load that a run reports, which is a node of the network, is lower by their share."},
        load, {0, 64});
  v.key({"load_unit", "", "Unit of load."}, load_unit,
        {{"flits", "flits a node and cycle"},
         {"capacity",
          "share of 2B/N flits a node and cycle, B the channels that cross the bisection, N the nodes"}});

  v.key({"message_length", "flits",
         "Length of a message, head and tail included (1: head and tail in one flit): of every one (fixed), "
         "in the mean "
         "(uniform, normal), of the short ones (bimodal)."},
        message_length, {1, kLongestMessage});
  v.key({"length_distribution", "", "Distribution of message lengths."}, length_distribution,
        length_distributions().choices());
  v.key({"message_length_min", "flits", "Shortest message (uniform, normal)."}, message_length_min,
        {1, kLongestMessage});
  v.key({"message_length_max", "flits",
         "Longest message (uniform, normal); 0: 2·message_length − message_length_min, so that "
         "message_length is the "
         "mean."},
        message_length_max, {0, kLongestMessage});
  v.key({"message_length_deviation", "flits", "Standard deviation before the limits cut it (normal)."},
        message_length_deviation, {0.001, kLongestMessage});
  v.key({"message_length_long", "flits", "Length of the long messages (bimodal)."}, message_length_long,
        {1, kLongestMessage});
  v.key({"message_length_long_fraction", "", "Share of long messages (bimodal)."},
        message_length_long_fraction, {0, 1});

  v.key({"injection", "", "Process that creates a node's messages; the mean gap is mean length / load."},
        injection, injection_processes().choices());
  v.key({"interval_phase", "", "First message of a node (fixed-interval)."}, interval_phase,
        {{"random", "at a random time within the first interval, each node its own"},
         {"zero", "in cycle 0, all nodes together"}});
  v.key({"burst_length", "cycles", "Mean length of a burst (bursty)."}, burst_length, {1, 1e12});
  v.key(
      {"burst_load", "flits",
       "Flits a cycle that a node offers within a burst (bursty); the mean over bursts and pauses is load."},
      burst_load, {1e-6, 64});

  v.key({"include_self", "", "A node's random destinations include the node itself (uniform, hotspot)."},
        include_self);
  v.key({"hotspot_nodes", "", "The hot nodes (hotspot); empty: the one in the middle, coordinates k/2."},
        hotspot_nodes);
  v.key({"hotspot_fraction", "", "Share of messages that go to a hot node; the rest is uniform (hotspot)."},
        hotspot_fraction, {0, 1});
  v.key({"permutation_file", "",
         "File of the pattern 'permutation': a line 'source destination' a pair, nodes as numbers or as "
         "coordinates "
         "x,y,…; # begins a comment; sources that are not listed send nothing."},
        permutation_file);

  v.key({"trace", "", "A Netrace file to replay with its dependencies instead of synthetic traffic."}, trace);
  v.key({"trace_region", "", "Region of the trace that is replayed, counted from 0; -1: the whole trace."},
        trace_region, {-1, 65535});
  v.end_section();
}

}  // namespace flitmend
