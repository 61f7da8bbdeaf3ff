// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/hierarchy/register_bits.h"

#include "rtl_tlm/mechanisms/circuits/circuit_registers.h"
#include "rtl_tlm/mechanisms/vectors/vector_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

RegisterBits register_bits(const RouterLayout& layout) {
  const RouterState state(layout, nullptr);  // widths and conditions need only the layout
  RegisterBits bits;
  const auto count = [&](const auto& entries, const auto& owner, std::uint64_t& registers) {
    for (const auto& entry : entries)
      (entry.form == RegisterForm::flits ? bits.buffers : registers) += storage_bits(entry, owner);
  };
  count(kRouterRegisters, RouterView(state), bits.router);
  const auto count_vector = [&](unsigned vector, std::uint64_t& registers) {
    for (unsigned l = 1; l <= layout.vector_elements; ++l)
      count(kVectorElementRegisters, VectorElement(state, vector, l), registers);
  };
  count_vector(0, bits.router);
  for (unsigned port = 0; port < layout.network_ports(); ++port) {
    count(kVectorPortRegisters, PortView(state, port), bits.ports);
    count_vector(1 + port, bits.ports);
  }
  for (unsigned port = 0; port < layout.ports; ++port) {
    count(kPortRegisters, PortView(state, port), bits.ports);
    count(kOutputRegisters, PortView(state, port), bits.ports);
    for (unsigned id = port * state.vcs(); id < (port + 1) * state.vcs(); ++id) {
      count(kInputVcRegisters, VirtualChannel(state, id), bits.input_vcs);
      count(kCircuitRegisters, VirtualChannel(state, id), bits.input_vcs);
      if (layout.allocates_outputs(port))
        count(kOutputVcRegisters, OutputVirtualChannel(state, id), bits.output_vcs);
    }
  }
  return bits;
}

}  // namespace flitmend
