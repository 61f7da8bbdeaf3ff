// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/results.h"

#include <cmath>

#include "base/text.h"
#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "testbench/statistics/optional_statistic.h"
#include "topologies/mesh.h"

namespace flitmend {

void InputFileResults::visit(ResultsVisitor& v) const {
  v.value({"key", "", "The key of the configuration that names it."}, key);
  v.value({"path", "", "Absolute name."}, path);
  v.value({"sha256", "", "SHA-256 of its content when the run read it."}, sha256);
}

const char* to_string(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::complete:
      return "complete";
    case RunOutcome::deadlock:
      return "deadlock";
    case RunOutcome::interrupted:
      return "interrupted";
    case RunOutcome::limit:
      return "limit";
    case RunOutcome::contract:
      return "contract";
    case RunOutcome::incomplete:
      return "incomplete";
  }
  return "";
}

void StatusResults::visit(ResultsVisitor& v) const {
  v.value(
      {"outcome", "",
       "complete: all phases were simulated. deadlock (found by the watchdog), interrupted (by a signal) "
       "and limit (simulation.max_cycles, time_limit_seconds or progress_limit; in a platform also "
       "transactions "
       "that wait, tlm.accept_limit and tlm.response_limit): the run ended early, and the "
       "statistics cover the cycles up to there. incomplete: dead nodes or lost messages keep collectives, "
       "or "
       "iterations of a task graph, from being completed. contract: the model broke its contract; see "
       "contract."},
      std::string(to_string(outcome)));
  v.value({"reason", "", "Why the outcome is not complete; empty if it is."}, reason);
  if (platform)
    v.value(
        {"platform", "",
         "The traffic was that of a platform's elements, and the section traffic of the configuration had "
         "no effect. Other runs do not have the key."},
        platform);
}

void SimulationResults::visit(ResultsVisitor& v) const {
  v.value({"cycles", "cycles", "Simulated cycles of all phases: warm-up, measured window, drain."}, cycles);
  v.value({"measured_cycles", "cycles",
           "Cycles of the measured window that were simulated. With a trace the window begins in cycle 0 and "
           "ends with the cycle in which the last packet is delivered or abandoned."},
          measured_cycles);
  v.value({"last_delivery", "cycles", "Cycle of the last delivery; null if there was none."}, last_delivery);
  v.value({"flit_hops", "flits", "Flits that crossed a channel between routers, all phases."}, flit_hops);
}

void MessageResults::visit(ResultsVisitor& v) const {
  v.value(
      {"generated", "messages",
       "Created by a processing element, by synthetic traffic or by a trace, whether the source queue had "
       "room for them or not."},
      generated);
  v.value({"delivered", "messages", "Reached their processing element at least once."}, delivered);
  v.value({"lost", "messages",
           "Cut by a fault and not repaired, discarded by a reset, or, after a drain, neither delivered nor "
           "abandoned."},
          lost);
  if (discarded > 0)
    v.value({"discarded", "messages",
             "Those of lost that a reset of the fabric discarded, which does not break the contract; the key "
             "exists only if there are any."},
            discarded);
  v.value({"undeliverable", "messages",
           "Abandoned by their sender: there is no route to the destination, or it is permanently dead."},
          undeliverable);
  if (abandoned > 0)
    v.value({"abandoned", "messages",
             "Those of undeliverable that could have arrived later: both nodes are alive, and the routing "
             "algorithm connects them with the permanent faults. Breaks the contract, unless "
             "recovery.retry_limit is given; the key exists only if there are any."},
            abandoned);
  v.value({"void", "messages", "Not delivered, and their source is permanently dead."}, voided);
  v.value({"in_flight", "messages",
           "In the network, in a source queue or held back at the end; 0 after a drain."},
          in_flight);
  v.value({"held_back", "messages",
           "Part of in_flight: created and not yet in a source queue, because it had no room "
           "(network_interface.source_queue) or, in a platform, because others must be answered first "
           "(tlm.initiator_queue, tlm.ordering)."},
          held_back);
  v.value({"duplicated", "messages", "Deliveries beyond the first of a message; breaks the contract."},
          duplicated);
  v.value({"corrupted", "messages", "Delivered with bytes other than those sent; breaks the contract."},
          corrupted);
  v.value({"hit", "messages", "Cut by a fault: flits of them were lost, or their path was."}, hit);
  v.value({"recovered", "messages", "Cut by a fault and delivered."}, recovered);
  v.value({"absorptions", "messages",
           "How often a network interface absorbed a message for another node, and injected it again "
           "(software-based)."},
          absorptions);
}

