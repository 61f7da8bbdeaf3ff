// SPDX-License-Identifier: Apache-2.0
// A testbench of your own: a 4x4 mesh of routers with your own TLM-2.0 initiator and target on every node.
// Each initiator writes 64 bytes to the memory of the opposite node and reads them back, all at the same
// time.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <systemc>
#include <vector>

#include "testbench/configuration/loader.h"
#include "testbench/network_on_chip.h"

constexpr unsigned kBytes = 64;
struct Writer : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Writer> socket{"socket"};
  const std::uint64_t address;  ///< of the opposite node's memory
  bool checked = false;

  SC_HAS_PROCESS(Writer);
  Writer(sc_core::sc_module_name name, std::uint64_t to) : sc_module(name), address(to) { SC_THREAD(work); }

  tlm::tlm_response_status access(tlm::tlm_command command, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(kBytes);
    payload.set_streaming_width(kBytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);  // returns when the reply has arrived
    return payload.get_response_status();
  }
  void work() {
    std::vector<unsigned char> sent(kBytes), received(kBytes);
    for (unsigned i = 0; i < kBytes; ++i) sent[i] = static_cast<unsigned char>(address / 256 + i);
    checked = access(tlm::TLM_WRITE_COMMAND, sent) == tlm::TLM_OK_RESPONSE &&
              access(tlm::TLM_READ_COMMAND, received) == tlm::TLM_OK_RESPONSE && sent == received;
  }
};

struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(4096);

  explicit Memory(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::access);
  }
  void access(tlm::tlm_generic_payload& p,
              sc_core::sc_time&) {  // the network refuses addresses from 4096 on
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(p.get_address());
    if (p.is_write()) std::copy_n(p.get_data_ptr(), p.get_data_length(), at);
    if (p.is_read()) std::copy_n(at, p.get_data_length(), p.get_data_ptr());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

int sc_main(int, char**) {
  // The configuration may be a file as well: NetworkOnChip noc("noc", "mesh.yaml").
  flitmend::NetworkOnChip noc(
      "noc", flitmend::parse_configuration("network: {topology: mesh, size: [4, 4]}", "own_testbench", {}));
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  noc.clock(clock);
  std::vector<std::unique_ptr<Writer>> writers;
  std::vector<std::unique_ptr<Memory>> memories;
  for (flitmend::NodeId node = 0; node < noc.topology().node_count(); ++node) {
    writers.push_back(
        std::make_unique<Writer>(sc_core::sc_gen_unique_name("writer"), noc.address(15 - node)));
    memories.push_back(std::make_unique<Memory>(sc_core::sc_gen_unique_name("memory")));
    writers[node]->socket.bind(noc.sockets(node).target_socket);
    noc.sockets(node).initiator_socket.bind(memories[node]->socket);
  }
  sc_core::sc_start(1, sc_core::SC_US);
  const flitmend::Results r = noc.finish();
  const auto good = std::ranges::count_if(writers, [](const auto& writer) { return writer->checked; });
  std::cout << good << " of 16 nodes read back what they wrote; " << noc.fabric().flit_hops()
            << " flit-hops, " << *r.latency.total.mean << " cycles per message\n";
  // The distances of all opposite pairs add up to 64 channels. A write takes 10 flits there and 2 back; a
  // read takes 2 there and 10 back.
  return good == 16 && noc.fabric().flit_hops() == 64 * 24 && r.contract.holds ? 0 : 1;
}
