// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/channel.h"

#include <algorithm>
#include <bit>

namespace flitmend {

Channel::Channel(const char* name, unsigned latency, unsigned credit_latency, unsigned ring,
                 ControlLineSet lines, unsigned flit_cycles)
    : part_(name ? std::make_unique<HierarchyPart>(name, "flitmend_channel") : nullptr),
      set_(lines),
      flit_cycles_(flit_cycles) {
  sc_assert(std::has_single_bit(ring) && latency >= 1 && latency < ring && credit_latency >= 1 &&
            credit_latency < ring && flit_cycles >= 1 && flit_cycles <= latency);
  flits_.latency = latency;
  credits_.latency = credit_latency;
  flits_.mask = credits_.mask = ring - 1;
  for (unsigned line = 0; line < kControlLines; ++line)
    if (const LineWires wires = kControlLineTraits[line].wires;
        (lines >> line & 1) && wires != LineWires::as_credits && wires != LineWires::flit_kind)
      lines_[line] = std::make_unique<VcMask[]>(ring);
  // Until a reader and a writer are bound, arrivals go to words owned by the channel and wake nobody.
  const std::size_t words = std::size_t{3} * ring;
  unread_ = std::make_unique<Word[]>(words);
  unwritten_ = std::make_unique<Word[]>(words);
  own_flits_ = std::make_unique<Flit[]>(ring);
  const auto nobody = [&](Word* own, auto&& bind) {
    bind({own, 1, ~Word{0}, own + 2 * ring, 0}, {own + ring, 1, own + 2 * ring, 0, nullptr});
  };
  nobody(unread_.get(),
         [&](const VcTarget& vcs, const ArrivalTarget& control) { bind_reader(vcs, control); });
  nobody(unwritten_.get(),
         [&](const VcTarget& vcs, const ArrivalTarget& control) { bind_writer(vcs, control); });
  flits_.registers = own_flits_.get();
}

namespace {
void bind(CreditWires& wires, const VcTarget& target) {
  wires.vcs = target.vcs;
  wires.first = target.first;
  wires.wake = target.wake;
  wires.wake_bit = target.wake_bit;
}
}  // namespace

void Channel::bind_reader(const VcTarget& flits, const ArrivalTarget& control) {
  bind(flits_, flits);
  all_flits_ = flits.all;
  reader_control_ = control;
}

void Channel::bind_writer(const VcTarget& credits, const ArrivalTarget& control) {
  bind(credits_, credits);
  all_credits_ = credits.all;
  writer_control_ = control;
}

void Channel::set_reader(const VcTarget& flits, const ArrivalTarget& control, Flit* registers) {
  bind_reader(flits, control);
  unread_.reset();
  if (registers)
    own_flits_.reset();
  else if (!own_flits_)
    own_flits_ = std::make_unique<Flit[]>(flits_.mask + 1);
  flits_.registers = registers ? registers : own_flits_.get();
}

void Channel::set_writer(const VcTarget& credits, const ArrivalTarget& control, const MaskRings& rings) {
  bind_writer(credits, control);
  mask_rings_ = rings;
  unwritten_.reset();
}

void Channel::raise_at(ControlLine line, Cycle arrival, VcMask vcs) {
  const unsigned slot = flits_.slot(arrival);
  VcMask& high = lines_[static_cast<unsigned>(line)][slot];
  pulses_[static_cast<unsigned>(line)] += static_cast<unsigned>(std::popcount(vcs & ~high));
  high |= vcs;
  (with_flits(line) ? reader_control_ : writer_control_).announce(slot);
}

VcMask Channel::take(ControlLine line, Cycle t) {
  VcMask& slot = lines_[static_cast<unsigned>(line)][flits_.slot(t)];
  const VcMask high = slot;
  slot = 0;
  return high;
}

void Channel::change_status(Cycle t, bool faulty) {
  status_before_ = this->faulty(t);
  status_ = faulty;
  status_from_ = t + 1;
  const unsigned slot = flits_.slot(t + 1);
  reader_control_.announce(slot);
  writer_control_.announce(slot);
}

void Channel::fail(Cycle t) {
  reset();
  change_status(t, true);
}

void Channel::repair(Cycle t) {
  reset();
  change_status(t, false);
}

unsigned Channel::flits_underway(unsigned vc) const {
  unsigned count = 0;
  for (unsigned slot = 0; slot <= flits_.mask; ++slot) count += (flits_.vcs[slot] & flits_.first << vc) != 0;
  return count;
}

unsigned Channel::credits_underway(unsigned vc) const {
  unsigned count = 0;
  for (unsigned slot = 0; slot <= credits_.mask; ++slot)
    count += (credits_.vcs[slot] & credits_.first << vc) != 0;
  return count;
}

unsigned Channel::flits_underway_beside_vcs() const {
  unsigned count = 0;
  for (unsigned slot = 0; slot <= flits_.mask; ++slot) count += beside_vcs(slot);
  return count;
}

void Channel::reset() {
  for (unsigned slot = 0; slot <= flits_.mask; ++slot) {
    credits_.vcs[slot] &= ~all_credits_;
    flits_.vcs[slot] &= ~all_flits_;
    for (Word* ring : mask_rings_)
      if (ring) ring[slot] &= ~all_credits_;
    for (const ArrivalTarget* end : {&reader_control_, &writer_control_}) end->ports[slot] &= ~end->port_bit;
    for (auto& line : lines_)
      if (line) line[slot] = 0;
  }
}

}  // namespace flitmend