void ControlLineResults::visit(ResultsVisitor& v) const {
  // Lines that carry a number have no pulses: section `vectors` counts what crosses them.
  for (unsigned line = 0; line < kControlLines; ++line)
    if (const ControlLineTraits& traits = kControlLineTraits[line]; traits.wires != LineWires::number)
      v.value({traits.name, "pulses", traits.purpose}, pulses[line]);
}

void SenderMemoryResults::visit(ResultsVisitor& v) const {
  std::vector<std::uint64_t> means(series.sum() > 0 ? series.slices() : 0);
  for (unsigned i = 0; i < means.size(); ++i)
    means[i] = static_cast<std::uint64_t>(std::llround(series.mean(i)));
  v.value({"slice_cycles", "cycles",
           "Length of a slice: a power of two, so that there are at most 128 slices. The last one may be "
           "shorter."},
          series.slice_cycles());
  v.value(
      {"bytes", "bytes",
       "Bytes kept by all nodes together: the mean of each slice from cycle 0 on, rounded. Empty if nothing "
       "was ever kept."},
      means);
}

void RecoveryResults::visit(ResultsVisitor& v) const {
  v.value({"retransmissions", "messages",
           "Messages, or pieces of them, that senders have queued to send again. Some are abandoned before "
           "they leave, so this can exceed the number of events resend."},
          retransmissions);
  v.value({"retransmitted_flits", "flits",
           "All flits of these, whether they leave or not; with FCR also their padding."},
          retransmitted_flits);
  v.value({"duplicate_flits_dropped", "flits", "Duplicate flits that a receiver dropped."}, duplicate_flits);
  v.value({"control_messages", "messages", "Acknowledgements, requests and the like."}, control_messages);
  v.value({"control_flits", "flits",
           "Their flits. apcs: control flits of circuits, one per hop that each of them takes."},
          control_flits);
  v.value(
      {"peak_sender_bytes", "bytes",
       "Largest retransmission buffer that one node needed. A copy is kept until the sender knows that the "
       "message has arrived. If that is assumed (recovery.guard_acknowledgement), until an acknowledgement "
       "of 4 flits would have come back. Without a guard, until the longest wait is over."},
      peak_sender_bytes);
  v.value(
      {"mean_sender_bytes", "bytes", "The same, mean over all nodes and cycles; null if there were none."},
      mean_sender_bytes);
  v.value(
      {"assumed_peak_sender_bytes", "bytes",
       "peak_sender_bytes if the assumed replies took no time: the simulator drops a copy in the cycle of "
       "the delivery. No hardware needs so little. Equal to peak_sender_bytes where nothing is assumed."},
      assumed_peak_sender_bytes);
  v.value({"assumed_mean_sender_bytes", "bytes", "The same of mean_sender_bytes."},
          assumed_mean_sender_bytes);
  v.value(
      {"extra_flits", "flits",
       "Flits that were injected and are not in the network any more, less those of the messages delivered: "
       "control messages, what was sent again, sequence numbers, padding, broken tails, and what was sent of "
       "messages that did not arrive."},
      extra_flits);
  v.value({"padding_flits", "flits", "FCR: padding of the messages, retransmissions not counted."},
          padding_flits);
  v.value(
      {"timeouts", "messages", "FCR: messages that their source tore down because they made no progress."},
      timeouts);
  v.value({"requests", "messages", "Recovery requests, repetitions not counted."}, requests);
  v.value({"guard_spurious", "messages", "Messages that the guard sent again although they were not lost."},
          guard_spurious);
  v.value(
      {"detected_losses", "messages", "Messages that the protocol had lost when the guard's timer ended."},
      detected_losses);
  v.value({"guard_repaired", "messages", "Those of them that arrived after the guard had sent them again."},
          guard_repaired);
  v.value({"tail_waits", "",
           "SBRP-0 and SBRP-1: tails that waited because a shadow register was in use. With output buffers "
           "heads wait for that, which is not counted."},
          tail_waits.tails);
  v.value({"tail_wait_cycles", "cycles", "Total cycles that they waited."}, tail_waits.cycles);
  visit_section(
      v, {"sender_memory", "", "Retransmission buffers of all senders over time, as mean_sender_bytes."},
      SenderMemoryResults{kept_bytes});
  visit_section(
      v,
      {"control_lines", "",
       "How often each control line was raised for a virtual channel, on all channels between "
       "routers; 0 for lines that the protocol does not have. Signals that follow tails, and COPIED, "
       "are counted where a router receives them, also from its interface."},
      control_lines);
}

