// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/flit.h"

namespace flitmend {

const char* to_string(FlitKind kind) {
  static constexpr const char* names[] = {"none", "head", "data", "tail", "head_tail", "broken_tail"};
  return names[static_cast<unsigned>(kind)];
}

std::ostream& operator<<(std::ostream& out, const Flit& f) {
  return out << to_string(f.kind) << " m" << f.message << " w" << f.number << " vc" << unsigned{f.vc};
}

}  // namespace flitmend
