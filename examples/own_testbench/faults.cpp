// SPDX-License-Identifier: Apache-2.0
// Faults of your own: an initiator writes over a 4x4 mesh while links fail, and the recovery protocol sends
// again what a fault has cut.
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>
#include <systemc>

#include "testbench/configuration/loader.h"
#include "testbench/faults/fault_injector.h"
#include "testbench/network_on_chip.h"

constexpr unsigned kWrites = 1000;
struct Writer : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Writer> socket{"socket"};
  const std::uint64_t address;
  unsigned written = 0;

  SC_HAS_PROCESS(Writer);
  Writer(sc_core::sc_module_name name, std::uint64_t to) : sc_module(name), address(to) { SC_THREAD(work); }
  void work() {
    unsigned char bytes[64] = {};
    for (unsigned i = 0; i < kWrites; ++i) {
      tlm::tlm_generic_payload payload;
      payload.set_write();
      payload.set_address(address);
      payload.set_data_ptr(bytes);
      payload.set_data_length(sizeof bytes);
      payload.set_streaming_width(sizeof bytes);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);  // returns when the reply has arrived
      written += payload.is_response_ok();
    }
  }
};

int sc_main(int, char**) {
  flitmend::NetworkOnChip noc(
      "noc",
      flitmend::parse_configuration(
          "{network: {topology: mesh, size: [4, 4]}, recovery: {protocol: end-to-end}}", "faults", {}));
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  noc.clock(clock);
  Writer writer("writer", noc.address(15));
  writer.socket.bind(noc.sockets(0).target_socket);

  flitmend::FaultSettings settings;  // section faults of a configuration
  settings.link_rate = 1e-4;         // per link and cycle
  settings.duration = {20};          // cycles
  flitmend::FaultInjector faults("faults", noc.fabric(),
                                 flitmend::FaultPlan(settings, noc.topology(), /* seed */ 1));

  sc_core::sc_start(200, sc_core::SC_US);
  const flitmend::Results r = noc.finish();
  std::cout << faults.channel_faults() << " channels failed, " << r.messages.hit << " messages were hit, "
            << writer.written << " of " << kWrites << " writes arrived\n";
  return writer.written == kWrites && r.messages.hit > 0 && r.contract.holds ? 0 : 1;
}
