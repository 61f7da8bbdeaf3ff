// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>

#include "rtl_tlm/signals/shared_parts.h"

namespace flitmend {

/// Keeps what registers are read from. An owner does not move once it is kept.
class RegisterOwners {
 public:
  template <class Owner>
  const Owner& keep(const Owner& owner) {
    return owners_.get<std::deque<Owner>>().emplace_back(owner);
  }

 private:
  SharedParts owners_;
};

}  // namespace flitmend
