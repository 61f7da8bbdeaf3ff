#include "rtl_tlm/input_controller.h"

#include <boost/format.hpp>
#include <string>

namespace flitmend {

InputController::InputController(sc_core::sc_module_name name, RouterState& state,
                                 const HardwareParameters& p, const MessagePool& messages, unsigned port)
    : sc_module(name),
      state_(state),
      messages_(messages),
      port_(port),
      routing_cycles_(p.routing),
      switching_(p.switching) {
  for (unsigned i = 0; i < p.vcs; ++i)
    vcs_.push_back(
        std::make_unique<VirtualChannel>(("vc" + std::to_string(i)).c_str(), state, port * p.vcs + i));
}

void InputController::overflow(Cycle t, const Flit& flit) const {
  SC_REPORT_FATAL(
      "flitmend/protocol",
      (boost::format(
           "%1%: cycle %2%: flit (%3%) sent into a full buffer of %4% flits: the sender had no credit") %
       name() % t % flit % state_.depth)
          .str()
          .c_str());
}

void InputController::orphan(Cycle t, const Flit& flit) const {
  SC_REPORT_FATAL(
      "flitmend/protocol",
      (boost::format("%1%: cycle %2%: flit (%3%) in an idle virtual channel is no head") % name() % t % flit)
          .str()
          .c_str());
}

}  // namespace flitmend
