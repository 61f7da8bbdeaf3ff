// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/flow_results.h"

namespace flitmend {

void FlowResults::visit(ResultsVisitor& v, bool is_class) const {
  v.value({"name", "", is_class ? "The class." : "The flow's name, or its number in the order of the list."},
          name);
  if (!is_class) v.value({"class", "", "The class of its messages; may be empty."}, message_class);
  v.value({"messages", "", "Messages created in the measured window."}, messages);
  v.value(
      {"offered", "flits/cycle", "Flits of the messages created in the measured window, per cycle of it."},
      offered);
  v.value(
      {"accepted", "flits/cycle", "Flits of the messages delivered in the measured window, per cycle of it."},
      accepted);
  v.value({"bandwidth", "bytes/s",
           "Payload of the messages delivered in the measured window, per second by traffic.clock_mhz."},
          bandwidth);
  v.value({"delivered", "",
           "Messages created in the measured window and delivered, whenever; the figures of latency "
           "are of these."},
          delivered);
  v.value({"mean", "cycles", "Mean of the total latency."}, mean);
  v.value({"jitter", "cycles", "Standard deviation of the total latency."}, jitter);
  v.value({"p50", "cycles", "Median of the total latency."}, p50);
  v.value({"p95", "cycles", "95th percentile."}, p95);
  v.value({"p99", "cycles", "99th percentile."}, p99);
  v.value({"p999", "cycles", "99.9th percentile."}, p999);
  v.value({"max", "cycles", "The longest total latency."}, max);
  if (waits) {
    v.value({"longest_wait", "grants",
             "The longest wait at an arbiter: grants to others in a row that the class could have had; with "
             "`router.arbitration` other than round-robin."},
            waits->longest);
    v.value({"wait_bound", "grants", "Proved bound of such waits; null if there is none."}, waits->bound);
    v.value({"starvations", "", "Such waits longer than traffic.starvation_limit."}, waits->starvations);
  }
  if (!is_class)
    v.value({"missed", "", "The target that the flow missed, with the figure that it has; empty if none."},
            missed);
}

void FlowSection::visit(ResultsVisitor& v) const {
  const auto list = [&](const Statistic& statistic, const std::vector<FlowResults>& all, bool is_class) {
    v.begin_list(statistic);
    for (const FlowResults& one : all) {
      v.begin_element();
      one.visit(v, is_class);
      v.end_element();
    }
    v.end_list();
  };
  list({"flows", "",
        "Flows; with `statistics: {flows: true}`, or if a flow has a target. The "
        "parts of closed-loop "
        "traffic and the "
        "classes of a trace are flows too."},
       flows, false);
  list({"classes", "",
        "Classes of messages, all flows of a class together; where there are flows, and "
        "with `traffic.classes`."},
       classes, true);
}

}  // namespace flitmend
