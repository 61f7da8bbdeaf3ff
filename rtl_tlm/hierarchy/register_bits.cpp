// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/hierarchy/register_bits.h"

#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/node/interface_registers.h"

namespace flitmend {
namespace {

/// A router of which only the layout is known.
struct Unbuilt {
  const RouterState& router;
  const RouterState& state() const { return router; }
};

/// A visitor for register_maps.h that counts the bits of all that it visits.
struct BitCounter {
  using Scope = std::uint64_t*;
  static Scope below(Scope bits, const std::string&) { return bits; }
  template <const auto& kEntries, class Owner>
  void add(Scope bits, const Unbuilt&, const Owner& owner) {
    for (const RegisterEntry<Owner>& entry : kEntries) *bits += storage_bits(entry, owner);
  }
};

}  // namespace

RegisterBits register_bits(const RouterLayout& layout) {
  const RouterState state(layout, nullptr);  // widths and conditions need only the layout
  RegisterBits bits;
  const auto count = [&](const auto& entries, const auto& owner, std::uint64_t& registers) {
    for (const auto& entry : entries)
      (entry.form == RegisterForm::flits ? bits.buffers : registers) += storage_bits(entry, owner);
  };
  count(kRouterRegisters, RouterView(state), bits.router);
  BitCounter counter;
  visit_router_mechanisms(counter, &bits.router, Unbuilt{state});
  for (unsigned port = 0; port < layout.ports; ++port) {
    count(kPortRegisters, PortView(state, port), bits.ports);
    count(kOutputRegisters, PortView(state, port), bits.ports);
    visit_port_mechanisms(counter, &bits.ports, Unbuilt{state}, port);
    for (unsigned id = port * state.vcs(); id < (port + 1) * state.vcs(); ++id) {
      count(kInputVcRegisters, VirtualChannel(state, id), bits.input_vcs);
      visit_input_vc_mechanisms(counter, &bits.input_vcs, Unbuilt{state}, VirtualChannel(state, id));
      if (layout.allocates_outputs(port))
        count(kOutputVcRegisters, OutputVirtualChannel(state, id), bits.output_vcs);
    }
  }
  return bits;
}

std::uint64_t interface_bits(const RouterLayout& layout) {
  std::uint64_t bits = 0;
  const auto count = [&](const auto& entries, const InterfacePart& owner) {
    for (const auto& entry : entries) bits += storage_bits(entry, owner);
  };
  count(kInjectorRegisters, InterfacePart(nullptr, layout));
  count(kReceiverRegisters, InterfacePart(nullptr, layout));
  for (unsigned c = 0; c < layout.context.hardware.classes.count(); ++c)
    for (const auto& entry : kInjectorClassRegisters)
      bits += storage_bits(entry, InjectorClass(nullptr, layout, c));
  for (unsigned vc = 0; vc < layout.vcs; ++vc)
    count(kInjectorVcRegisters, InterfacePart(nullptr, layout, vc));
  return bits;
}

}  // namespace flitmend
