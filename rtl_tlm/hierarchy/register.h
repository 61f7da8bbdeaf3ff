// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <systemc>

#include "rtl_tlm/registers/register_entry.h"
#include "rtl_tlm/registers/register_text.h"
#include "rtl_tlm/signals/register_traces.h"

namespace flitmend {

/// A hardware register in SystemC's hierarchy, under the name that it has in waves. It holds no state: it
/// reads the hardware as of the end of the last cycle evaluated.
class RegisterObject : public sc_core::sc_object {
 public:
  const char* kind() const override { return "flitmend_register"; }

  virtual RegisterForm form() const = 0;
  virtual unsigned width() const = 0;  ///< bits
  virtual std::string_view purpose() const = 0;
  /// nullopt while there is no value (such as the message of an idle virtual channel): z in waves.
  virtual RegisterValue value() const = 0;
  /// The value as a word (ROUTED), a place (east.vc1) or a number; z for none.
  virtual std::string text() const = 0;

  /// The value.
  void print(std::ostream& = std::cout) const override;
  /// Name, value, width and purpose.
  void dump(std::ostream& = std::cout) const override;
  /// Adds it to a SystemC trace file, under its full name.
  void trace(sc_core::sc_trace_file*) const override;
  /// The variable that trace files sample, made at the first call.
  const sc_dt::sc_lv_base& traced_copy() const;

 protected:
  explicit RegisterObject(const char* name) : sc_object(name) {}
  /// The network's list of traced registers.
  virtual RegisterTraces& traces() const = 0;

 private:
  mutable std::unique_ptr<TracedCopy> traced_;
};

/// Adds a register to a SystemC trace file, which shows it as a number of width() bits.
void sc_trace(sc_core::sc_trace_file*, const RegisterObject&, const std::string& name);

/// A register of type T: RouteFsm, PipelineStage, FlitKind, bool, or std::uint64_t for all others.
template <class T>
class Register : public RegisterObject {
 public:
  /// The value, typed.
  std::optional<T> read() const {
    const RegisterValue now = value();
    return now ? std::optional<T>(static_cast<T>(*now)) : std::nullopt;
  }

 protected:
  using RegisterObject::RegisterObject;
};

/// The register that an entry of the register maps declares. Entry and owner must outlive it.
template <class T, class Owner>
class RegisterOf final : public Register<T> {
 public:
  RegisterOf(const char* name, const RegisterEntry<Owner>& entry, const Owner& owner)
      : Register<T>(name), entry_(entry), owner_(owner) {}

  RegisterForm form() const override { return entry_.form; }
  unsigned width() const override { return register_width(entry_, owner_); }
  std::string_view purpose() const override { return entry_.purpose; }
  RegisterValue value() const override { return entry_.read(owner_); }
  std::string text() const override { return register_text(entry_.form, width(), value(), owner_); }

 private:
  RegisterTraces& traces() const override { return owner_.layout().context.traces; }

  const RegisterEntry<Owner>& entry_;
  const Owner& owner_;
};

}  // namespace flitmend
