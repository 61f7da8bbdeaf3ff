// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

struct RouterLayout;

/// Bits of storage in a router, by owner.
struct RegisterBits {
  std::uint64_t router = 0;      ///< the router as a whole
  std::uint64_t input_vcs = 0;   ///< all input virtual channels, without buffers
  std::uint64_t output_vcs = 0;  ///< all output virtual channels, without buffers
  std::uint64_t ports = 0;       ///< all ports, both sides
  std::uint64_t buffers = 0;     ///< flits of input and output buffers

  std::uint64_t total() const { return router + input_vcs + output_vcs + ports + buffers; }
};
RegisterBits register_bits(const RouterLayout&);

/// Bits of storage in a network interface at a router with that layout.
std::uint64_t interface_bits(const RouterLayout&);

}  // namespace flitmend
