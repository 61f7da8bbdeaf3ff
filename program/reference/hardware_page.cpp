// SPDX-License-Identifier: Apache-2.0
#include "program/reference/pages.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/table.h"
#include "base/text.h"
#include "program/reference/example_router.h"
#include "protocols/recovery/registry.h"
#include "protocols/routing/learnt_loops.h"
#include "rtl_tlm/hierarchy/register_bits.h"
#include "rtl_tlm/hierarchy/register_maps.h"
#include "rtl_tlm/mechanisms/circuits/circuit_registers.h"
#include "rtl_tlm/mechanisms/precedence/precedence_registers.h"
#include "rtl_tlm/mechanisms/vectors/vector_registers.h"
#include "rtl_tlm/node/interface_registers.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"
#include "rtl_tlm/registers/unit_registers.h"

namespace flitmend {
namespace {

constexpr const char* kHardwareIntroduction =
    R"(# The hardware's registers

Generated from the register maps that the program itself uses; regenerate it with
`ninja -C build/release reference`.

## In SystemC

With `simulation.hierarchy: full`, the default in networks of up to 256 nodes, every register but memories is an object of
SystemC's hierarchy, with the name that it has in waves:

```
const auto* fsm = dynamic_cast<const flitmend::Register<flitmend::RouteFsm>*>(
    sc_core::sc_find_object("fabric.router_3_4.east.vc1.route_fsm"));
fsm->read();                  // std::optional<RouteFsm>: typed
fsm->value();                 // std::optional<std::uint64_t>: of any register (RegisterObject)
fsm->text();                  // "ROUTED"; print() and dump() write it
sc_trace(file, *fsm, "fsm");  // into a SystemC trace file
```

`Register<T>` is declared in `rtl_tlm/hierarchy/register.h`; T is `RouteFsm`, `PipelineStage`, `FlitKind`, `bool` for
single bits, and `std::uint64_t` for all others. A virtual channel is a module whose children are its registers. Objects
hold no state: they read the registers as they were at the end of the last cycle. A running cycle costs the same with and
without them; docs/results/performance.md says what they take in memory and at elaboration.
)";

constexpr const char* kRegistersIntroduction = R"(
## Registers

Bits are given per preset, for a router with five ports on an 8x8 mesh with dimension-order routing; a dash means that
the preset has no such register, and 8·67 means 8 words of 67 bits. *Memory* says where the simulator keeps a register: in
a *hot* or *cold* row of its router's block, or in the *object* of a channel or network interface. *Derived* values are
computed from other registers and take no storage. *Bits only with*: waves always show the register, but only then is it
hardware, and counted below. Memories (`input_buffer_flits`, `output_buffer_flits`, `candidates`, `finished`) are counted
too, but have no SystemC object and no wave.
)";

const char* to_string(Storage storage) {
  switch (storage) {
    case Storage::hot:
      return "hot";
    case Storage::cold:
      return "cold";
    case Storage::object:
      return "object";
    case Storage::derived:
      return "derived";
  }
  return "";
}

class HardwarePage {
 public:
  std::string text() {
    text_ = kHardwareIntroduction;
    text_ += kRegistersIntroduction;
    map("Router", "router_3_4", kRouterRegisters, router);
    map("Input virtual channel", "router_3_4.east.vc1", kInputVcRegisters, vc<VirtualChannel>);
    map("Circuit through an input virtual channel", "router_3_4.east.vc1", kCircuitRegisters,
        vc<VirtualChannel>);
    map("Output virtual channel", "router_3_4.east.output.vc1", kOutputVcRegisters, vc<OutputVirtualChannel>);
    map("Port", "router_3_4.east", kPortRegisters, port);
    map("Port: the vector that arrives", "router_3_4.east", kVectorPortRegisters, port);
    map("Element of a probability vector", "router_3_4.vectors.l2` and `router_3_4.east.vector.l2",
        kVectorElementRegisters, element);
    map("Port: the arbiters of its outputs, by class", "router_3_4.east.class1", kPrecedenceClassRegisters,
        precedence);
    map("Output of a port", "router_3_4.east.output", kOutputRegisters, port);
    map("Channel: the arriving flit", "router_3_4.east.input_flit` and `router_3_4.east.output_flit",
        kFlitRegisters, channel);
    map("Injector", "router_3_4.interface.injector", kInjectorRegisters, interface);
    map("Injector: the arbiter of its channel, by class", "router_3_4.interface.injector.class1",
        kInjectorClassRegisters, injector_class);
    map("Virtual channel of an injector", "router_3_4.interface.injector.vc1", kInjectorVcRegisters,
        interface);
    map("Receiver", "router_3_4.interface.receiver", kReceiverRegisters, interface);
    unit_registers();
    storage();
    text_ += "\n## Words\n\nGTKWave shows short ones, which fit a state of one cycle.\n";
    words<RouteFsm>("route_fsm");
    words<PipelineStage>("stage");
    words<FlitKind>("kind");
    return std::move(text_);
  }

