// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/socket_context.h"

#include <cstdlib>

namespace flitmend {

void protocol_error(const char* where, const std::string& what) {
  SC_REPORT_FATAL("flitmend/tlm", (std::string(where) + ": " + what).c_str());
  std::abort();  // if the user's report handler ignores a fatal error
}

}  // namespace flitmend
