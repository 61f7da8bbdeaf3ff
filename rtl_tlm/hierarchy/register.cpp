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

const sc_dt::sc_lv_base& RegisterObject::traced_copy() const {
  if (!traced_) traced_ = std::make_unique<TracedCopy>(traces(), width(), [this] { return value(); });
  return traced_->value();
}

void sc_trace(sc_core::sc_trace_file* file, const RegisterObject& object, const std::string& name) {
  if (file) sc_core::sc_trace(file, object.traced_copy(), name);
}

}  // namespace flitmend
