#include "rtl_tlm/router.h"

#include <array>
#include <boost/format.hpp>
#include <utility>

#include "base/errors.h"
#include "rtl_tlm/network_interface.h"

namespace flitmend {

Router::Router(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : sc_module(name),
      clock("clock"),
      reset("reset"),
      in("in"),
      out("out"),
      context_(context),
      id_(id),
      local_port_(id < context.topology.node_count() ? context.topology.port_count(id) : kNoPort),
      state_(context.hardware, context.topology.port_count(id) + (local_port_ != kNoPort),
             context.routing.max_candidates(), context.messages, *this),
      ring_mask_(context.hardware.ring - 1),
      vc_allocation_cycles_(context.hardware.vc_allocation),
      one_word_(state_.vc_words == 1 && state_.port_words == 1),
      plain_(one_word_ && context.hardware.output_buffer == 0),
      crossbar_by_vc_(context.hardware.crossbar_by_vc),
      link_arbitration_(context.hardware.output_buffer > 0),
      ejection_cycles_(context.hardware.switch_to_output + context.hardware.ejection_latency +
                       context.hardware.receiver_latency),
      looks_at_outputs_(context.routing.looks_at_outputs()),
      classes_(context.routing.classes()),
      class_vcs_(std::size_t{state_.ports} * classes_),
      requests_(state_.ids),
      asking_(one_word_ ? 0 : state_.vc_words),
      granted_(one_word_ ? 0 : state_.ids),
      available_(context.routing.max_candidates()),
      holder_state_(looks_at_outputs_ ? state_.ids : 0),
      random_(context.seed, RandomPurpose::routing, id),
      nobody_(context.hardware.ring),
      wake_(nobody_.data()),
      active_(nobody_.data()) {
  const HardwareParameters& hardware = context.hardware;
  if (state_.ids >= kNoVc)
    throw ConfigurationError(
        (boost::format("router.virtual_channels: %1% on each of %2% ports are %3% virtual channels a router; "
                       "at most 65534 can be told apart: take fewer") %
         state_.vcs % state_.ports % state_.ids)
            .str());
  in.init(state_.ports);
  out.init(state_.ports);
  for (unsigned port = 0; port < state_.ports; ++port) {
    const bool local = port == local_port_;
    for (unsigned c = 0; c < classes_; ++c)
      class_vcs_[port * classes_ + c] =
          local ? low_bits(hardware.vcs) : context.routing.class_vcs(id, static_cast<PortId>(port), c);
    const std::string port_name = local ? "local" : context.topology.port_name(id, static_cast<PortId>(port));
    inputs_.push_back(std::make_unique<InputController>(port_name.c_str(), state_, port));
    state_.status[port].unlimited = local && hardware.unlimited_ejection;
    outputs_.push_back(std::make_unique<OutputController>((port_name + "_output").c_str(), state_, port));
  }
  vc_allocator_ =
      std::make_unique<VcAllocator>("vc_allocator", state_.ids, state_.vcs, hardware.allocator_iterations);
  crossbar_allocator_ = std::make_unique<CrossbarAllocator>("crossbar_allocator", state_.ports, state_.vcs,
                                                            hardware.allocator_iterations);
  crossbar_ = std::make_unique<Crossbar>("crossbar", state_, hardware);
}

Router::~Router() = default;

void Router::attach(NetworkInterface& interface) {
  interface_ = &interface;
}

void Router::attach(RouterRecovery& recovery, const RouterNeeds& needs) {
  recovery_ = &recovery;
  plain_ = false;
  keeps_copies_ = needs.keeps_copies;
}

void Router::set_wake(Word* wake, Word* active, Word bit) {
  wake_ = wake;
  active_ = active;
  wake_bit_ = bit;
}

void Router::end_of_elaboration() {
  for (unsigned port = 0; port < state_.ports; ++port) {
    const auto control = [&](Arrival what) {
      return ArrivalTarget{state_.arriving(what, port / kWordBits), Word{1} << (port % kWordBits), wake_,
                           wake_bit_};
    };
    const auto by_vc = [&](Arrival what) {
      const VcPlace place = state_.vc_place(what, port);
      return VcTarget{place.ring, Word{1} << place.shift, low_bits(state_.vcs) << place.shift, wake_,
                      wake_bit_};
    };
    PortChannels& ends = state_.channels[port];
    if (in[port].size() > 0) {
      ends.in = &in[port]->channel();
      ends.in->set_reader(by_vc(Arrival::flits), control(Arrival::control_in),
                          &state_.arrived_flits[std::size_t{port} * state_.ring]);
    }
    if (out[port].size() > 0) {
      ends.out = &out[port]->channel();
      ends.out->set_writer(by_vc(Arrival::credits), control(Arrival::control_out));
    }
  }
  if (clock.size() > 0) {
    SC_METHOD(on_clock);
    sensitive << clock->posedge_event();
    dont_initialize();
  }
}

void Router::start_of_simulation() {
  for (unsigned port = 0; port < state_.ports; ++port) {
    const PortChannels& ends = state_.channels[port];
    if (ends.in) state_.port[port].in = ends.in->credit_wires();
    if (ends.out) state_.port[port].out = ends.out->flit_wires();
  }
}

void Router::on_clock() {
  if (reset.size() > 0 && reset->read())
    clear();
  else
    evaluate(cycle_);
  context_.next_cycle = ++cycle_;
}

unsigned Router::credits(PortId port) const {
  unsigned sum = 0;
  for (unsigned vc = 0; vc < state_.vcs; ++vc) sum += state_.output[port * state_.vcs + vc].credits;
  return sum;
}

}  // namespace flitmend
