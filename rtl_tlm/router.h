#pragma once
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_tlm/channel.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/crossbar.h"
#include "rtl_tlm/crossbar_allocator.h"
#include "rtl_tlm/injector.h"
#include "rtl_tlm/input_controller.h"
#include "rtl_tlm/interfaces/router_recovery.h"
#include "rtl_tlm/output_controller.h"
#include "rtl_tlm/vc_allocator.h"

namespace flitmend {

class NetworkInterface;

/// A router: an input and an output controller a port, VC allocator, crossbar allocator, crossbar. Ports are
/// the topology's network ports in their order, then the local port where the router is a node.
///
/// Alone in an sc_main it needs a clock and channels; it evaluates itself at every rising edge. In a fabric,
/// which owns the clock, it is called (evaluate). Ports that lead nowhere need no binding.
class Router : public sc_core::sc_module, private PortStatus, private OutputStatus {
 public:
  using ChannelPort = sc_core::sc_port<channel_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  using BoolPort = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  BoolPort clock;  ///< rising edge; unbound in a fabric
  BoolPort reset;  ///< high at a rising edge clears the router; need not be bound
  sc_core::sc_vector<ChannelPort> in;
  sc_core::sc_vector<ChannelPort> out;

  SC_HAS_PROCESS(Router);
  Router(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~Router() override;

  RouterId id() const { return id_; }
  unsigned port_count() const { return state_.ports; }
  bool has_local_port() const { return local_port_ != kNoPort; }
  unsigned local_port() const { return local_port_; }
  InputController& input(unsigned port) { return *inputs_[port]; }
  const InputController& input(unsigned port) const { return *inputs_[port]; }
  OutputController& output(unsigned port) { return *outputs_[port]; }
  const OutputController& output(unsigned port) const { return *outputs_[port]; }
  const RouterState& state() const { return state_; }
  NetworkContext& context() { return context_; }
  VcAllocator& vc_allocator() { return *vc_allocator_; }
  CrossbarAllocator& crossbar_allocator() { return *crossbar_allocator_; }
  const Crossbar& crossbar() const { return *crossbar_; }

  /// The network interface that this router evaluates with itself.
  void attach(NetworkInterface&);
  /// The injector writes straight into the FIFO banks of the local port.
  void fill_buffers_from(Injector& injector) { injector.bind(state_, local_port_); }
  /// The recovery unit of the chosen protocol.
  void attach(RouterRecovery&, const RouterNeeds&);
  /// A fabric's mask of the routers at which something arrives, a ring by cycle, and its mask of those with
  /// work of their own; this router's bit in both.
  void set_wake(Word* wake, Word* active, Word bit);
  /// The network interface has work of its own.
  void wake_interface() {
    interface_busy_ = true;
    *active_ |= wake_bit_;
  }
  /// Where channels announce what arrives at the network interface, and forgetting it.
  VcTarget interface_target(Arrival what) {
    return {state_.arriving(what), 1, low_bits(state_.vcs), wake_, wake_bit_};
  }
  ArrivalTarget interface_control() {
    return {state_.arriving(Arrival::interface_control), 1, wake_, wake_bit_};
  }
  void forget_interface_arrivals();

  /// What evaluate() looks at first, for a fabric that asks the processor for it beforehand.
  struct Hot {
    Router* router;
    const void* registers;
  };
  Hot hot() { return {this, state_.occupied.data()}; }
  static void prefetch(const Hot& h) {
    constexpr unsigned kOwnLines = 5;
    const auto* own = reinterpret_cast<const std::byte*>(&h.router->state_);
    for (unsigned line = 0; line < kOwnLines; ++line) __builtin_prefetch(own + line * 64);
    __builtin_prefetch(h.registers);
  }
  /// One clock cycle. True while there is work that no arrival will announce.
  bool evaluate(Cycle t);
  /// Clears everything in the router, its interface apart; flits in it are lost.
  void clear();

  // --- What a recovery unit may do to the virtual channels (ids: port · virtual channels + vc) ---
  /// The virtual channel takes and discards flits up to the next tail, then is idle.
  void absorb(Cycle, unsigned input_id);
  /// Appends a flit (a broken tail) behind what stands in the bank, as if it had arrived.
  void append(Cycle, unsigned input_id, const Flit&);
  /// Discards what stands in the bank, copies included, a flit a cycle with its credit; the output is
  /// released at once, the route FSM goes to IDLE when the bank is empty.
  void flush_input(Cycle, unsigned input_id);
  /// Discards what stands in the output buffer.
  void flush_output(unsigned output_id);
  /// Gives the head at the front back to route computation, its output released.
  void reroute(Cycle, unsigned input_id);
  /// Keeps an output virtual channel from being given away, and ends that.
  void hold(unsigned output_id, bool held);
  /// Two-step flow control: frees the oldest copy (the credit goes back), or makes all copies unsent again.
  void free_copy(Cycle, unsigned input_id);
  void rewind(unsigned input_id);
  /// Whether RouterRecovery::evaluate is called every cycle.
  void set_recovery_active(bool active) { recovery_active_ = active; }

 private:
  static constexpr unsigned kNoPort = ~0u;

  void end_of_elaboration() override;
  void start_of_simulation() override;
  void on_clock();
  template <bool kOneWord, bool kPlain>
  bool evaluate_path(Cycle);
  template <bool kOneWord, class Take>
  void take_arrived(Arrival, unsigned slot, const Take&);
  template <bool kOneWord>
  void take_control(Cycle, unsigned slot);
  void control_arrived(Cycle, unsigned slot);
  template <bool kOneWord, bool kPlain>
  void take_credits(unsigned slot);
  template <bool kOneWord, bool kPlain>
  void take_flits(Cycle, unsigned slot);
  void allocate_vcs(Cycle);
  template <bool kOneWord, bool kPlain>
  void allocate_crossbar(Cycle);
  void compute_route(Cycle, unsigned id);
  bool request_vc(Cycle, unsigned id, VcAllocator::Request&);
  bool request_preferred(Cycle, unsigned id, std::uint32_t length, VcAllocator::Request&);
  VcMask available(const RouteCandidate&, std::uint32_t length) const;
  [[gnu::noinline, gnu::cold]] void too_many_candidates(Cycle) const;
  bool ask_for(Cycle, unsigned id, const RouteCandidate&, VcMask free, VcAllocator::Request&);
  void grant_vc(Cycle, unsigned id, unsigned output_id);
  template <bool kPlain>
  void cross(Cycle, unsigned id);
  template <bool kPlain>
  void eject(Cycle, unsigned id);
  template <bool kPlain>
  const Flit& leave(Cycle, unsigned id);
  template <bool kPlain>
  void left(Cycle, unsigned id, unsigned output_id, Flit&);
  void write_head(unsigned id, Flit&);
  void discard(Cycle, unsigned id, const Flit&);
  void absorb_arrived(Cycle);
  RouteRequest route_request(unsigned id);

  bool faulty(PortId port) const override { return state_.status[port].faulty; }
  VcMask free_vcs(PortId port) const override {
    return OutputController::available(state_, port, low_bits(state_.vcs), 1);
  }
  unsigned credits(PortId port) const override;
  std::uint64_t holder_state(PortId port, unsigned vc) const override {
    return holder_state_[port * state_.vcs + vc];
  }

  NetworkContext& context_;
  RouterId id_;
  unsigned local_port_;
  RouterState state_;
  unsigned ring_mask_;
  unsigned vc_allocation_cycles_;
  bool one_word_;
  bool plain_;  ///< one word, no output buffers, no recovery unit
  bool crossbar_by_vc_;
  bool link_arbitration_;
  bool keeps_copies_ = false;
  bool recovery_active_ = false;
  bool any_absorbing_ = false;
  bool any_faulty_ = false;  ///< a port's fault status bit
  bool interface_busy_ = false;
  unsigned ejection_cycles_;
  NetworkInterface* interface_ = nullptr;
  RouterRecovery* recovery_ = nullptr;
  bool looks_at_outputs_;
  unsigned classes_;
  std::vector<VcMask> class_vcs_;               ///< by port and class
  std::vector<VcAllocator::Request> requests_;  ///< room for all input ids
  // Where masks take several words: input ids that ask for the crossbar, and those that cross.
  std::vector<Word> asking_;
  std::vector<std::uint16_t> granted_;
  std::vector<VcMask> available_;
  std::vector<std::uint64_t> holder_state_;  ///< by output id; empty unless the routing looks at outputs
  RandomStream random_;
  std::vector<std::unique_ptr<InputController>> inputs_;
  std::vector<std::unique_ptr<OutputController>> outputs_;
  std::unique_ptr<VcAllocator> vc_allocator_;
  std::unique_ptr<CrossbarAllocator> crossbar_allocator_;
  std::unique_ptr<Crossbar> crossbar_;
  std::vector<Word> nobody_;  ///< takes the announcements of a router alone
  Word* wake_;
  Word* active_;
  Word wake_bit_ = 0;
  Cycle cycle_ = 0;  ///< of a router alone
};

}  // namespace flitmend
