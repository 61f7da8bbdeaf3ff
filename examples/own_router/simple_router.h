// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <systemc>
#include <vector>

#include "rtl_tlm/foreign/router_factory.h"

/// A router of your own in SystemC, for any topology and routing algorithm: a queue per input virtual
/// channel, and per output port an arbiter that goes round the input virtual channels. A flit leaves in the
/// cycle after its arrival, if it can.
class SimpleRouter : public sc_core::sc_module, public flitmend::ForeignRouter {
 public:
  SimpleRouter(sc_core::sc_module_name, flitmend::RouterBoundary& place);

  void evaluate(flitmend::Cycle t) override;
  void clear(flitmend::Cycle t) override;

 private:
  static constexpr unsigned kNone = ~0u;
  struct Input {
    std::deque<flitmend::Flit> queue;
    unsigned output = kNone;  ///< id of the output virtual channel that its message holds
  };

  bool get_output(unsigned input);
  void send_on(flitmend::Cycle t, unsigned port);

  flitmend::RouterBoundary& place_;
  // Ids: port * virtual channels + virtual channel.
  std::vector<Input> inputs_;
  std::vector<bool> taken_;                 ///< by output id
  std::vector<unsigned> last_;              ///< by output port: the input served last
  std::vector<flitmend::Cycle> free_from_;  ///< by output port: its link is busy before this cycle
};
