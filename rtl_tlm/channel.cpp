#include "rtl_tlm/channel.h"

#include <algorithm>

namespace flitmend {

Channel::Channel(sc_core::sc_module_name name, unsigned latency, unsigned credit_latency, unsigned ring,
                 ControlLineSet lines)
    : sc_module(name), mask_(ring - 1), latency_(latency), credit_latency_(credit_latency) {
  sc_assert(std::has_single_bit(ring) && latency >= 1 && latency < ring && credit_latency >= 1 &&
            credit_latency < ring);
  for (unsigned line = 0; line < kControlLines; ++line)
    if (lines >> line & 1) lines_[line] = std::make_unique<VcMask[]>(ring);
  const ArrivalTarget nobody{&nobody_, 0, 1, &nobody_, 0, 1};
  reader_ = writer_ = reader_control_ = writer_control_ = nobody;
  keep_flits();
  keep_credits();
}

void Channel::keep_flits() {
  own_flits_ = std::make_unique<Flit[]>(mask_ + 1);
  flits_ = {own_flits_.get(), 1};
}

void Channel::keep_credits() {
  own_credits_ = std::make_unique<VcMask[]>(mask_ + 1);
  credits_ = {own_credits_.get(), 1};
}

void Channel::set_reader(const ArrivalTarget& flits, const ArrivalTarget& control,
                         ArrivalRegisters<Flit> registers) {
  reader_ = flits;
  reader_control_ = control;
  if (registers.first) {
    flits_ = registers;
    own_flits_.reset();
  } else if (!own_flits_) {
    keep_flits();
  }
}

void Channel::set_writer(const ArrivalTarget& credits, const ArrivalTarget& control,
                         ArrivalRegisters<VcMask> registers) {
  writer_ = credits;
  writer_control_ = control;
  if (registers.first) {
    credits_ = registers;
    own_credits_.reset();
  } else if (!own_credits_) {
    keep_credits();
  }
}

void Channel::raise(ControlLine line, Cycle t, VcMask vcs) {
  const unsigned delay = with_flits(line) ? latency_ : credit_latency_;
  const unsigned slot = static_cast<unsigned>(t + delay) & mask_;
  lines_[static_cast<unsigned>(line)][slot] |= vcs;
  (with_flits(line) ? reader_control_ : writer_control_).announce(slot);
}

VcMask Channel::take(ControlLine line, Cycle t) {
  VcMask& slot = lines_[static_cast<unsigned>(line)][static_cast<unsigned>(t) & mask_];
  const VcMask high = slot;
  slot = 0;
  return high;
}

void Channel::change_status(Cycle t, bool faulty) {
  status_before_ = this->faulty(t);
  status_ = faulty;
  status_from_ = t + 1;
  const unsigned slot = static_cast<unsigned>(t + 1) & mask_;
  reader_control_.announce(slot);
  writer_control_.announce(slot);
}

void Channel::fail(Cycle t) {
  reset();
  change_status(t, true);
}

void Channel::repair(Cycle t) {
  change_status(t, false);
}

unsigned Channel::flits_underway(unsigned vc) const {
  unsigned count = 0;
  for (unsigned slot = 0; slot <= mask_; ++slot)
    count += (reader_.ports[slot * reader_.port_stride] & reader_.port_bit) != 0 &&
             flits_.first[slot * flits_.stride].vc == vc;
  return count;
}

unsigned Channel::credits_underway(unsigned vc) const {
  unsigned count = 0;
  for (unsigned slot = 0; slot <= mask_; ++slot) count += credits_.first[slot * credits_.stride] >> vc & 1;
  return count;
}

void Channel::reset() {
  for (unsigned slot = 0; slot <= mask_; ++slot) {
    credits_.first[slot * credits_.stride] = 0;
    for (const ArrivalTarget* end : {&reader_, &writer_, &reader_control_, &writer_control_})
      end->ports[slot * end->port_stride] &= ~end->port_bit;
    for (auto& line : lines_)
      if (line) line[slot] = 0;
  }
}

}  // namespace flitmend
