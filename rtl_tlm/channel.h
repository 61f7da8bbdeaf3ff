#pragma once
#include <array>
#include <memory>
#include <systemc>

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
  Word* ports = nullptr;  ///< ports[slot · port_stride] gets port_bit
  std::size_t port_stride = 0;
  Word port_bit = 0;
  Word* wake = nullptr;  ///< wake[slot · wake_stride] gets wake_bit
  std::size_t wake_stride = 0;
  Word wake_bit = 0;

  void announce(unsigned slot) const {
    ports[slot * port_stride] |= port_bit;
    wake[slot * wake_stride] |= wake_bit;
  }
};

/// Where one end of a channel keeps what arrives there: a register a slot, `stride` registers apart. None:
/// the channel keeps it itself.
template <class T>
struct ArrivalRegisters {
  T* first = nullptr;
  std::size_t stride = 0;
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

  unsigned latency() const { return latency_; }
  unsigned credit_latency() const { return credit_latency_; }

  /// The flit arrives at cycle `arrival` = now + delay, delay in 1 … ring − 1.
  void write(Cycle arrival, const Flit& flit) { next(arrival) = flit; }
  /// The same, the caller fills in the register.
  Flit& next(Cycle arrival) {
    const unsigned slot = static_cast<unsigned>(arrival) & mask_;
    reader_.announce(slot);
    return flits_.first[slot * flits_.stride];
  }
  /// The flit register at cycle t; meaningful only where its arrival was announced.
  const Flit& read(Cycle t) const { return flits_.first[(static_cast<unsigned>(t) & mask_) * flits_.stride]; }

  /// Returns one credit of a virtual channel to the writer, to arrive credit_latency cycles after t.
  void send_credit(Cycle t, unsigned vc) {
    const unsigned slot = static_cast<unsigned>(t + credit_latency_) & mask_;
    credits_.first[slot * credits_.stride] |= VcMask{1} << vc;
    writer_.announce(slot);
  }
  /// The credits that arrive at cycle t; reading takes them.
  VcMask take_credits(Cycle t) {
    VcMask& slot = credits_.first[(static_cast<unsigned>(t) & mask_) * credits_.stride];
    const VcMask credits = slot;
    slot = 0;
    return credits;
  }

  bool has(ControlLine line) const { return lines_[static_cast<unsigned>(line)] != nullptr; }
  /// Raises a control line for the virtual channels of `vcs`; arrives as a flit (or a credit) written at t
  /// would.
  void raise(ControlLine, Cycle t, VcMask vcs);
  /// The virtual channels for which the line is high at cycle t; reading takes them.
  VcMask take(ControlLine, Cycle t);

  /// Fault status bit: both ends see it from the cycle after t. Flits, credits and control signals on the
  /// wires are lost.
  void fail(Cycle t);
  void repair(Cycle t);
  bool faulty(Cycle t) const { return t >= status_from_ ? status_ : status_before_; }

  // --- What waves see: registers are not changed by looking ---
  /// The flit that the reader takes at cycle t, null for none. From the end of cycle t − 1 on, and until the
  /// reader has been evaluated at t.
  const Flit* arriving(Cycle t) const {
    const unsigned slot = static_cast<unsigned>(t) & mask_;
    return reader_.ports[slot * reader_.port_stride] & reader_.port_bit ? &flits_.first[slot * flits_.stride]
                                                                        : nullptr;
  }
  /// The virtual channels for which an existing control line arrives high at cycle t, in the same time.
  VcMask arriving(ControlLine line, Cycle t) const {
    return lines_[static_cast<unsigned>(line)][static_cast<unsigned>(t) & mask_];
  }

  /// Flits and credits of a virtual channel on the wires; for checks, O(ring).
  unsigned flits_underway(unsigned vc) const;
  unsigned credits_underway(unsigned vc) const;

  /// Clears every register.
  void reset();

  void set_reader(const ArrivalTarget& flits, const ArrivalTarget& control, ArrivalRegisters<Flit> = {});
  void set_writer(const ArrivalTarget& credits, const ArrivalTarget& control, ArrivalRegisters<VcMask> = {});
  Channel& channel() override { return *this; }

 private:
  void change_status(Cycle t, bool faulty);

  void keep_flits();
  void keep_credits();

  // The writer looks at these to send a flit …
  ArrivalTarget reader_;
  ArrivalRegisters<Flit> flits_;
  unsigned mask_;
  unsigned latency_;
  // … and the reader at these to send a credit.
  ArrivalTarget writer_;
  ArrivalRegisters<VcMask> credits_;
  unsigned credit_latency_;
  std::unique_ptr<Flit[]> own_flits_;
  std::unique_ptr<VcMask[]> own_credits_;
  ArrivalTarget reader_control_;
  ArrivalTarget writer_control_;
  std::array<std::unique_ptr<VcMask[]>, kControlLines> lines_;
  Cycle status_from_ = 0;
  bool status_ = false;
  bool status_before_ = false;
  Word nobody_ = 0;  ///< takes the announcements of an end that nobody is bound to
};

}  // namespace flitmend
