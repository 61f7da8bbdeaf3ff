// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The first cycle in which no fault strikes any more; none if the end of the run is not known before it.
std::optional<std::int64_t> end_of_faults(const Configuration&);

/// That faults.aim can never strike, or its `then` never apply, and why; empty if they can.
std::string aim_note(const Configuration&);

/// Which pairs of living nodes the listed permanent faults (from the start or from events) cut off from each
/// other; empty if none. Their messages are undeliverable.
std::string disconnection_note(const Configuration&);

/// Which healthy nodes the routing algorithm takes out of use because of the listed permanent faults; empty
/// if none. They neither send nor receive.
std::string disabled_note(const Configuration&);

/// How many pairs of healthy nodes that are connected and in use have no route because of the faults from the
/// start, or can lose it on the way, as `flitmend check` counts them; empty if none. Their messages are
/// undeliverable. Where counting would take more than seconds because heads have too many states, a note says
/// that they are not counted. Empty above kMostRoutedNodes nodes.
std::string unrouted_note(const Configuration&);
inline constexpr std::uint32_t kMostRoutedNodes = 1024;

/// Whether messages can meet new routes on their way: the routing algorithm routes by the whole set of
/// faults, and some can strike after the start.
bool routes_change(const Configuration&);
/// That a proof holds for each set of faults and not while one becomes another; empty unless routes change
/// and the order of channels with them.
std::string changing_routes_note(const Configuration&);

/// What a deadlock check does not say about a configuration with faults, as lines of text; empty without
/// faults.
std::string fault_notes(const Configuration&);

}  // namespace flitmend
