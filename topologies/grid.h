// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// The structure of networks whose nodes are linked along their dimensions: every dimension is a line, or a
/// ring where it wraps. Mesh, torus and hypercube are grids.
///
/// Paired ports: port 2i leads to x_i + 1 ("plus"), port 2i + 1 to x_i − 1 ("minus"). In two dimensions they
/// are called east, west, north, south (east = +x, north = +y), otherwise dim0_plus, dim0_minus, …. In a ring
/// of radix 2, two parallel links join the two nodes. Single ports: one port per dimension, all radices 2;
/// port i flips bit i: dim0, dim1, ….
class Grid : public Topology {
 public:
  bool paired_ports() const { return paired_; }
  /// Whether that dimension is a ring.
  bool wraps(unsigned dimension) const { return wrap_mask_ >> dimension & 1; }
  /// Whether any dimension is a ring.
  bool wraps() const { return wrap_mask_ != 0; }
  /// Whether every dimension is a ring.
  bool wraps_everywhere() const;
  /// Signed hops left in a dimension. In a ring the shorter way; a tie at k/2 goes in the + direction.
  /// Inline always: heads need it at every hop.
  [[gnu::always_inline]] std::int32_t offset(NodeId from, NodeId to, unsigned dimension) const {
    const auto k = static_cast<std::int32_t>(radix(dimension));
    std::int32_t d = static_cast<std::int32_t>(coordinate(to, dimension)) -
                     static_cast<std::int32_t>(coordinate(from, dimension));
    if (wraps(dimension)) {
      if (2 * d > k)
        d -= k;
      else if (2 * d <= -k)
        d += k;
    }
    return d;
  }
  /// The port in the + or − direction of a dimension; with single ports the dimension's only port.
  PortId port(unsigned dimension, bool plus) const {
    return static_cast<PortId>(paired_ ? 2 * dimension + !plus : dimension);
  }
  unsigned port_dimension(PortId port) const { return paired_ ? port / 2u : port; }
  /// Whether the port leads to a greater coordinate (in a ring: in the + direction, the wrap-around
  /// link included).
  bool port_is_plus(RouterId router, PortId port) const {
    return paired_ ? port % 2 == 0 : coordinate(router, port) == 0;
  }

  std::optional<LinkDirection> direction(RouterId, PortId) const override;
  std::string port_name(RouterId, PortId) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint64_t bisection_channels() const override;
  std::uint32_t diameter() const override;

 protected:
  enum class Ports { paired, single };
  static constexpr std::uint32_t kNoRings = 0;
  static constexpr std::uint32_t kAllRings = ~std::uint32_t{0};

  /// `rings`: bit i is set where dimension i wraps. Radices: at least 1, at least 2 in a ring; at least 2 and
  /// at most kMaxNodes nodes. Throws ConfigurationError.
  Grid(std::string_view name, std::vector<std::uint32_t> radices, std::uint32_t rings,
       Ports ports = Ports::paired);
  /// "8x8"
  std::string size_text() const;

 private:
  bool paired_;
  std::uint32_t wrap_mask_;
};

/// Paired ports, no dimension is a ring.
bool is_mesh(const Topology&);
/// Paired ports, every dimension is a ring.
bool is_torus(const Topology&);
/// Single ports.
bool is_hypercube(const Topology&);
/// Any of these, or a mixture of lines and rings.
bool is_grid(const Topology&);
/// A grid with a ring in some dimension.
bool has_rings(const Topology&);

}  // namespace flitmend