std::string WaitingVcResults::name() const {
  return formatted("%1%.%2%.vc%3%", router, port, vc);
}

void WaitingVcResults::visit(ResultsVisitor& v) const {
  v.value({"router", "", "Router of the virtual channel."}, router);
  v.value({"port", "", "Its input port; local: from the network interface."}, port);
  v.value({"vc", "", "Its number at that port."}, vc);
  v.value(
      {"message", "",
       "Number, at its source, of the message whose flit is at the front; null: the virtual channel waits "
       "for the rest of a message."},
      message);
  v.value({"source", "", "Router of the node that created that message."}, source);
  v.value({"destination", "", "Router of the node that it was sent to."}, destination);
}

void DeadlockResults::visit(ResultsVisitor& v) const {
  v.value({"deadlocks", "",
           "Deadlocks: sets of virtual channels that wait for each other forever, unless recovery ends it. "
           "Checked every 64 cycles; null unless deadlock.watchdog is count, and in a platform."},
          deadlocks);
  v.value({"timeouts", "", "Disha: heads that have waited for deadlock.timeout cycles."}, lane.timeouts);
  v.value({"captures", "", "Disha: heads that have captured the token."}, lane.captures);
  v.value({"captures_in_deadlock", "",
           "Those of them that could never have moved again, as the registers of the whole network show; the "
           "others merely waited. Null unless deadlock.watchdog is count, and in a platform."},
          right_captures);
  v.value({"recovered_messages", "messages",
           "Disha: messages that have left through the deadlock buffers. A head that gets an output virtual "
           "channel in the cycle in which it captures the token does not."},
          lane.messages);
  v.value({"recovered_flits", "flits", "Their flits."}, lane.flits);
  if (!cycle.empty())
    visit_list(
        v,
        {"cycle", "",
         "If a deadlock ended the run: virtual channels each of which waits for the next one, the last "
         "for the first. Other runs do not have the list."},
        cycle);
}

void FaultResults::visit(ResultsVisitor& v) const {
  v.value({"nodes", "", "Node faults, those from the start not counted."}, nodes);
  v.value(
      {"channels", "",
       "Channels that failed by themselves, not with a node; a link has two. Those from the start are not "
       "counted."},
      channels);
}

void ManagementResults::visit(ResultsVisitor& v) const {
  v.value({"steps", "", "Management steps that were completed."}, steps);
  v.value({"restarts", "", "Number of steps that began anew because of a fault or a repair."}, restarts);
  v.value({"drain_cycles", "cycles", "Cycles in which sources were stopped while flits were in the network."},
          drain_cycles);
  v.value({"recomputation_cycles", "cycles",
           "Cycles in which they were stopped after that, until there were new tables."},
          recomputation_cycles);
  v.value({"table_entries", "", "Entries of all routing tables, at the end."}, table_entries);
  v.value({"table_bits", "bits", "Size of these tables."}, table_bits);
}

