// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "base/random_stream.h"
#include "rtl_tlm/router/router.h"
#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// What a foreign router has done wrong at one of its channels.
enum class ViolationKind : std::uint8_t {
  credit_overflow,  ///< a flit leaves without a credit
  credit_returned,  ///< a credit is returned for a slot that holds no flit
  buffer_overflow,  ///< a flit arrives at a full buffer, because credits have been returned too often
  no_head,          ///< a flit that is not a head leaves on a virtual channel that no message holds
  interleaving,     ///< flits of two messages are mixed on a virtual channel
  missing_tail,     ///< the tail of a message has not left
  invented,         ///< a flit leaves that has not entered, or has left before
  lost,             ///< a flit has entered and does not leave
  altered,          ///< a flit leaves with other contents than it had
  misrouted,        ///< a head takes a port or class that the routing function does not offer
  starvation,       ///< a flit that could leave waits for longer than the bound
  two_flits         ///< two flits leave at one port in one cycle, or while its link is busy with the first
};
const char* to_string(ViolationKind);

struct ContractViolation {
  ViolationKind kind;
  RouterId router;
  unsigned port;
  unsigned vc;
  Cycle cycle;
  std::string text;  ///< says all of this, and which message is concerned
};

/// The environment of a foreign router: its channels, and a monitor of their traffic. In the fabric it has
/// the place of an ordinary Router, whose registers follow that traffic: input buffers hold the flits whose
/// credits have not been returned, output virtual channels their owners and credits. So waves, statistics,
/// the count of flits and credits, and the watchdog treat it like any other router.
///
/// Ports are numbered as a Router's: the network ports in the topology's order, then the local port.
///
/// Faults may strike elsewhere, under a recovery protocol whose signals do not pass through routers: all that
/// the router sees of them are tails that end pieces of messages. It cannot fail itself. Its links and
/// neighbours cannot fail either, because no wire tells it about a fault (Fabric::next_to_foreign).
///
/// A flit or credit that breaks the contract is reported by SC_REPORT_ERROR "flitmend/contract", which ends
/// the simulation unless sc_report_handler says otherwise. If it goes on, the flit is discarded.
class RouterBoundary final : private ReplacedCycle {
 public:
  static constexpr unsigned kStarvationBound = 1000;  ///< cycles
  static constexpr unsigned kLostAfter = 256;         ///< cycles

  /// `clock`: the fabric's. Throws KeyError if the hardware cannot have foreign routers.
  RouterBoundary(Router&, NetworkContext&, sc_core::sc_in<bool>& clock);
  RouterBoundary(const RouterBoundary&) = delete;
  RouterBoundary& operator=(const RouterBoundary&) = delete;
  ~RouterBoundary();
  /// Throws KeyError if hardware with these parameters cannot have foreign routers.
  static void check(const HardwareParameters&);

  // --- Its place ---
  RouterId id() const { return router_.id(); }
  std::string name() const { return context_.topology.router_name(id()); }
  const NetworkContext& context() const { return context_; }
  unsigned ports() const { return state_.ports(); }
  unsigned vcs() const { return state_.vcs(); }
  /// Flits per input virtual channel for which the other end has credits, and per output virtual channel for
  /// which this router has credits after a reset.
  unsigned buffer() const { return context_.hardware.router.input_buffer; }
  bool has_input(unsigned port) const { return state_.channels(port).in != nullptr; }
  bool has_output(unsigned port) const { return state_.channels(port).out != nullptr; }
  sc_core::sc_in<bool>& clock() { return clock_; }
  const Message& message(const Flit& flit) const { return context_.messages[flit.message]; }
  /// What the routing function gives a head that has arrived at that input virtual channel, best first.
  const std::vector<RouteCandidate>& route(unsigned port, unsigned vc, const Message&);
  /// Cycles for which a flit occupies the link of an output: the next flit can leave after that.
  unsigned flit_cycles(unsigned port) const {
    const Channel* const out = state_.channels(port).out;
    return out ? out->flit_cycles() : 1;
  }
  /// Whether a flit may leave in cycle t: the link is not busy with another.
  bool link_free(Cycle t, unsigned port) const;
  /// The virtual channels of a candidate.
  VcMask vcs_of(const RouteCandidate& c) { return state_.class_vcs(c.port, c.vc_class); }

