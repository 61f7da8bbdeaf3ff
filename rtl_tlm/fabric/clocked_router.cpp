// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/clocked_router.h"

#include "rtl_tlm/hierarchy/register_objects.h"

namespace flitmend {

ClockedRouter::ClockedRouter(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : Router(name, context, id),
      clock("clock"),
      reset("reset"),
      in("in", port_count()),
      out("out", port_count()),
      context_(context) {
  SC_METHOD(on_clock);
  sensitive << clock.pos();
  dont_initialize();
  if (!context.full_hierarchy()) return;
  register_objects_ = std::make_unique<RegisterObjects>();
  visit_router(*register_objects_, this, *this);
  for (unsigned port = 0; port < port_count(); ++port) {
    visit_port(*register_objects_, input_part(port), *this, port);
    // Ports are bound later, but modules must be created now.
    for (const char* flit : {"input_flit", "output_flit"}) register_objects_->below(input_part(port), flit);
  }
}

ClockedRouter::~ClockedRouter() = default;

void ClockedRouter::end_of_elaboration() {
  for (unsigned port = 0; port < port_count(); ++port) {
    if (in[port].size() > 0) connect_in(port, in[port]->channel());
    if (out[port].size() > 0) connect_out(port, out[port]->channel());
    if (register_objects_) add_channel_registers(port);
  }
}

void ClockedRouter::add_channel_registers(unsigned port) {
  RegisterObjects& objects = *register_objects_;
  if (in[port].size() > 0) {
    visit_flit(objects, objects.below(input_part(port), "input_flit"), in[port]->channel(), *this);
    visit_forward_lines(objects, input_part(port), in[port]->channel(), *this);
  }
  if (out[port].size() > 0) {
    visit_flit(objects, objects.below(input_part(port), "output_flit"), out[port]->channel(), *this);
    visit_backward_lines(objects, output_part(port), out[port]->channel(), *this);
  }
}

void ClockedRouter::on_clock() {
  if (reset.size() > 0 && reset->read())
    clear();
  else
    evaluate(cycle_);
  context_.next_cycle = ++cycle_;
  context_.traces.update();
}

}  // namespace flitmend
