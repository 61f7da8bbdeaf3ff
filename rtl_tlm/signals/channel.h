// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <systemc>
#include <utility>

#include "base/bits.h"
#include "rtl_tlm/signals/control_line.h"
#include "rtl_tlm/signals/flit.h"
#include "rtl_tlm/signals/hierarchy_part.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

class Channel;

/// What the ports of routers and network interfaces bind to: both ends of a channel.
class channel_if : public virtual sc_core::sc_interface {
 public:
  virtual Channel& channel() = 0;
};

/// The target to notify of arrivals at one end of a channel: a bit of a port mask and a bit of the fabric's
/// wake-up mask, each in a ring by cycle.
struct ArrivalTarget {
  Word* ports = nullptr;  ///< ports[slot] gets port_bit
  Word port_bit = 0;
  Word* wake = nullptr;  ///< wake[slot] gets wake_bit
  Word wake_bit = 0;
  bool* any = nullptr;  ///< set with it; null: nobody reads it

  void announce(unsigned slot) const {
    ports[slot] |= port_bit;
    wake[slot] |= wake_bit;
    if (any) *any = true;
  }
};

/// The same for flits and credits, which arrive per virtual channel. Several channels may share a mask.
struct VcTarget {
  Word* vcs = nullptr;  ///< a ring by cycle
  Word first = 0;       ///< the bit of virtual channel 0
  Word all = 0;         ///< the bits of all virtual channels of this channel
  Word* wake = nullptr;
  Word wake_bit = 0;
};

/// Where the writer of a channel takes the control lines that arrive as credits do: by line, a ring of masks
/// by cycle, with the bits and the wake-up of its credits. Null: it does not take that line.
class MaskRings {
 public:
  constexpr Word*& operator[](ControlLine line) { return rings_[mask_line(line)]; }
  constexpr Word* operator[](ControlLine line) const { return rings_[mask_line(line)]; }
  constexpr auto begin() { return rings_.begin(); }
  constexpr auto end() { return rings_.end(); }
  constexpr auto begin() const { return rings_.begin(); }
  constexpr auto end() const { return rings_.end(); }

 private:
  std::array<Word*, kMaskLines> rings_{};
};

/// Everything that one end of a channel needs to send a credit.
struct CreditWires {
  Word* vcs = nullptr;  ///< as in VcTarget
  Word first = 0;
  Word* wake = nullptr;
  Word wake_bit = 0;
  unsigned mask = 0;  ///< slots − 1
  unsigned latency = 0;

  unsigned slot(Cycle t) const { return static_cast<unsigned>(t) & mask; }
  /// Announces an arrival on a virtual channel in that cycle. Returns the slot.
  unsigned announce(Cycle arrival, unsigned vc) const {
    const unsigned at = announce_wake(arrival);
    vcs[at] |= first << vc;
    return at;
  }
  /// Wakes the far end in that cycle. Returns the slot.
  unsigned announce_wake(Cycle arrival) const {
    const unsigned at = slot(arrival);
    wake[at] |= wake_bit;
    return at;
  }
};

/// Everything that one end of a channel needs to send a flit.
struct FlitWires : CreditWires {
  Flit* registers = nullptr;  ///< a ring by cycle

  /// Announces a flit that arrives on that virtual channel in that cycle; the caller fills in its register.
  Flit& next(Cycle arrival, unsigned vc) const { return registers[announce(arrival, vc)]; }
};

/// One physical channel: a flit register, credits in the opposite direction, and control lines. All registers
/// are rings indexed by cycle: what is written for cycle t + delay is read in cycle t + delay and not before,
/// so no result depends on the order in which processes run. It carries one flit per flit_cycles(), usually
/// each cycle, and one credit per virtual channel per cycle.
class Channel : public channel_if {
 public:
  /// latency: cycles until all of a flit has arrived; credit_latency: cycles that a credit takes; both at
  /// least 1. ring: slots, a power of two greater than every delay used to write to the channel. flit_cycles:
  /// at least 1; the writer leaves as many cycles from one flit to the next.
  /// name: of its module in SystemC's hierarchy; null: it has none.
  Channel(const char* name, unsigned latency, unsigned credit_latency, unsigned ring,
          ControlLineSet lines = 0, unsigned flit_cycles = 1);

  unsigned latency() const { return flits_.latency; }
  unsigned flit_cycles() const { return flit_cycles_; }
  unsigned credit_latency() const { return credits_.latency; }

  /// What the two ends send with. Both are bound when elaboration has ended.
  const FlitWires& flit_wires() const { return flits_; }
  const CreditWires& credit_wires() const { return credits_; }

  /// The flit arrives in cycle `arrival`, which is 1 … ring − 1 cycles from now.
  void write(Cycle arrival, const Flit& flit) { flits_.next(arrival, flit.vc) = flit; }
  /// The flit register at cycle t; meaningful only where its arrival was announced.
  const Flit& read(Cycle t) const { return flits_.registers[flits_.slot(t)]; }

