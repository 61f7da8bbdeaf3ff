// SPDX-License-Identifier: Apache-2.0
// An 8x8 mesh in which some routers are router.sv, Verilated: rtl_mesh MESH.yaml one|row|all|none [MESSAGES
// [alone]]. Beside it stands the mesh of the model; both get the same messages, and every flit on every
// channel is compared. alone: only the first, to measure its speed.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "Vrouter.h"
#include "base/random_stream.h"
#include "rtl_router.h"
#include "rtl_tlm/settings.h"
#include "testbench/network_on_chip.h"
#include "traces/waves/channel_comparer.h"

namespace {

using Coordinates = std::vector<std::vector<std::int64_t>>;

Coordinates chosen(const std::string& which) {
  if (which == "one") return {{3, 4}};
  Coordinates routers;
  for (std::int64_t y = 0; y < 8; ++y)
    for (std::int64_t x = 0; x < 8; ++x)
      if (which == "all" || (which == "row" && y == 3)) routers.push_back({x, y});
  return routers;
}

/// Uniform random messages of 1 to 9 flits, .2 flits per node and cycle.
class Traffic : private flitmend::CycleObserver {
 public:
  Traffic(flitmend::Fabric& fabric, std::uint64_t messages) : left(messages), fabric_(fabric) {
    fabric.add_observer(static_cast<flitmend::CycleObserver&>(*this));
  }
  std::uint64_t left;

 private:
  void cycle_done(flitmend::Cycle, const flitmend::Word*, const flitmend::Word*, unsigned) override {
    const flitmend::NodeId nodes = fabric_.node_count();
    for (flitmend::NodeId node = 0; node < nodes && left > 0; ++node) {
      if (random_.uniform() >= .2 / 5) continue;
      const flitmend::NodeId other = random_.below(nodes - 1);
      fabric_.network_interface(node).send(other < node ? other : other + 1, 1 + random_.below(9));
      --left;
    }
  }
  flitmend::Fabric& fabric_;
  flitmend::RandomStream random_{1, flitmend::RandomPurpose::test};
};

}  // namespace

int sc_main(int argc, char** argv) {
  const std::string which = argc > 2 ? argv[2] : "one";
  const std::uint64_t messages = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 10000;
  const bool alone = argc > 4 && std::string(argv[4]) == "alone";
  if (argc < 2 || (which != "one" && which != "row" && which != "all" && which != "none") || messages == 0) {
    std::cerr << "usage: rtl_mesh MESH.yaml [one|row|all|none [MESSAGES [alone]]]\n";
    return 2;
  }
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  flitmend::NetworkOnChip mixed("mixed", argv[1], {},
                                flitmend::routers_at(chosen(which), rtl_routers<Vrouter>()));
  mixed.clock(clock);
  Traffic to_mixed(mixed.fabric(), messages);
  std::unique_ptr<flitmend::NetworkOnChip> model;
  std::unique_ptr<Traffic> to_model;
  std::unique_ptr<flitmend::ChannelComparer> comparer;
  if (!alone) {
    model = std::make_unique<flitmend::NetworkOnChip>("model", argv[1]);
    model->clock(clock);
    comparer = std::make_unique<flitmend::ChannelComparer>(model->fabric(), mixed.fabric());
    to_model = std::make_unique<Traffic>(model->fabric(), messages);
  }
  const std::clock_t start = std::clock();
  while (!(comparer && comparer->first()) && (to_mixed.left > 0 || !mixed.quiet()))
    sc_core::sc_start(100, sc_core::SC_NS);
  sc_core::sc_start(32, sc_core::SC_NS);  // the last credits return
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (comparer && comparer->first()) {
    comparer->write_waves("difference.vcd", 1'000'000);
    std::cout << comparer->first()->text() << "\nThe channels around it are in difference.vcd.\n";
    return 1;
  }
  const bool good = mixed.fabric().check_conservation().idle() &&
                    mixed.fabric().check_conservation().flits_conserved() && mixed.finish().contract.holds;
  const auto cycles = static_cast<double>(mixed.fabric().cycles());
  if (comparer) std::cout << comparer->flits_compared() << " flits on the channels: model and RTL agree. ";
  std::cout << messages << " messages, " << (good ? "nothing is lost" : "the contract is broken") << "; "
            << static_cast<std::uint64_t>(cycles / seconds) << " cycles per CPU second\n";
  return good ? 0 : 1;
}
