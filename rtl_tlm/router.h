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
  /// A fabric's wake-up mask: one ring slot every `stride` words.
  void set_wake(Word* wake, std::size_t stride, Word bit);

  /// Asks the processor for what evaluate() will look at.
  void prefetch() const {
    __builtin_prefetch(&state_);
    __builtin_prefetch(reinterpret_cast<const char*>(&state_) + 64);
    __builtin_prefetch(reinterpret_cast<const char*>(&state_) + 128);
    __builtin_prefetch(reinterpret_cast<const char*>(&state_) + 192);
    state_.prefetch();
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
  void on_clock();
  // kWords: words of the masks of ports and of virtual channels, 0: any number.
  template <unsigned kWords>
  bool evaluate_words(Cycle);
  template <unsigned kWords>
  void take_arrivals(Cycle);
  void take_control(Cycle, unsigned slot);
  template <unsigned kWords>
  void allocate_vcs(Cycle);
  template <unsigned kWords>
  void allocate_crossbar(Cycle);
  void compute_route(Cycle, unsigned id);
  void request_vc(Cycle, unsigned id);
  void grant_vc(Cycle, unsigned id, unsigned output_id);
  void cross(Cycle, unsigned id);
  void discard(Cycle, unsigned id, const Flit&);
  void absorb_arrived(Cycle);
  RouteRequest route_request(unsigned id);

  bool faulty(PortId port) const override { return state_.port[port].faulty; }
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
  bool crossbar_by_vc_;
  bool link_arbitration_;
  bool keeps_copies_ = false;
  bool recovery_active_ = false;
  bool any_absorbing_ = false;
  unsigned ejection_cycles_;
  NetworkInterface* interface_ = nullptr;
  RouterRecovery* recovery_ = nullptr;
  bool looks_at_outputs_;
  unsigned classes_;
  std::vector<VcMask> class_vcs_;  ///< by port and class
  std::vector<VcAllocator::Request> requests_;
  std::vector<std::uint16_t> granted_;  ///< input ids that cross in this cycle
  std::vector<VcMask> available_;
  std::vector<std::uint64_t> holder_state_;  ///< by output id; empty unless the routing looks at outputs
  RandomStream random_;
  std::vector<std::unique_ptr<InputController>> inputs_;
  std::vector<std::unique_ptr<OutputController>> outputs_;
  std::unique_ptr<VcAllocator> vc_allocator_;
  std::unique_ptr<CrossbarAllocator> crossbar_allocator_;
  std::unique_ptr<Crossbar> crossbar_;
  Word nobody_ = 0;
  Word* wake_ = &nobody_;
  std::size_t wake_stride_ = 0;
  Word wake_bit_ = 0;
  Cycle cycle_ = 0;  ///< of a router alone
};

}  // namespace flitmend
