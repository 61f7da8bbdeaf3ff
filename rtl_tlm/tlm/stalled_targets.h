// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "rtl_tlm/message.h"
#include "rtl_tlm/tlm/address_map.h"

namespace flitmend {

class Fabric;

/// A target that has not accepted the last request.
struct StalledTarget {
  AddressMap::Target target{};
  Cycle since = 0;        ///< the cycle of its BEGIN_REQ
  unsigned requests = 0;  ///< places taken in the queue of its node
};

/// Those of a fabric, by node and number.
std::vector<StalledTarget> stalled_targets(const Fabric&);

/// What is to be said about them, as one text.
std::string describe(const std::vector<StalledTarget>&, const Fabric&);

}  // namespace flitmend
