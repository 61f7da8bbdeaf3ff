// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>

#include "rtl_tlm/foreign/pin_router.h"
#include "rtl_tlm/foreign/router_factory.h"

/// A Verilated router and its pins, at one place of a fabric. Module: what Verilator has made of router.sv;
/// BITS and VCS: FLIT_BITS and VCS of flit_pkg.sv; NODE_BITS: of a node's number.
template <class Module, unsigned BITS = 145, unsigned VCS = 2, unsigned NODE_BITS = 6>
class RtlRouter : public flitmend::PinRouter<BITS, VCS> {
 public:
  Module rtl;

  RtlRouter(sc_core::sc_module_name name, flitmend::RouterBoundary& place, const flitmend::FlitCodec& codec)
      : flitmend::PinRouter<BITS, VCS>(name, place, codec), rtl("rtl"), here_("here") {
    place.set_flits_beyond_buffer(0);  // a credit is on its pins when the flit is
    rtl.clk(place.clock());
    rtl.reset(this->reset);
    rtl.here(here_);
    here_.write(sc_dt::sc_bv<NODE_BITS>(place.id()));
    for (unsigned port = 0; port < place.ports(); ++port) {
      rtl.in_flit[port](this->in_flit[port]);
      rtl.in_valid[port](this->in_valid[port]);
      rtl.in_credit[port](this->in_credit[port]);
      rtl.out_flit[port](this->out_flit[port]);
      rtl.out_valid[port](this->out_valid[port]);
      rtl.out_credit[port](this->out_credit[port]);
    }
  }
  ~RtlRouter() override { rtl.final(); }

 private:
  sc_core::sc_signal<sc_dt::sc_bv<NODE_BITS>> here_;
};

/// A RouterFactory for it.
template <class Module, unsigned BITS = 145>
flitmend::RouterFactory rtl_routers() {
  return [](flitmend::RouterBoundary& place) -> std::unique_ptr<flitmend::ForeignRouter> {
    const flitmend::NetworkContext& network = place.context();
    const flitmend::FlitCodec codec(network.topology, network.hardware);
    return std::make_unique<RtlRouter<Module, BITS>>("rtl_router", place, codec);
  };
}
