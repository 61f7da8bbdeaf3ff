// SPDX-License-Identifier: Apache-2.0
// The value of a register as text.
#pragma once
#include <string>

#include "rtl_tlm/registers/register_entry.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Name of a port of that router: the topology's, or "local".
std::string port_name(const RouterState&, unsigned port);

/// The value of a register of that form and width, "z" for none. `state`: the router whose ports and virtual
/// channels are named; null for a form that names none.
std::string register_text(RegisterForm, unsigned width, const RegisterValue&, const RouterState* state);

template <class Owner>
std::string register_text(RegisterForm form, unsigned width, const RegisterValue& value, const Owner& owner) {
  if constexpr (requires { owner.state(); })
    return register_text(form, width, value, &owner.state());
  else
    return register_text(form, width, value, static_cast<const RouterState*>(nullptr));
}

}  // namespace flitmend
