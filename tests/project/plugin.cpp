// SPDX-License-Identifier: Apache-2.0
// A network inside a shared library, as co-simulation and language bindings have it.
#include "testbench/configuration/loader.h"
#include "testbench/network_on_chip.h"

/// Sends a message from corner to corner. 0 if it has arrived.
extern "C" int simulate() {
  flitmend::NetworkOnChip noc(
      "noc", flitmend::parse_configuration("network: {topology: mesh, size: [3, 3]}", "plugin", {}));
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  noc.clock(clock);
  sc_core::sc_start(1, sc_core::SC_NS);
  noc.fabric().network_interface(0).send(8, 5);
  sc_core::sc_start(1, sc_core::SC_US);
  const flitmend::Results r = noc.finish();
  return r.contract.holds && r.messages.delivered == 1 ? 0 : 1;
}
