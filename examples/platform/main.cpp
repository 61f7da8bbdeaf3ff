// SPDX-License-Identifier: Apache-2.0
// A platform: a DMA engine, two traffic players and a loosely timed core reach a ROM, an SRAM and a DRAM
// through a network that noc.yaml describes.    platform noc.yaml RESULTS
#include <algorithm>
#include <iostream>

#include "dma_engine.h"
#include "memory.h"
#include "testbench/network_on_chip.h"
#include "testbench/run_end.h"
#include "timed_core.h"
#include "traffic_player.h"

namespace {

constexpr unsigned kBlock = 16384;  // bytes that the DMA engine copies
constexpr unsigned kPart = 4096;    // bytes of each of the others, behind that block

int simulate(const char* configuration, const char* results) {
  using sc_core::sc_time;
  flitmend::NetworkOnChip noc("noc", configuration);
  sc_core::sc_clock clock("clock", sc_time(1, sc_core::SC_NS));
  noc.clock(clock);
  tlm::tlm_global_quantum::instance().set(sc_time(200, sc_core::SC_NS));

  Memory<32> rom("rom", 4096, sc_time(5, sc_core::SC_NS), true);
  Memory<64> sram("sram", 65536, sc_time(2, sc_core::SC_NS));
  Memory<128> dram("dram", 65536, sc_time(40, sc_core::SC_NS));
  noc.initiator_socket("rom").bind(rom.socket);
  noc.initiator_socket<64>("sram").bind(sram.socket);
  noc.initiator_socket<128>("dram").bind(dram.socket);
  for (std::size_t i = 0; i < rom.bytes().size(); ++i) rom.bytes()[i] = static_cast<unsigned char>(7 * i);
  for (std::size_t i = 0; i < kBlock; ++i) dram.bytes()[i] = static_cast<unsigned char>(i % 251);

  DmaEngine dma("dma", noc.address("dram"), noc.address("sram"), kBlock);
  TrafficPlayer fast("fast", noc.address("sram", kBlock), kPart, 800, sc_time(100, sc_core::SC_NS), 1);
  TrafficPlayer slow("slow", noc.address("dram", kBlock), kPart, 400, sc_time(300, sc_core::SC_NS), 2);
  TimedCore core("core", noc.address("rom"), noc.address("sram", kBlock + kPart), 200);
  dma.socket.bind(noc.sockets("router_0_0").target_socket_of<DmaEngine::kWidth>());
  core.socket.bind(noc.sockets("router_3_0").target_socket_of<TimedCore::kWidth>());
  fast.socket.bind(noc.sockets("router_2_3").target_socket);  // two initiators at one node
  slow.socket.bind(noc.sockets("router_2_3").target_socket);

  noc.write_to(results);
  const auto done = [&] { return dma.done() && fast.done() && slow.done() && core.done() && noc.quiet(); };
  while (!done() && sc_core::sc_time_stamp() < sc_time(5, sc_core::SC_MS) &&
         sc_core::sc_get_status() != sc_core::SC_STOPPED)
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
  const flitmend::Results r = noc.finish();

  const bool copied = std::equal(dram.bytes().begin(), dram.bytes().begin() + kBlock, sram.bytes().begin());
  std::cout << "DMA engine: " << kBlock << " bytes in " << dma.finished_at() << (copied ? "" : ", wrong")
            << '\n'
            << "players: " << fast.mean_latency() << " ns per access to the SRAM, " << slow.mean_latency()
            << " ns to the DRAM; " << fast.wrong() + slow.wrong() << " wrong\n"
            << "core: " << core.wrong() << " wrong; the ROM has refused " << core.refused_writes()
            << " writes\n"
            << r.messages.delivered << " messages, " << *r.latency.total.mean << " cycles on average; see "
            << results << '\n';
  if (r.status.outcome != flitmend::RunOutcome::complete) std::cout << r.status.reason << '\n';
  const bool right = done() && copied && dma.failed() + fast.wrong() + slow.wrong() + core.wrong() == 0 &&
                     core.refused_writes() == rom.refused() && rom.refused() > 0;
  return right ? to_int(flitmend::exit_status(r.status.outcome)) : 1;
}

}  // namespace

int sc_main(int count, char** arguments) try {
  if (count != 3) {
    std::cerr << "usage: platform noc.yaml RESULTS\n";
    return 2;
  }
  return simulate(arguments[1], arguments[2]);
} catch (const flitmend::ConfigurationError& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
