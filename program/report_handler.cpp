// SPDX-License-Identifier: Apache-2.0
#include "program/report_handler.h"

#include <iostream>
#include <systemc>

#include "base/escaped_text.h"

namespace flitmend {
namespace {

void handle(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  switch (report.get_severity()) {
    case sc_core::SC_INFO:
      return;
    case sc_core::SC_WARNING:
      std::cerr << "flitmend: warning: "
                << escaped_text(std::string(report.get_msg_type()) + ": " + report.get_msg()) << '\n';
      return;
    default:
      sc_core::sc_report_handler::default_handler(report, sc_core::SC_THROW);
  }
}

}  // namespace

void install_report_handler() {
  sc_core::sc_report_handler::set_handler(handle);
}

}  // namespace flitmend