 private:
  // Owners of the first port, only for widths and conditions, which need the layout.
  template <class Owner>
  static Owner vc(const RouterState& state) {
    return Owner(state, 0);
  }
  static RouterView router(const RouterState& state) { return RouterView(state); }
  static PortView port(const RouterState& state) { return PortView(state, 0); }
  static VectorElement element(const RouterState& state) { return VectorElement(state, 0, 1); }
  static InjectorClass injector_class(const RouterState& state) {
    return InjectorClass(nullptr, state.layout(), 0);
  }
  static PrecedenceClass precedence(const RouterState& state) { return PrecedenceClass(state, 0, 0); }
  static ChannelEnd channel(const RouterState& state) { return ChannelEnd(nullptr, state.layout()); }
  static InterfacePart interface(const RouterState& state) { return InterfacePart(nullptr, state.layout()); }

  template <class Entry>
  static std::string bits_of(const Entry& entry, const auto& owner) {
    if (!entry.exists(owner)) return "–";
    const unsigned width = entry_bits(entry, owner);
    return is_memory(entry.form) ? formatted("%1%·%2%", entry.greatest(owner), width) : std::to_string(width);
  }

  template <class Entry>
  static std::string only_with(const Entry& entry) {
    const std::string when(entry.present.when);
    if (entry.counted.when.empty()) return when;
    return when + (when.empty() ? "" : "; ") + "bits only with " + std::string(entry.counted.when);
  }

  /// Those of recovery units, with the protocols that have them.
  void unit_registers() {
    std::vector<std::pair<const RegisterEntry<UnitView>*, std::string>> rows;
    for (const RecoveryEntry& protocol : recovery_protocols().entries()) {
      const auto made = protocol.make({}, {});
      for (const RegisterEntry<UnitView>& entry : made->unit_registers()) {
        const auto same = [&](const auto& row) {
          return row.first->name == entry.name && row.first->purpose == entry.purpose;
        };
        if (const auto row = std::ranges::find_if(rows, same); row != rows.end())
          row->second += ", `" + std::string(protocol.name) + "`";
        else
          rows.emplace_back(&entry, "`" + std::string(protocol.name) + "`");
      }
    }
    for (const RegisterEntry<UnitView>& entry : kLoopRegisters)
      rows.emplace_back(&entry, "all, with `probability-vectors`");
    Table table{.columns = {{"name"}, {"protocols"}, {"only in"}, {"purpose"}}};
    for (const auto& [entry, protocols] : rows)
      table.add({"`" + std::string(entry->name) + "`", protocols, std::string(entry->present.when),
                 std::string(entry->purpose)});
    text_ += "\n### Recovery unit\n\nBelow `router_3_4.recovery`, in the *object* of the unit.\n\n" +
             table.markdown();
  }

  template <class Entries, class MakeOwner>
  void map(const char* title, const char* place, const Entries& entries, MakeOwner make_owner) {
    Table table{.columns = {{"name"}}};
    for (const ExampleRouter& e : examples_) table.columns.push_back({e.preset});
    for (const char* head : {"memory", "only with", "purpose"}) table.columns.push_back({head});
    for (const auto& entry : entries) {
      if (entry.present.planned) continue;
      std::vector<std::string> cells{"`" + std::string(entry.name) + "`"};
      for (const ExampleRouter& e : examples_) {
        const RouterState state(e.layout(), nullptr);
        cells.push_back(bits_of(entry, make_owner(state)));
      }
      cells.insert(cells.end(), {to_string(entry.storage), only_with(entry), std::string(entry.purpose)});
      table.add(std::move(cells));
    }
    text_ += std::string("\n### ") + title + "\n\nBelow `" + place + "`.\n\n" + table.markdown();
  }

  void storage() {
    Table table{.columns = {{"preset"},
                            {"input virtual channels"},
                            {"output virtual channels"},
                            {"ports"},
                            {"buffers"},
                            {"total"}}};
    for (const ExampleRouter& e : examples_) {
      const RegisterBits bits = register_bits(e.layout());
      std::vector<std::string> cells{e.preset};
      for (const std::uint64_t count :
           {bits.input_vcs, bits.output_vcs, bits.ports, bits.buffers, bits.total()})
        cells.push_back(std::to_string(count));
      table.add(std::move(cells));
    }
    text_ += "\n## Storage bits per router\n\n" + table.markdown();
  }

  template <class Enum>
  void words(const char* name) {
    Table table{.columns = {{"value"}, {"word"}, {"in GTKWave"}, {"meaning"}}};
    unsigned value = 0;
    for (const EnumWord& word : enum_words<Enum>())
      table.add({std::to_string(value++), std::string(word.word), std::string(word.short_word),
                 std::string(word.meaning)});
    text_ += std::string("\n### `") + name + "`\n\n" + table.markdown();
  }

  static std::vector<ExampleRouter> make_examples() {
    std::vector<ExampleRouter> examples;
    for (const Choice& preset : router_presets()) examples.emplace_back(preset.name);
    return examples;
  }

  std::string text_;
  std::vector<ExampleRouter> examples_ = make_examples();
};

}  // namespace

std::string hardware_reference() {
  return HardwarePage().text();
}

}  // namespace flitmend
