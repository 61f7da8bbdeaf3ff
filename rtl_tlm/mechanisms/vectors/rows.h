// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/registers/row.h"

namespace flitmend {

/// Bits of an element of a probability vector: a double.
inline constexpr unsigned kVectorElementBits = 64;

/// Registers of a router for the exchange of probability vectors. The vectors themselves are in another
/// row.
struct VectorState {
  Word healthy = 0;         ///< ports whose link is healthy in both directions: not in the faulty set
  std::uint16_t round = 0;  ///< number of the element that is being sent; 0: no round is going on
  std::uint16_t next = 1;   ///< number of the element that the next round sends; above the last one: none
  Cycle ends = 0;           ///< the round ends before this cycle
  std::uint64_t bits = 0;   ///< the bits of the element being sent that have not left
  std::uint16_t left = 0;   ///< their number
};

/// The receiving side, by network port: the element that arrives there.
struct VectorPort {
  std::uint64_t bits = 0;      ///< those that have arrived
  std::uint16_t element = 0;   ///< its number; 0: none arrives
  std::uint16_t received = 0;  ///< how many bits have arrived
};

/// Elements of a probability vector; 0: these routers have none.
inline RouterShape::Size vector_elements(const RouterShape& shape) {
  return shape.context.hardware.vector_elements;
}

namespace rows {

/// A single one. This row and those below exist only with probability vectors.
struct Vectors : Row<VectorState, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return vector_elements(s) > 0; }
};
/// By network port.
struct VectorPorts : Row<VectorPort, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return vector_elements(s) > 0 ? s.network_ports() : 0; }
};
/// The router's own vector, then by network port the one that its neighbour has sent. Until one arrives,
/// every destination counts as unreachable.
struct VectorElements : Row<double, Heat::cold> {
  static std::size_t count(const RouterShape& s) { return (1 + s.network_ports()) * vector_elements(s); }
  static void reset(double& element, std::size_t, const RouterShape&) { element = 1; }
};

}  // namespace rows
}  // namespace flitmend
