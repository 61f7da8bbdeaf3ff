// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <tuple>

#include "rtl_tlm/node/interface_registers.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// Keeps what registers are read from. An owner does not move once it is kept.
class RegisterOwners {
 public:
  template <class Owner>
  const Owner& keep(const Owner& owner) {
    return std::get<std::deque<Owner>>(owners_).emplace_back(owner);
  }

 private:
  std::tuple<std::deque<RouterView>, std::deque<VirtualChannel>, std::deque<OutputVirtualChannel>,
             std::deque<PortView>, std::deque<VectorElement>, std::deque<ChannelEnd>,
             std::deque<InterfacePart>>
      owners_;
};

}  // namespace flitmend
