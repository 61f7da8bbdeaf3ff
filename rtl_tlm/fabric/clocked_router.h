// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>

#include "rtl_tlm/router/router.h"

namespace flitmend {

class RegisterObjects;

/// A stand-alone router for your own sc_main: clock, reset, channels in and out. It evaluates itself at every
/// rising edge and counts the cycles of its NetworkContext: all routers in one context have the same clock.
/// Its channels need the ring size of that context's hardware, and HardwareParameters::link_credit_latency as
/// credit latency, so that routers process credits as in a Fabric.
class ClockedRouter : public Router {
 public:
  using ChannelPort = sc_core::sc_port<channel_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  sc_core::sc_in<bool> clock;
  BoolPort reset;  ///< high at a rising edge clears the router; need not be bound
  /// By port; a port that leads nowhere need not be bound.
  sc_core::sc_vector<ChannelPort> in;
  sc_core::sc_vector<ChannelPort> out;

  SC_HAS_PROCESS(ClockedRouter);
  ClockedRouter(sc_core::sc_module_name, NetworkContext&, RouterId);
  ~ClockedRouter() override;

 private:
  void end_of_elaboration() override;
  void add_channel_registers(unsigned port);
  void on_clock();

  NetworkContext& context_;
  Cycle cycle_ = 0;
  std::unique_ptr<RegisterObjects> register_objects_;
};

}  // namespace flitmend
