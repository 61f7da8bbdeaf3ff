// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

/// The largest network that is built: 2^20 nodes.
inline constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 20;
/// Dimensions of a mesh or torus, those of radix 1 included.
inline constexpr unsigned kMaxDimensions = 32;
/// Ports of a KNS switch: port numbers are 16 bits, the two highest are reserved.
inline constexpr std::uint32_t kMaxSwitchPorts = 65534;

}  // namespace flitmend
