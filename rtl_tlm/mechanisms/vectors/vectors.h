// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// The registers with which routers exchange probability vectors. Static functions on a router's registers;
/// they exist only with HardwareParameters::vector_elements.
class Vectors {
 public:
  static VectorState& exchange(RouterState& state) { return *state.row<rows::Vectors>(); }
  static const VectorState& exchange(const RouterState& state) { return *state.row<rows::Vectors>(); }
  static VectorPort& port(RouterState& state, unsigned p) { return state.row<rows::VectorPorts>()[p]; }
  static const VectorPort& port(const RouterState& state, unsigned p) {
    return state.row<rows::VectorPorts>()[p];
  }
  /// The router's own vector: element l is at index l − 1.
  static double* own(RouterState& state) { return state.row<rows::VectorElements>(); }
  static const double* own(const RouterState& state) { return state.row<rows::VectorElements>(); }
  /// What the neighbour at a network port has sent of its vector.
  static double* received(RouterState& state, unsigned p) {
    return own(state) + (1 + p) * vector_elements(state.layout());
  }
  static const double* received(const RouterState& state, unsigned p) {
    return own(state) + (1 + p) * vector_elements(state.layout());
  }

  /// Bits of a vector that cross a link in a cycle.
  static unsigned wires(const RouterShape& shape) { return shape.context.hardware.vector_wires; }
  /// From the first bits of an element to the cycle in which the next router has all.
  static Cycle round_cycles(const RouterShape& shape) {
    const unsigned w = wires(shape);
    return w == 0 ? 0 : (kVectorElementBits + w - 1) / w + shape.context.hardware.link.latency - 1;
  }
};

}  // namespace flitmend
