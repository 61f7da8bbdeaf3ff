// SPDX-License-Identifier: Apache-2.0
// A mesh with routers of your own in it: own_router MESH.yaml. The core at one corner writes to the memory at
// the opposite one and reads back; two routers on the path of the requests are SimpleRouters. Replies take
// another path.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "simple_router.h"
#include "testbench/network_on_chip.h"
#include "testbench/run_end.h"

namespace {

constexpr unsigned kBytes = 64;

struct Core : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Core> socket{"socket"};
  const std::uint64_t address;
  unsigned right = 0;

  SC_HAS_PROCESS(Core);
  Core(sc_core::sc_module_name name, std::uint64_t to) : sc_module(name), address(to) { SC_THREAD(work); }

  bool access(tlm::tlm_command command, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(bytes.data());
    p.set_data_length(kBytes);
    p.set_streaming_width(kBytes);
    sc_core::sc_time delay;
    socket->b_transport(p, delay);
    return p.is_response_ok();
  }
  void work() {
    for (unsigned char turn = 0; turn < 100; ++turn) {
      std::vector<unsigned char> sent(kBytes, turn), received(kBytes);
      right +=
          access(tlm::TLM_WRITE_COMMAND, sent) && access(tlm::TLM_READ_COMMAND, received) && sent == received;
    }
  }
};

struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(4096);

  explicit Memory(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::access);
  }
  void access(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(p.get_address());
    if (p.is_write()) std::copy_n(p.get_data_ptr(), p.get_data_length(), at);
    if (p.is_read()) std::copy_n(at, p.get_data_length(), p.get_data_ptr());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

int simulate(const char* configuration) {
  // Called once per router: returns yours for the places that you choose, and null for the others.
  const flitmend::RouterFactory simple = [](flitmend::RouterBoundary& place) {
    return std::make_unique<SimpleRouter>("simple", place);
  };
  flitmend::NetworkOnChip noc("noc", configuration, {}, flitmend::routers_at({{1, 0}, {2, 0}}, simple));
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  noc.clock(clock);
  Core core("core", noc.address(15));
  Memory memory("memory");
  core.socket.bind(noc.sockets(0).target_socket);
  noc.sockets(15).initiator_socket.bind(memory.socket);
  sc_core::sc_start(100, sc_core::SC_US);
  const flitmend::Results r = noc.finish();
  std::cout << core.right << " of 100 writes read back; " << r.messages.delivered << " messages, "
            << *r.latency.total.mean << " cycles on average\n";
  return core.right == 100 ? to_int(flitmend::exit_status(r.status.outcome)) : 1;
}

}  // namespace

int sc_main(int count, char** arguments) try {
  if (count != 2) {
    std::cerr << "usage: own_router MESH.yaml\n";
    return 2;
  }
  return simulate(arguments[1]);
} catch (const flitmend::ConfigurationError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
