// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "exploration/campaign/strata.h"

namespace flitmend {

/// Why no fault can hit anything in a stratum; empty if one can. The guard's acknowledgements are those that
/// are assumed.
std::string why_impossible(const Stratum&);

}  // namespace flitmend