  /// Returns one credit of a virtual channel to the writer; it arrives credit_latency cycles after t. Routers
  /// use PortState::announce_credit, which does the same.
  void send_credit(Cycle t, unsigned vc) { credits_.announce(t + credits_.latency, vc); }
  /// The same for a control line that arrives as credits do.
  void send_with_credits(ControlLine line, Cycle t, unsigned vc) {
    if (Word* const ring = mask_rings_[line])
      ring[credits_.announce_wake(t + credits_.latency)] |= credits_.first << vc;
  }
  /// The credits that arrive in cycle t; reading removes them.
  VcMask take_credits(Cycle t) {
    Word& slot = credits_.vcs[credits_.slot(t)];
    const Word credits = slot & all_credits_;
    slot &= ~all_credits_;
    return credits / credits_.first;
  }

  bool has(ControlLine line) const { return set_ >> static_cast<unsigned>(line) & 1; }
  bool has_lines() const { return set_ != 0; }
  /// How often the line has been raised for a virtual channel. Not of lines that arrive as credits do.
  std::uint64_t pulses(ControlLine line) const { return pulses_[static_cast<unsigned>(line)]; }
  /// Raises a control line for the virtual channels in `vcs`. It arrives when a flit (or, in the other
  /// direction, a credit) sent at t would.
  void raise(ControlLine line, Cycle t, VcMask vcs) {
    raise_at(line, t + (with_flits(line) ? latency() : credit_latency()), vcs);
  }
  /// The same, but it arrives in that cycle.
  void raise_at(ControlLine, Cycle arrival, VcMask vcs);
  /// The virtual channels for which the line is high in cycle t; reading clears them.
  VcMask take(ControlLine, Cycle t);

  /// Fault status bit: both ends see it from the cycle after t. Flits, credits and control signals on the
  /// wires are lost, as are those sent while the channel is dead.
  void fail(Cycle t);
  void repair(Cycle t);
  bool faulty(Cycle t) const { return t >= status_from_ ? status_ : status_before_; }

  // --- What waves show; reading changes no register ---
  /// The flit that the reader takes in cycle t, null if there is none. Valid from the end of cycle t − 1
  /// until the reader has been evaluated in cycle t.
  const Flit* arriving(Cycle t) const {
    const unsigned slot = flits_.slot(t);
    return (flits_.vcs[slot] & all_flits_) || beside_vcs(slot) ? &flits_.registers[slot] : nullptr;
  }
  /// Whether that flit is on no virtual channel (ControlLine::lane).
  bool arrives_beside_vcs(Cycle t) const { return beside_vcs(flits_.slot(t)); }
  /// The virtual channels for which an existing control line arrives high in cycle t; valid in the same
  /// period.
  VcMask arriving(ControlLine line, Cycle t) const {
    const unsigned slot = flits_.slot(t);
    const LineWires wires = traits_of(line).wires;
    if (wires == LineWires::flit_kind) {
      const Flit* const flit = arriving(t);
      return flit && flit->kind == FlitKind::pad ? VcMask{1} << flit->vc : 0;
    }
    if (wires != LineWires::as_credits) return lines_[static_cast<unsigned>(line)][slot];
    const Word* const ring = mask_rings_[line];
    return ring ? (ring[slot] & all_credits_) / credits_.first : 0;
  }

  /// Flits and credits on the wires, for checks. O(ring).
  template <class F>
  void for_each_flit_underway(F&& f) const {
    for (unsigned slot = 0; slot <= flits_.mask; ++slot)
      if (flits_.vcs[slot] & all_flits_) f(flits_.registers[slot]);
  }
  unsigned flits_underway(unsigned vc) const;
  unsigned credits_underway(unsigned vc) const;
  /// The same for flits that are on no virtual channel.
  unsigned flits_underway_beside_vcs() const;

  /// Clears every register.
  void reset();

  /// The target to notify of arrivals at one end. `registers`: the reader's own ring of arriving flits; null:
  /// the channel keeps them.
  void set_reader(const VcTarget& flits, const ArrivalTarget& control, Flit* registers = nullptr);
  void set_writer(const VcTarget& credits, const ArrivalTarget& control, const MaskRings& = {});
  const MaskRings& mask_rings() const { return mask_rings_; }
  Channel& channel() override { return *this; }

 private:
  std::unique_ptr<HierarchyPart> part_;
  bool beside_vcs(unsigned slot) const {
    const auto& line = lines_[static_cast<unsigned>(ControlLine::lane)];
    return line && line[slot];
  }
  void change_status(Cycle t, bool faulty);
  void bind_reader(const VcTarget&, const ArrivalTarget& control);
  void bind_writer(const VcTarget&, const ArrivalTarget& control);

  FlitWires flits_;
  CreditWires credits_;
  Word all_flits_ = 0;  ///< bits of this channel's flits and credits in the masks
  Word all_credits_ = 0;
  std::unique_ptr<Flit[]> own_flits_;
  ArrivalTarget reader_control_;
  ArrivalTarget writer_control_;
  MaskRings mask_rings_;
  ControlLineSet set_;
  unsigned flit_cycles_;
  std::array<std::unique_ptr<VcMask[]>, kControlLines> lines_;
  std::array<std::uint64_t, kControlLines> pulses_{};
  Cycle status_from_ = 0;
  bool status_ = false;
  bool status_before_ = false;
  std::unique_ptr<Word[]> unread_;  ///< take arrivals while no reader or no writer is bound
  std::unique_ptr<Word[]> unwritten_;
};

}  // namespace flitmend
