// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <systemc>
#include <utility>

#include "base/bits.h"
#include "rtl_tlm/flit.h"
#include "rtl_tlm/interfaces/routing_function.h"
#include "rtl_tlm/message.h"

namespace flitmend {

class Channel;

/// What the ports of routers and network interfaces bind to: both ends of a channel.
class channel_if : public virtual sc_core::sc_interface {
 public:
  virtual Channel& channel() = 0;
};

/// Control lines of the recovery protocols, a bit a virtual channel. A line exists only where the protocol
/// asks for it.
enum class ControlLine : std::uint8_t {
  // with the flits
  forward_kill,  ///< FKILL
  pad,           ///< PAD
  // against the flits
  backward_kill,    ///< BKILL
  copied,           ///< COPIED: the next node holds a copy
  freed,            ///< FREED: the buffer's slot is free
  tail_gone,        ///< TAILGONE: the next node has received the tail
  resynchronise,    ///< RESYNC: the next node's virtual channel is idle again
  acknowledgement,  ///< of a circuit
};
inline constexpr unsigned kControlLines = 8;
constexpr bool with_flits(ControlLine line) {
  return line <= ControlLine::pad;
}
using ControlLineSet = std::uint8_t;
constexpr ControlLineSet line_bit(ControlLine line) {
  return static_cast<ControlLineSet>(1u << static_cast<unsigned>(line));
}

/// Where a channel announces what arrives at one of its ends: a bit of a port mask and a bit of the fabric's
/// wake-up mask, each in a ring by cycle.
struct ArrivalTarget {
  Word* ports = nullptr;  ///< ports[slot] gets port_bit
  Word port_bit = 0;
  Word* wake = nullptr;  ///< wake[slot] gets wake_bit
  Word wake_bit = 0;
  bool* any = nullptr;  ///< set with it; null: nobody looks

  void announce(unsigned slot) const {
    ports[slot] |= port_bit;
    wake[slot] |= wake_bit;
    if (any) *any = true;
  }
};

/// The same for what arrives by virtual channel, flits and credits: masks in which several channels may have
/// their places.
struct VcTarget {
  Word* vcs = nullptr;  ///< a ring by cycle
  Word first = 0;       ///< the bit of virtual channel 0
  Word all = 0;         ///< the bits of all virtual channels of this channel
  Word* wake = nullptr;
  Word wake_bit = 0;
};

/// All that an end of a channel looks at to send a credit.
struct CreditWires {
  Word* vcs = nullptr;  ///< as in VcTarget
  Word first = 0;
  Word* wake = nullptr;
  Word wake_bit = 0;
  unsigned mask = 0;  ///< slots − 1
  unsigned latency = 0;

  unsigned slot(Cycle t) const { return static_cast<unsigned>(t) & mask; }
  /// Announces something of a virtual channel for that cycle. Returns the slot.
  unsigned announce(Cycle arrival, unsigned vc) const {
    const unsigned at = slot(arrival);
    vcs[at] |= first << vc;
    wake[at] |= wake_bit;
    return at;
  }
};

/// All that an end of a channel looks at to send a flit.
struct FlitWires : CreditWires {
  Flit* registers = nullptr;  ///< a ring by cycle

  /// Announces the flit that arrives in that cycle by that virtual channel; the caller fills in its register.
  Flit& next(Cycle arrival, unsigned vc) const { return registers[announce(arrival, vc)]; }
};

/// One physical channel: a flit register one way, credits and control lines beside it. All registers are
/// rings of cycles: what is written for cycle t + delay is read in cycle t + delay and not before, so no
/// result depends on the order in which processes run. One flit and one credit a virtual channel a cycle.
class Channel : public sc_core::sc_module, public channel_if {
 public:
  /// latency: cycles that a flit takes, credit_latency: cycles back, both at least 1; ring: slots, a power of
  /// two above every delay with which the channel is written.
  Channel(sc_core::sc_module_name, unsigned latency, unsigned credit_latency, unsigned ring,
          ControlLineSet lines = 0);

  unsigned latency() const { return flits_.latency; }
  unsigned credit_latency() const { return credits_.latency; }

