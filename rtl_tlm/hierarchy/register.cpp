// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/hierarchy/register.h"

namespace flitmend {

void RegisterObject::print(std::ostream& out) const {
  out << text();
}

void RegisterObject::dump(std::ostream& out) const {
  out << "name = " << name() << "\nvalue = " << text() << "\nwidth = " << width()
      << "\npurpose = " << purpose() << '\n';
}

void RegisterObject::trace(sc_core::sc_trace_file* file) const {
  sc_trace(file, *this, name());
}

void sc_trace(sc_core::sc_trace_file* file, const RegisterObject& object, const std::string& name) {
  if (file) sc_core::sc_trace(file, object.traced_copy(), name);
}

}  // namespace flitmend
