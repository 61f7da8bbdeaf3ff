// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/search/arena.h"
#include "exploration/search/network.h"

namespace flitmend {

/// Puts a network between two cycles into a canonical form, in place: what no future cycle reads gets a fixed
/// value, and sums over the past become 0, or 1 if a verdict asks whether they are 0. Networks whose memory
/// is equal afterwards (Arena::digest) have the same future. Whatever is not named in the .cpp counts, so a
/// new register is compared without further ado; a mistake can only be to name what matters. The search
/// restores a snapshot afterwards.
Digest forget_history(SearchedNetwork&);

/// For tests of the search, after that: what SBRP's nodes know is left out, though it matters.
void forget_protocols(SearchedNetwork&);

/// Before the first message: what takes time in every case and tells no verdict anything. Statistics learn
/// nothing any more, and there is room for few messages at first.
void lighten(Scoreboard&);

}  // namespace flitmend
