// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/trace.h"

#include <bit>
#include <cstddef>
#include <type_traits>

namespace flitmend {
namespace {

// SystemC keeps the address and reads one byte at every time step.
template <class Enum>
void trace_enum(sc_core::sc_trace_file* file, const Enum& value, const std::string& name) {
  static_assert(std::is_same_v<std::underlying_type_t<Enum>, unsigned char>);
  sc_core::sc_trace(file, reinterpret_cast<const unsigned char&>(value), name,
                    static_cast<int>(enum_width<Enum>()));
}

}  // namespace

void sc_trace(sc_core::sc_trace_file* file, const FlitKind& kind, const std::string& name) {
  trace_enum(file, kind, name);
}

void sc_trace(sc_core::sc_trace_file* file, const RouteFsm& state, const std::string& name) {
  trace_enum(file, state, name);
}

void sc_trace(sc_core::sc_trace_file* file, const PipelineStage& stage, const std::string& name) {
  trace_enum(file, stage, name);
}

void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_trace(file, flit.kind, name + ".kind");
  // The virtual channel is a bit field, which has no address; it is the last byte.
  static_assert(sizeof(Flit) == 8 && offsetof(Flit, kind) == 6 && std::endian::native == std::endian::little);
  sc_core::sc_trace(file, reinterpret_cast<const unsigned char*>(&flit)[7], name + ".vc", 8);
  sc_core::sc_trace(file, flit.message, name + ".message", 32);
  sc_core::sc_trace(file, flit.number, name + ".number", 16);
}

}  // namespace flitmend
