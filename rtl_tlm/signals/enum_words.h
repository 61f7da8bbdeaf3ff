// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "base/bits.h"

namespace flitmend {

/// A value of a hardware enum: its word in SystemC and messages, a short one for a state of one cycle in
/// waves, and its meaning.
struct EnumWord {
  std::string_view word;
  std::string_view short_word;
  std::string_view meaning;
};

/// The words of an enum, by value. Declared for FlitKind (flit.h), RouteFsm and PipelineStage
/// (router_registers.h).
template <class Enum>
std::span<const EnumWord> enum_words();

/// Bits needed for the values of the enum.
template <class Enum>
unsigned enum_width() {
  return width_of(enum_words<Enum>().size() - 1);
}

}  // namespace flitmend
