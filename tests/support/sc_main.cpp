// SPDX-License-Identifier: Apache-2.0
// The main program of every test: GoogleTest inside sc_main. An unexpected SystemC warning or error fails the
// test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <systemc>

#include "support/leak_check.h"

namespace {

bool leak_check_skipped = false;

void fail_on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING)
    ADD_FAILURE() << "SystemC warning: " << report.get_msg_type() << ": " << report.get_msg();
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

void flitmend::skip_leak_check() {
  leak_check_skipped = true;
}

#ifdef __SANITIZE_ADDRESS__
/// LeakSanitizer calls this at the end of the program.
extern "C" int __lsan_is_turned_off() {
  return leak_check_skipped;
}
#endif

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(fail_on_report);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
