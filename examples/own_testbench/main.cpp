// A first testbench of your own, against an installed Flitmend.
#include <iostream>
#include <systemc>

#include "rtl_tlm/flit.h"
#include "topologies/mesh.h"

int sc_main(int, char**) {
  const flitmend::Mesh mesh({4, 4});
  std::cout << mesh.description() << ": " << mesh.channel_count() << " channels\n"
            << flitmend::Flit{.kind = flitmend::FlitKind::head} << '\n';
  return mesh.channel_count() == 48 ? 0 : 1;
}