  /// What either end sends with; both are bound once the elaboration is over.
  const FlitWires& flit_wires() const { return flits_; }
  const CreditWires& credit_wires() const { return credits_; }

  /// The flit arrives at cycle `arrival` = now + delay, delay in 1 … ring − 1.
  void write(Cycle arrival, const Flit& flit) { flits_.next(arrival, flit.vc) = flit; }
  /// The flit register at cycle t; meaningful only where its arrival was announced.
  const Flit& read(Cycle t) const { return flits_.registers[flits_.slot(t)]; }

  /// Returns one credit of a virtual channel to the writer, to arrive credit_latency cycles after t. Routers
  /// use PortState::announce_credit, which does the same.
  void send_credit(Cycle t, unsigned vc) { credits_.announce(t + credits_.latency, vc); }
  /// The credits that arrive at cycle t; reading takes them.
  VcMask take_credits(Cycle t) {
    Word& slot = credits_.vcs[credits_.slot(t)];
    const Word credits = slot & all_credits_;
    slot &= ~all_credits_;
    return credits / credits_.first;
  }

  bool has(ControlLine line) const { return lines_[static_cast<unsigned>(line)] != nullptr; }
  /// Raises a control line for the virtual channels of `vcs`; arrives as a flit (or a credit) written at t
  /// would.
  void raise(ControlLine, Cycle t, VcMask vcs);
  /// The virtual channels for which the line is high at cycle t; reading takes them.
  VcMask take(ControlLine, Cycle t);

  /// Fault status bit: both ends see it from the cycle after t. Flits, credits and control signals on the
  /// wires are lost, also those that were sent onto a dead channel.
  void fail(Cycle t);
  void repair(Cycle t);
  bool faulty(Cycle t) const { return t >= status_from_ ? status_ : status_before_; }

  // --- What waves see: registers are not changed by looking ---
  /// The flit that the reader takes at cycle t, null for none. From the end of cycle t − 1 on, and until the
  /// reader has been evaluated at t.
  const Flit* arriving(Cycle t) const {
    const unsigned slot = flits_.slot(t);
    return flits_.vcs[slot] & all_flits_ ? &flits_.registers[slot] : nullptr;
  }
  /// The virtual channels for which an existing control line arrives high at cycle t, in the same time.
  VcMask arriving(ControlLine line, Cycle t) const {
    return lines_[static_cast<unsigned>(line)][flits_.slot(t)];
  }

  /// Flits and credits of a virtual channel on the wires; for checks, O(ring).
  template <class F>
  void for_each_flit_underway(F&& f) const {
    for (unsigned slot = 0; slot <= flits_.mask; ++slot)
      if (flits_.vcs[slot] & all_flits_) f(flits_.registers[slot]);
  }
  unsigned flits_underway(unsigned vc) const;
  unsigned credits_underway(unsigned vc) const;

  /// Clears every register.
  void reset();

  /// Who hears of what arrives at an end. `registers`: a slot each, where the reader keeps the flits that
  /// arrive; null: the channel keeps them.
  void set_reader(const VcTarget& flits, const ArrivalTarget& control, Flit* registers = nullptr);
  void set_writer(const VcTarget& credits, const ArrivalTarget& control);
  Channel& channel() override { return *this; }

 private:
  void change_status(Cycle t, bool faulty);
  void bind_reader(const VcTarget&, const ArrivalTarget& control);
  void bind_writer(const VcTarget&, const ArrivalTarget& control);

  FlitWires flits_;
  CreditWires credits_;
  Word all_flits_ = 0;  ///< the places of this channel's flits, and of its credits
  Word all_credits_ = 0;
  std::unique_ptr<Flit[]> own_flits_;
  ArrivalTarget reader_control_;
  ArrivalTarget writer_control_;
  std::array<std::unique_ptr<VcMask[]>, kControlLines> lines_;
  Cycle status_from_ = 0;
  bool status_ = false;
  bool status_before_ = false;
  std::unique_ptr<Word[]> unread_;  ///< takes what arrives while nobody reads, and while nobody writes
  std::unique_ptr<Word[]> unwritten_;
};

}  // namespace flitmend
