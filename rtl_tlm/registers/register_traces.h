// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>

namespace flitmend {

/// Copies of the registers that a SystemC trace file records. A trace file samples variables, so each copy is
/// updated at the end of every cycle. Untraced registers cost nothing.
class RegisterTraces {
 public:
  using Read = std::function<std::optional<std::uint64_t>()>;

  /// Adds a copy of a register of that width; all z while the register has no value. The address of the copy
  /// does not change.
  const sc_dt::sc_lv_base& add(unsigned width, Read);
  /// Called at the end of every cycle.
  void update() {
    if (!copies_.empty()) [[unlikely]]
      update_copies();
  }

 private:
  struct Copy {
    Copy(unsigned bits, Read reader) : width(bits), read(std::move(reader)), value(static_cast<int>(bits)) {}
    void update();

    unsigned width;
    Read read;
    std::optional<std::uint64_t> last;
    sc_dt::sc_lv_base value;
  };
  void update_copies();

  std::deque<Copy> copies_;
};

}  // namespace flitmend
