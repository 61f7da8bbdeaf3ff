// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "base/bits.h"

namespace flitmend {

/// A value of one of the hardware's enums: its word in waves and messages, and what it means.
struct EnumWord {
  std::string_view word;
  std::string_view meaning;
};

/// The words of an enum, by value. Declared for FlitKind (flit.h), RouteFsm and PipelineStage
/// (router_registers.h).
template <class Enum>
std::span<const EnumWord> enum_words();

/// Bits that every value of the enum fits in.
template <class Enum>
unsigned enum_width() {
  return width_of(enum_words<Enum>().size() - 1);
}

}  // namespace flitmend
