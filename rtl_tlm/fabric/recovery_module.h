// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>

#include "rtl_tlm/interfaces/router_recovery.h"

namespace flitmend {

/// The recovery unit of a router in SystemC's hierarchy: router_3_4.recovery.
class RecoveryModule : public sc_core::sc_module {
 public:
  RecoveryModule(sc_core::sc_module_name name, std::unique_ptr<RouterRecovery> recovery_unit)
      : sc_module(name), unit_(std::move(recovery_unit)) {}

  const char* kind() const override { return "flitmend_recovery_unit"; }
  RouterRecovery& unit() { return *unit_; }
  const RouterRecovery& unit() const { return *unit_; }

 private:
  std::unique_ptr<RouterRecovery> unit_;
};

}  // namespace flitmend
