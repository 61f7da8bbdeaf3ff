// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/flit.h"

namespace flitmend {

template <>
std::span<const EnumWord> enum_words<FlitKind>() {
  static constexpr EnumWord words[] = {
      {"none", "-", "no flit"},
      {"head", "H", "first flit of a message: carries its destination"},
      {"data", "D", "a flit between head and tail"},
      {"tail", "T", "last flit of a message"},
      {"head_tail", "HT", "a message of one flit"},
      {"broken_tail", "BT", "ends a part of a message whose remaining flits were lost"},
      {"virtual_tail", "VT", "ends a part of a message whose source does not send the rest"},
      {"restart_head", "RH", "begins the rest of a message that a router restarts after a fault"},
      {"pad", "P", "padding between the data and the tail (PAD)"}};
  return words;
}

const char* to_string(FlitKind kind) {
  return enum_words<FlitKind>()[static_cast<unsigned>(kind)].word.data();
}

std::ostream& operator<<(std::ostream& out, const Flit& f) {
  return out << to_string(f.kind) << " m" << f.message << " w" << f.number << " vc" << unsigned{f.vc};
}

}  // namespace flitmend
