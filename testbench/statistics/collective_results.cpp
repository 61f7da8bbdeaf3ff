// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/collective_results.h"

#include <algorithm>

namespace flitmend {

void CollectiveResults::visit(ResultsVisitor& v) const {
  v.value({"name", "", "The collective's name, or its number in the order of the list."}, name);
  v.value({"collective", "", "What it does: all-reduce, broadcast, ..."}, collective);
  v.value({"algorithm", "", "How."}, algorithm);
  v.value({"members", "", "Nodes of its group."}, members);
  v.value({"bytes", "bytes", "The whole vector, B."}, bytes);
  v.value({"repetitions", "", "Repetitions that were to be done."}, repetitions);
  v.value({"completed", "", "Repetitions in which every member has received and combined all."}, completed);
  v.value({"begin", "cycles", "Cycle in which the first member began the first repetition."}, begin);
  v.value({"end", "cycles", "Cycle in which the last member completed the last repetition."}, end);
  v.value(
      {"time", "cycles",
       "Mean time t of a completed repetition, from the first member that begins to the last that is done."},
      time);
  v.value({"time_max", "cycles", "The longest one."}, time_max);
  v.value({"algorithm_bandwidth", "bytes/cycle", "B / t."}, algorithm_bandwidth);
  v.value({"bus_bandwidth", "bytes/cycle",
           "Algorithm bandwidth times 2(n - 1) / n (all-reduce), (n - 1) / n (reduce-scatter, all-gather, "
           "all-to-all) or 1 (broadcast), for n members."},
          bus_bandwidth);
  v.value({"bus_flits", "flits/cycle", "Bus bandwidth in flits of link.flit_bytes."}, bus_flits);
  v.value({"algorithm_bytes_per_second", "bytes/s", "Algorithm bandwidth by traffic.clock_mhz."},
          algorithm_bytes_per_second);
  v.value({"bus_bytes_per_second", "bytes/s", "Bus bandwidth by traffic.clock_mhz."}, bus_bytes_per_second);
  v.value({"messages", "", "Messages that its members sent."}, messages);
  v.value({"lost", "", "Those that their senders know to be lost, or abandoned."}, lost);
  v.value({"wrong", "", "Its part of `collectives.wrong`."}, wrong);
  v.value({"missing", "",
           "Why the first repetition that is not complete is not: dead members and lost messages; empty if "
           "all are."},
          missing);
}

void CollectiveSection::visit(ResultsVisitor& v) const {
  std::uint64_t repetitions = 0, completed = 0, wrong = 0;
  std::optional<std::uint64_t> end;
  double time = 0;
  for (const CollectiveResults& one : list) {
    repetitions += one.repetitions;
    completed += one.completed;
    wrong += one.wrong;
    time += one.time.value_or(0) * static_cast<double>(one.completed);
    if (one.end) end = std::max(end.value_or(0), *one.end);
  }
  v.value({"repetitions", "", "Repetitions of all collectives that were to be done."}, repetitions);
  v.value({"completed", "", "Those in which every member has received and combined all."}, completed);
  v.value(
      {"wrong", "",
       "Numbers at members that are not the result: a contribution is missing, or counted twice. Each is a "
       "violation of the contract."},
      wrong);
  v.value({"time", "cycles", "Mean time of the completed ones."},
          completed > 0 ? std::optional(time / static_cast<double>(completed)) : std::nullopt);
  v.value({"end", "cycles", "Cycle in which the last of them was complete."}, end);
  visit_list(v, {"list", "", "The collectives, in the order of `traffic.collectives`."}, list);
}

}  // namespace flitmend