void VectorResults::visit(ResultsVisitor& v) const {
  v.value({"exchanges", "",
           "Exchanges of vectors: one at the start, and others after faults and repairs. An exchange lasts "
           "while any router sends."},
          exchanges);
  v.value({"cycles", "cycles", "Total length of the exchanges."}, cycles);
  v.value({"longest", "cycles", "The longest exchange."}, longest);
  v.value(
      {"rounds", "", "Rounds of all routers: each sends an element of a vector to all healthy neighbours."},
      rounds);
  v.value({"elements", "", "Elements that were sent over links."}, elements);
  v.value({"bits", "bits", "Size of these elements."}, bits);
}

void ProbeResults::visit(ResultsVisitor& v) const {
  v.value({"turned_back", "",
           "How often a head found no free channel at a router after its source, and left it backwards. Each "
           "time counts in flits.discarded, and in flits.injected where the head stops."},
          turned_back);
  v.value({"hops_back", "", "Channels that heads have released on their way back."}, hops_back);
  v.value({"retries", "", "How often a source waited, and then began a new search."}, retries);
  v.value({"dead_ends", "messages",
           "Messages that are undeliverable: a search with router.busy backtrack has met dead ports only."},
          dead_ends);
}

void TrafficResults::visit(ResultsVisitor& v) const {
  v.value({"offered", "flits/cycle/node",
           "Flits (message length, head and tail included) of the messages created in the measured window, "
           "per measured cycle and processing element that is not permanently faulty."},
          offered);
  v.value({"accepted", "flits/cycle/node",
           "Flits (message length) of the first deliveries completed in the measured window, whenever the "
           "message was created."},
          accepted);
  v.value(
      {"normalised_accepted", "",
       "Accepted traffic as a share of the capacity 2B/N: B channels cross the bisection, both directions "
       "counted, N nodes."},
      normalised_accepted);
}

void HopResults::visit(ResultsVisitor& v) const {
  v.value({"mean", "channels", "Channels between routers that the head of a message crossed."}, mean);
}

void HistogramResults::visit(ResultsVisitor& v) const {
  v.value({"cycles", "cycles",
           "Latencies that occurred, ascending; from 65536 on the lowest value of a bucket 0.1 % wide."},
          cycles);
  v.value({"messages", "messages", "Number of messages with each of these latencies."}, messages);
}

void LatencyResults::visit(ResultsVisitor& v) const {
  v.value({"count", "messages", "Messages that the figures below are computed from."}, count);
  v.value({"mean", "cycles", "Arithmetic mean."}, mean);
  v.value({"ci95", "cycles",
           "Half width of the mean's 95 % confidence interval, from batch means over slices of the measured "
           "window (by creation), widened if neighbouring slices are correlated "
           "(docs/statistics-methods.md)."},
          ci95);
  if (!ci95) v.value({"ci95_reason", "", "Why ci95 is null; the key exists only then."}, ci95_reason);
  v.value({"p50", "cycles", "Median: the smallest latency that half of the messages do not exceed."}, p50);
  v.value({"p95", "cycles",
           "The smallest latency that 95 % of the messages do not exceed. Exact below 65536 cycles, at most "
           "0.1 % too high above, as are p50 and p99."},
          p95);
  v.value({"p99", "cycles", "The smallest latency that 99 % of the messages do not exceed."}, p99);
  v.value({"max", "cycles", "Largest latency."}, max);
  if (histogram)
    visit_section(v,
                  {"histogram", "", "Distribution of latency.total; with `statistics: {histogram: true}`."},
                  *histogram);
}

void LatencySection::visit(ResultsVisitor& v) const {
  visit_section(v, {"total", "", "From creation to the consumption of the last flit."}, total);
  visit_section(v,
                {"network", "",
                 "From the first injection of the head (it leaves the source queue) to the consumption of "
                 "the last flit."},
                network);
  visit_section(v,
                {"corrupted", "",
                 "As total, of messages that a fault hit and that were delivered anyway; those count in "
                 "total, too."},
                corrupted);
  visit_section(v,
                {"corrupted_unguarded", "",
                 "As corrupted, without the messages that the guard found lost and sent again."},
                corrupted_unguarded);
  visit_section(v,
                {"recovery", "",
                 "Of the messages of corrupted, from the first fault that hit one to the consumption of its "
                 "last flit."},
                recovery);
}

