// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace flitmend {

class Fabric;

/// Control flits of circuits that routers have sent (Circuits): one per hop of an acknowledgement, a kill, a
/// head that goes back, and with scouting of a head that advances.
std::uint64_t circuit_flits(const Fabric&);

}  // namespace flitmend
