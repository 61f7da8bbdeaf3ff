// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <systemc>

#include "base/text.h"
#include "rtl_tlm/foreign/flit_codec.h"
#include "rtl_tlm/foreign/router_boundary.h"

namespace flitmend {

/// How a flit passes a port with pins.
enum class PinProtocol : std::uint8_t {
  /// A flit that is on the pins has been sent; the receiver has said before, with a credit, that it has room.
  credits,
  /// A flit is sent in a cycle in which it is on the pins (valid) and the receiver says that it takes flits
  /// of
  /// its virtual channel (ready).
  ready_valid
};

/// The boundary of a foreign router with pins, without the pins: PinRouter has them. All pins belong to the
/// rising edge: a value on them before the edge of cycle t is sent in cycle t. A flit on an output reaches
/// the next router after the latency of the link, a credit after that of its wire (without
/// router.pipeline.credit: that time is the router's own).
///
/// With ready_valid, the input buffers of the model are here, in front of the pins: each holds the flits of a
/// virtual channel until the router takes them. In every cycle one virtual channel of a port is offered, in
/// turn; what is offered may change until it is taken.
class PinBoundary : public sc_core::sc_module, public ForeignRouter {
 public:
  PinBoundary(sc_core::sc_module_name, RouterBoundary&, const FlitCodec&, PinProtocol);
  const char* kind() const override { return "flitmend_pin_boundary"; }

  unsigned port_count() const { return boundary_.ports(); }
  RouterBoundary& boundary() { return boundary_; }

  void evaluate(Cycle) final;
  void cycle_done(Cycle) final;
  void clear(Cycle) final;

 private:
  // The pins. Reading: their values before the edge.
  virtual void drive_reset(bool) = 0;
  virtual void drive_flit(unsigned port, const FlitCodec::Words&) = 0;
  virtual void drive_valid(unsigned port, bool) = 0;
  virtual void drive_output_side(unsigned port, VcMask) = 0;  ///< credits, or ready
  virtual bool output_valid(unsigned port) const = 0;
  virtual void output_flit(unsigned port, FlitCodec::Words&) const = 0;
  virtual VcMask input_side(unsigned port) const = 0;  ///< credits, or ready

  void take_output(Cycle, unsigned port);
  void offer(unsigned port);

  RouterBoundary& boundary_;
  FlitCodec codec_;
  PinProtocol protocol_;
  FlitCodec::Words found_, expected_;
  std::vector<bool> driven_valid_;
  std::vector<VcMask> driven_output_side_;
  bool in_reset_ = true;
  // With ready_valid:
  std::vector<std::deque<Flit>> waiting_;  ///< by input id
  std::vector<unsigned> offered_;          ///< by port: the virtual channel on the pins
};

/// A router with pins: signals to bind to a module in a hardware description language, for example one that
/// Verilator has made. BITS: of a flit (FlitCodec::bits); VCS: virtual channels, at least 2.
template <unsigned BITS, unsigned VCS>
class PinRouter : public PinBoundary {
 public:
  sc_core::sc_signal<bool> reset;  ///< high before the edge of a reset, and before the first edge
  // By port; to the router:
  sc_core::sc_vector<sc_core::sc_signal<sc_dt::sc_bv<BITS>>> in_flit;
  sc_core::sc_vector<sc_core::sc_signal<bool>> in_valid;
  /// A credit for each virtual channel of the output, or ready for each.
  sc_core::sc_vector<sc_core::sc_signal<sc_dt::sc_bv<VCS>>> out_credit;
  // From the router:
  sc_core::sc_vector<sc_core::sc_signal<sc_dt::sc_bv<BITS>>> out_flit;
  sc_core::sc_vector<sc_core::sc_signal<bool>> out_valid;
  /// A credit for each virtual channel of the input, or ready for each.
  sc_core::sc_vector<sc_core::sc_signal<sc_dt::sc_bv<VCS>>> in_credit;

  PinRouter(sc_core::sc_module_name name, RouterBoundary& boundary, const FlitCodec& codec,
            PinProtocol protocol = PinProtocol::credits)
      : PinBoundary(name, boundary, codec, protocol),
        reset("reset", true),
        in_flit("in_flit", boundary.ports()),
        in_valid("in_valid", boundary.ports()),
        out_credit("out_credit", boundary.ports()),
        out_flit("out_flit", boundary.ports()),
        out_valid("out_valid", boundary.ports()),
        in_credit("in_credit", boundary.ports()) {
    static_assert(VCS >= 2 && VCS <= 32);
    if (codec.bits() != BITS || boundary.vcs() != VCS)
      SC_REPORT_FATAL("flitmend/foreign",
                      formatted("%1%: a flit of this network has %2% bits and %3% virtual channels, but the "
                                "pins are made for %4% and %5%: see flitmend rtl",
                                this->name(), codec.bits(), boundary.vcs(), BITS, VCS)
                          .c_str());
  }

 private:
  void drive_reset(bool value) override { reset.write(value); }
  void drive_flit(unsigned port, const FlitCodec::Words& words) override {
    sc_dt::sc_bv<BITS> bits;
    for (unsigned w = 0; w < words.size(); ++w) bits.set_word(static_cast<int>(w), words[w]);
    in_flit[port].write(bits);
  }
  void drive_valid(unsigned port, bool value) override { in_valid[port].write(value); }
  void drive_output_side(unsigned port, VcMask vcs) override {
    out_credit[port].write(sc_dt::sc_bv<VCS>(static_cast<unsigned>(vcs)));
  }
  bool output_valid(unsigned port) const override { return out_valid[port].read(); }
  void output_flit(unsigned port, FlitCodec::Words& words) const override {
    const sc_dt::sc_bv<BITS>& bits = out_flit[port].read();
    for (unsigned w = 0; w < words.size(); ++w)
      words[w] = static_cast<std::uint32_t>(bits.get_word(static_cast<int>(w)));
  }
  VcMask input_side(unsigned port) const override {
    return static_cast<VcMask>(in_credit[port].read().get_word(0));
  }
};

}  // namespace flitmend
