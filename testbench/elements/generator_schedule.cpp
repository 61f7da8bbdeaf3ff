// SPDX-License-Identifier: Apache-2.0
#include "testbench/elements/generator_schedule.h"

#include <algorithm>

#include "testbench/elements/traffic_generator.h"

namespace flitmend {

GeneratorSchedule::GeneratorSchedule(sc_core::sc_module_name name, const Fabric& fabric)
    : sc_module(name), fabric_(fabric) {
  for (auto* list : {&soon_, &woken_}) list->reserve(fabric.node_count());
  sleeping_.reserve(fabric.node_count());
  SC_METHOD(run);
}

void GeneratorSchedule::wake(TrafficGenerator& generator, Cycle cycle) {
  sleeping_.push_back({cycle, generator.node(), &generator});
  std::push_heap(sleeping_.begin(), sleeping_.end());
}

void GeneratorSchedule::wake_soon(TrafficGenerator& generator) {
  soon_.push_back(&generator);
  delta_.notify(sc_core::SC_ZERO_TIME);
}

void GeneratorSchedule::run() {
  woken_.swap(soon_);
  for (TrafficGenerator* generator : woken_) generator->generate();
  woken_.clear();
  // At the time of an edge, before the edge itself: what is sent now is created in that cycle.
  const auto due = [&](Cycle cycle) { return fabric_.edge_time(cycle) <= sc_core::sc_time_stamp(); };
  Cycle now = kNever;  // one whose edge has been found due
  while (!sleeping_.empty() && (sleeping_.front().cycle == now || due(sleeping_.front().cycle))) {
    now = sleeping_.front().cycle;
    TrafficGenerator& generator = *sleeping_.front().generator;
    std::pop_heap(sleeping_.begin(), sleeping_.end());
    sleeping_.pop_back();
    generator.generate();
  }
  if (sleeping_.empty())
    next_trigger(delta_);
  else
    next_trigger(fabric_.edge_time(sleeping_.front().cycle) - sc_core::sc_time_stamp(), delta_);
}

}  // namespace flitmend