  // --- In ForeignRouter::evaluate(t) ---
  /// The flit that has arrived at a port in this cycle; none: null.
  const Flit* arrived(unsigned port) const { return arrived_[port] ? &*arrived_[port] : nullptr; }
  /// The output virtual channels of a port for which a credit has arrived in this cycle.
  VcMask credits(unsigned port) const { return credits_[port]; }
  /// Credits of an output virtual channel, those of this cycle included: flits that may leave.
  unsigned room(unsigned port, unsigned vc) const { return state_.output(port * vcs() + vc).credits; }
  /// A flit, as it has arrived but for its virtual channel, goes onto the wire `after` cycles from now. The
  /// next router has it as many cycles later as the link takes.
  void send(Cycle t, unsigned port, const Flit&, unsigned after = 0);
  /// The slot of a flit that has arrived at an input virtual channel is free again: the credit goes onto the
  /// wire `after` cycles from now. The time that the fabric's routers need for a credit is part of this: they
  /// would give router.pipeline.credit.
  void return_credit(Cycle t, unsigned port, unsigned vc, unsigned after = 0);

  // --- In ForeignRouter::cycle_done(t) ---
  /// What arrives in cycle t + 1.
  const Flit* arriving(Cycle t, unsigned port) const;
  VcMask credits_arriving(Cycle t, unsigned port);

  // --- The monitor ---
  /// Cycles for which a flit that could leave may wait.
  void set_starvation_bound(unsigned cycles) { starvation_bound_ = cycles; }
  /// Flits of an input virtual channel that may be inside although their credits have been returned: those
  /// between its buffer and the pins. By default as many as in the fabric's routers. kAnyFlits: it has
  /// buffers of its own; then a message may also overtake the one before it on its input, at another output.
  void set_flits_beyond_buffer(unsigned flits) { flits_beyond_buffer_ = flits; }
  static constexpr unsigned kAnyFlits = ~0u;
  /// The flit inside this router with that name; none: null.
  const Flit* inside(NodeId source, std::uint32_t message_id, std::uint32_t number) const;
  /// The same by packet, where copies of a message may be under way (FlitField::packet).
  const Flit* inside(MessageIndex packet, std::uint32_t number) const;
  /// Flits inside this router.
  std::uint64_t flits_inside() const;
  /// What has been found so far; the first kMostKept.
  const std::vector<ContractViolation>& violations() const { return violations_; }
  static constexpr std::size_t kMostKept = 1000;
  /// Reports what a wrapper has found, for example in the bits of a flit. `output`: at an output.
  void report(Cycle, ViolationKind, bool output, unsigned port, unsigned vc, const std::string& what);
  /// "data 3 of message 7 of router_0_0 to router_5_5"
  std::string describe(const Flit&) const;

  // --- For the fabric ---
  void attach(std::unique_ptr<ForeignRouter> router);
  void cycle_done(Cycle t) { foreign_->cycle_done(t); }
  void clear(Cycle t);

 private:
  struct Inside {
    Flit flit;
    Cycle entered;
  };

  void evaluate(Cycle) override;
  void take_arrivals(Cycle);
  void enter(Cycle, unsigned id, const Flit&);
  void front_changed(unsigned id);
  bool may_leave(unsigned id);
  void watch(Cycle);
  /// The input virtual channel and place of a flit that leaves; nullopt after a report.
  struct Place {
    unsigned id;
    std::size_t position;
  };
  std::optional<Place> find(const Flit&) const;
  /// Output virtual channel that a message holds, kNoVc for none.
  unsigned output_of(MessageIndex) const;
  /// Whether flits of an input virtual channel leave in their order, whatever their outputs.
  bool in_order() const { return flits_beyond_buffer_ != kAnyFlits; }
  void lose_before(Cycle, unsigned id, const Flit&);
  bool tail_has_gone(MessageIndex) const;
  bool accept_on(Cycle, unsigned port, unsigned id, const Flit&);
  void head_leaves(Cycle, unsigned port, unsigned id, const Flit&);
  /// Takes the flit at that place out of the list.
  Inside take(unsigned id, std::size_t position);
  void discard(unsigned id, std::size_t position);
  void end_message(unsigned id, MessageIndex);

  Router& router_;
  NetworkContext& context_;
  RouterState state_;
  sc_core::sc_in<bool>& clock_;
  std::unique_ptr<ForeignRouter> foreign_;
  RandomStream random_;
  std::vector<std::deque<Inside>> inside_;  ///< by input id, oldest first
  std::vector<MessageIndex> holders_;       ///< by output id: the message that holds it
  std::vector<unsigned> waited_;            ///< by input id: cycles in which the oldest could have left
  std::vector<std::optional<Flit>> arrived_;
  std::vector<VcMask> credits_;
  std::vector<Cycle> last_arrival_;  ///< by port: when the last flit sent reaches the next router
  std::vector<RouteCandidate> candidates_;
  unsigned starvation_bound_ = kStarvationBound;
  unsigned flits_beyond_buffer_;
  std::vector<ContractViolation> violations_;
};

}  // namespace flitmend
