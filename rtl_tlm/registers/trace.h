// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <string>
#include <systemc>

#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/signals/flit.h"

namespace flitmend {

// sc_trace for the project's types, so that signals and members of these types can be recorded in SystemC's
// own trace files. An enum appears as its number (SystemC's files have no words; the filter files of --waves
// show them in GTKWave), a flit as its fields NAME.kind, .vc, .message and .number.
void sc_trace(sc_core::sc_trace_file*, const FlitKind&, const std::string& name);
void sc_trace(sc_core::sc_trace_file*, const RouteFsm&, const std::string& name);
void sc_trace(sc_core::sc_trace_file*, const PipelineStage&, const std::string& name);
void sc_trace(sc_core::sc_trace_file*, const Flit&, const std::string& name);

// sc_signal also needs these.
inline std::ostream& operator<<(std::ostream& out, FlitKind kind) {
  return out << to_string(kind);
}
inline std::ostream& operator<<(std::ostream& out, RouteFsm state) {
  return out << to_string(state);
}
inline std::ostream& operator<<(std::ostream& out, PipelineStage stage) {
  return out << to_string(stage);
}

}  // namespace flitmend