void FlitResults::visit(ResultsVisitor& v) const {
  v.value({"injected", "flits", "Left a network interface for its router, all phases."}, injected);
  v.value({"consumed", "flits", "Taken out of the network by a network interface, all phases."}, consumed);
  v.value({"discarded", "flits", "Lost in a fault or a reset, or discarded by a router, all phases."},
          discarded);
  v.value({"in_network", "flits", "In buffers, registers and on channels at the end; 0 after a drain."},
          in_network);
}

void Violation::visit(ResultsVisitor& v) const {
  v.value({"what", "", "What went wrong."}, what);
  v.value({"message", "", "Number of the message at its source."}, message);
  v.value({"source", "", "Node that created the message."}, source);
  v.value({"destination", "", "Node that it was sent to."}, destination);
  v.value({"node", "", "Node where it went wrong."}, node);
  v.value({"cycle", "cycles", "When."}, cycle);
}

void ContractResults::visit(ResultsVisitor& v) const {
  v.value(
      {"holds", "",
       "Whether every message was delivered exactly once, as far as the protocol promises, and every flit "
       "and credit is accounted for. If not, the exit status is 3."},
      holds);
  v.value({"violations", "", "Number of violations."}, violations);
  v.value({"credits_missing", "flits",
           "Credits that at the end are not at their output, not on a wire and not held by a flit; must be 0 "
           "at any time."},
          credits_missing);
  v.value({"virtual_channels_not_idle", "virtual channels",
           "Input and output virtual channels in use at the end; 0 after a drain."},
          virtual_channels_not_idle);
  visit_list(v, {"first", "", "The first violations; numbers that do not apply are null."}, first);
}

void HostResults::visit(ResultsVisitor& v) const {
  v.value({"cpu_seconds", "s", "CPU time of the run loop alone."}, cpu_seconds);
  v.value({"flit_hops_per_second", "flits/s", "simulation.flit_hops per CPU second."}, flit_hops_per_second);
  v.value({"peak_rss_bytes", "bytes", "Largest resident memory of the process."}, peak_rss_bytes);
  v.value({"started", "", "Date and time (UTC) when the run began."}, started);
  v.value({"finished", "", "Date and time (UTC) when it ended."}, finished);
  if (!inputs.empty())
    visit_list(v,
               {"inputs", "",
                "Files that the run has read besides its configuration: graph, routing table, permutation, "
                "trace. Only where there are any."},
               inputs);
}

void RoundTripResults::visit(ResultsVisitor& v) const {
  v.value({"requesters", "", "Nodes that send requests."}, requesters);
  v.value({"finished", "", "Round trips that ended in the measured window."}, finished);
  v.value({"throughput", "1/cycle", "The same per cycle of the window and requester."}, throughput);
  v.value({"outstanding", "", "Requests without a reply, mean over the window, per requester."}, outstanding);
  v.value({"count", "", "Round trips of requests created in the window."}, count);
  v.value({"mean", "cycles", "Mean round trip."}, mean);
  v.value({"request_mean", "cycles", "Of it, the mean total latency of the requests."}, request_mean);
  v.value({"reply_mean", "cycles", "Of it, the mean total latency of the replies."}, reply_mean);
  v.value(
      {"by_little", "",
       "Throughput times (mean round trip + 1). By Little's law this is `outstanding`, but for the requests "
       "across the ends of the window."},
      by_little);
  v.value({"p50", "cycles", "Median round trip."}, p50);
  v.value({"p95", "cycles", "95th percentile."}, p95);
  v.value({"p99", "cycles", "99th percentile."}, p99);
  v.value({"max", "cycles", "The longest round trip."}, max);
}

