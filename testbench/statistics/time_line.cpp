// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/time_line.h"

#include <algorithm>

namespace flitmend {
namespace {

constexpr std::size_t kMostBins = 1 << 16;

/// Flits that the input buffers of all routers can hold.
std::uint64_t input_slots(const Fabric& fabric) {
  std::uint64_t slots = 0;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = fabric.router(r).state();
    for (unsigned port = 0; port < state.ports(); ++port)
      // Interfaces may write into the buffers of the local port without a channel.
      if (state.channels(port).in || port == state.layout().local_port)
        slots += std::uint64_t{state.vcs()} * state.layout().input_buffer;
  }
  return slots;
}

}  // namespace

TimeLine::Bin& TimeLine::Bin::operator+=(const Bin& more) {
  offered += more.offered;
  accepted += more.accepted;
  delivered += more.delivered;
  latency += more.latency;
  in_flight += more.in_flight;
  buffered += more.buffered;
  nodes += more.nodes;
  return *this;
}

TimeLine::TimeLine(const Topology& topology, std::uint64_t slices)
    : nodes_(topology.node_count()), most_slices_(slices), bins_(kMostBins) {}

CycleObserver* TimeLine::cycle_observer(const Fabric& fabric) {
  fabric_ = &fabric;
  buffer_slots_ = input_slots(fabric);
  return this;
}

TimeLine::Bin& TimeLine::bin_of(Cycle cycle) {
  for (; cycle >> shift_ >= kMostBins; ++shift_)
    for (std::size_t i = 0; i < kMostBins; ++i) {
      const Bin pair = i < kMostBins / 2 ? Bin(bins_[2 * i]) += bins_[2 * i + 1] : Bin();
      bins_[i] = pair;
    }
  return bins_[cycle >> shift_];
}

void TimeLine::message_created(const Message& message) {
  bin_of(message.created).offered += message.length;
}

void TimeLine::message_delivered(const Message& message, Cycle now) {
  Bin& bin = bin_of(now);
  bin.accepted += message.length;
  ++bin.delivered;
  bin.latency += now - message.created;
}

template <class Add>
void TimeLine::for_each_bin(Cycle begin, Cycle end, Add&& add) {
  if (begin < end) bin_of(end - 1);  // the bins are wide enough
  while (begin < end) {
    Bin& bin = bin_of(begin);
    const Cycle bin_end = std::min(((begin >> shift_) + 1) << shift_, end);
    add(bin, bin_end - begin);
    begin = bin_end;
  }
}

void TimeLine::stayed_until(Cycle end) {
  for_each_bin(next_, end, [&](Bin& bin, Cycle cycles) {
    bin.in_flight += in_flight_ * cycles;
    bin.buffered += buffered_ * cycles;
  });
  next_ = std::max(next_, end);
}

void TimeLine::processing_elements(NodeId count, Cycle from) {
  for_each_bin(nodes_until_, from, [&](Bin& bin, Cycle cycles) { bin.nodes += nodes_ * cycles; });
  nodes_until_ = from;
  nodes_ = count;
}

void TimeLine::cycle_done(Cycle t, const Word* evaluated, const Word*, unsigned words) {
  stayed_until(t);
  const NetworkContext& context = fabric_->context();
  in_flight_ = context.flits_injected - context.flits_consumed - context.flits_discarded;
  // A router with flits in its buffers is evaluated in every cycle.
  buffered_ = 0;
  for_each_bit(evaluated, words, [&](unsigned r) {
    const RouterState& state = fabric_->router(r).state();
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      const Word occupied = state.masks(w).occupied;
      for_each_bit(&occupied, 1, [&](unsigned bit) { buffered_ += state.input(w * kWordBits + bit).count; });
    }
  });
  stayed_until(t + 1);
}

void TimeLine::finish(const Fabric& fabric, Cycle) {
  cycles_ = fabric.cycles();
  stayed_until(cycles_);
}

TimeLine::Slice TimeLine::slice(const Bin& sum, Cycle begin, Cycle end) const {
  Slice slice;
  slice.begin = begin;
  slice.cycles = end - begin;
  if (slice.cycles == 0) return slice;
  const auto cycles = static_cast<double>(slice.cycles), nodes = static_cast<double>(sum.nodes);
  if (sum.nodes > 0) {
    slice.offered = static_cast<double>(sum.offered) / nodes;
    slice.accepted = static_cast<double>(sum.accepted) / nodes;
  }
  slice.in_flight = static_cast<double>(sum.in_flight) / cycles;
  if (sum.delivered > 0) slice.mean = static_cast<double>(sum.latency) / static_cast<double>(sum.delivered);
  if (buffer_slots_ > 0)
    slice.occupancy = static_cast<double>(sum.buffered) / cycles / static_cast<double>(buffer_slots_);
  return slice;
}

std::vector<TimeLine::Slice> TimeLine::slices() const {
  if (cycles_ == 0) return {Slice()};
  const std::uint64_t bins = ((cycles_ - 1) >> shift_) + 1, count = std::min(most_slices_, bins);
  std::vector<Slice> slices;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = i * bins / count, last = (i + 1) * bins / count;
    Bin sum;
    for (std::uint64_t bin = first; bin < last; ++bin) sum += bins_[bin];
    slices.push_back(slice(sum, first << shift_, std::min(last << shift_, cycles_)));
  }
  return slices;
}

void TimeLine::Slice::visit(ResultsVisitor& v) const {
  v.value({"begin", "", "The first cycle of the slice."}, begin);
  v.value({"cycles", "cycles", "Its length."}, cycles);
  v.value({"offered", "flits/cycle",
           "Flits of the messages created in the slice, per node that is not dead and cycle."},
          offered);
  v.value({"accepted", "flits/cycle", "Flits of the messages delivered in the slice, likewise."}, accepted);
  v.value({"mean", "cycles", "Mean total latency of the messages delivered in the slice."}, mean);
  v.value({"in_flight", "flits", "Mean number of flits in the network, in buffers and on channels."},
          in_flight);
  v.value({"occupancy", "", "Mean share of the slots of all input buffers that hold a flit."}, occupancy);
}

void TimeLine::visit(ResultsVisitor& v) const {
  visit_list(
      v,
      {"timeline", "",
       "The run in slices of time, from cycle 0 to its end, warm-up and drain included; with `statistics: "
       "{timeline: N}`. A run of fewer than N cycles has a slice for each. Slices of runs of more than "
       "65,536 cycles begin at multiples of a power of two."},
      slices());
}

StatisticEntry timeline_statistic() {
  return {
      .name = "timeline",
      .description =
          "Write offered and accepted flits, latency and flits in the network in this many slices of "
          "time; 0: do not.",
      .most = TimeLine::kMostSlices,
      .make = [](const StatisticContext& c) -> std::unique_ptr<OptionalStatistic> {
        return std::make_unique<TimeLine>(c.topology, std::max<std::uint64_t>(c.number, 1));
      },
  };
}

}  // namespace flitmend
