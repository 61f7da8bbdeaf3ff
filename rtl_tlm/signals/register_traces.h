// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <vector>

namespace flitmend {

class TracedCopy;

/// The copies of registers that SystemC trace files record. Untraced registers cost nothing.
class RegisterTraces {
 public:
  /// Called at the end of every cycle.
  void update() {
    if (!copies_.empty()) [[unlikely]]
      update_copies();
  }

 private:
  friend class TracedCopy;
  void update_copies();

  std::vector<TracedCopy*> copies_;
};

/// The variable that a trace file samples for a register: a copy of its value, updated at the end of every
/// cycle. Like any traced object, it must live as long as the trace file is open.
class TracedCopy {
 public:
  using Read = std::function<std::optional<std::uint64_t>()>;

  /// width: bits. `read` returns nullopt while the register has no value; all bits are z then.
  TracedCopy(RegisterTraces&, unsigned width, Read read);
  ~TracedCopy();
  TracedCopy(const TracedCopy&) = delete;
  TracedCopy& operator=(const TracedCopy&) = delete;

  const sc_dt::sc_lv_base& value() const { return value_; }
  void update();

 private:
  RegisterTraces& traces_;
  Read read_;
  std::optional<std::uint64_t> last_;
  sc_dt::sc_lv_base none_;
  sc_dt::sc_lv_base value_;
};

}  // namespace flitmend
