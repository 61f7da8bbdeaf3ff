// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// The largest supported network: 2^20 nodes.
inline constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 20;
/// Dimensions of a mesh or torus, including those of radix 1.
inline constexpr unsigned kMaxDimensions = 32;
/// Ports of a KNS switch: port numbers have 16 bits, and the two highest are reserved.
inline constexpr std::uint32_t kMaxSwitchPorts = 65534;
/// Ends of a fat tree or a RUFT: around faults, routing keeps a bit for each of its switches and ends.
inline constexpr std::uint32_t kMaxSubnetworkEnds = 4096;

}  // namespace flitmend