void Results::visit(ResultsVisitor& v) const {
  v.value(
      {"schema", "", "Layout of this file; changes when a key goes, or changes its name, place or meaning."},
      kResultsSchema);
  visit_section(v, {"status", "", "How the run ended."}, status);
  visit_section(v, {"simulation", "", "Length of the run."}, simulation);
  visit_section(
      v,
      {"messages", "",
       "Messages of processing elements, all phases: generated = delivered + lost + undeliverable + "
       "void + in_flight."},
      messages);
  visit_section(v, {"traffic", "", "Throughput in the measured window; null where it has no cycles."},
                traffic);
  visit_section(v, {"hops", "", "Hops of messages created in the measured window and delivered."}, hops);
  visit_section(
      v,
      {"latency", "",
       "Latency of messages created in the measured window, whenever delivered. Figures of no messages are "
       "null."},
      latency);
  for (const auto& statistic : optional) statistic->visit(v);
  visit_section(v, {"faults", "", "Faults that struck during the run."}, faults);
  visit_section(v, {"recovery", "", "What the recovery protocol cost, all phases."}, recovery);
  visit_section(v, {"deadlock", "", "Deadlocks, and recovery from them (deadlock.recovery), all phases."},
                deadlock);
  if (management)
    visit_section(v,
                  {"management", "",
                   "Management steps, which give routing tables the faults of the run: sources stop, the "
                   "network drains, tables are recomputed. With routing algorithms that need them."},
                  *management);
  if (vectors)
    visit_section(v,
                  {"vectors", "",
                   "The exchange of probability vectors, all phases. With routing algorithms that use them."},
                  *vectors);
  if (probes)
    visit_section(v, {"heads", "", "Heads that go back at busy channels (router.busy), all phases."},
                  *probes);
  if (hits)
    visit_list(
        v, {"hits", "", "Hits of faults by stratum, those that occurred; with `statistics: {hits: true}`."},
        *hits);
  if (round_trips)
    visit_section(
        v,
        {"round_trips", "",
         "Requests with their replies, in closed-loop traffic (`traffic.mode`). A round trip lasts from the "
         "creation of the request to the last flit of the reply, or of the request if there are no replies; "
         "the figures are of requests created in the measured window."},
        *round_trips);
  if (task_graph)
    visit_section(v,
                  {"task_graph", "",
                   "Execution of a task graph (`traffic.task_graph`). Its edges are among `flows`, with "
                   "`statistics: {flows: true}`."},
                  *task_graph);
  if (collectives)
    visit_section(v,
                  {"collectives", "",
                   "Collectives (`traffic.collectives`). The list has all repetitions of one together; its "
                   "bandwidths are those of the mean time."},
                  *collectives);
  if (flows) flows->visit(v);
  visit_section(
      v,
      {"flits", "",
       "Flits of all kinds, as counted by the routers: injected = consumed + discarded + in_network."},
      flits);
  visit_section(v, {"contract", "", "What the run was checked against."}, contract);
  visit_section(
      v, {"host", "", "Everything that may differ between two runs with the same configuration and seed."},
      host);
}

Results complete_results() {
  static const Mesh pair({2});
  Results results;
  for (const StatisticEntry& entry : optional_statistics().entries())
    results.optional.push_back(entry.make({pair, {}}));
  results.messages.discarded = results.messages.abandoned = 1;
  results.host.inputs.emplace_back();
  results.management.emplace();
  results.vectors.emplace();
  results.probes.emplace();
  results.hits.emplace(1);
  results.round_trips.emplace();
  results.task_graph.emplace();
  results.task_graph->tasks.emplace_back();
  results.collectives.emplace().list.emplace_back();
  results.flows.emplace();
  results.flows->flows.emplace_back();
  results.flows->classes.emplace_back().waits.emplace();
  results.deadlock.cycle.emplace_back();
  results.status.platform = true;
  results.contract.first.emplace_back();
  results.latency.total.histogram.emplace();
  return results;
}

}  // namespace flitmend
