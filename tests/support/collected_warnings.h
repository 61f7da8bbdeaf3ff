// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>
#include <vector>

namespace flitmend {

/// While it lives, warnings of SystemC do not fail the test: they are kept here. One at a time.
class CollectedWarnings {
 public:
  CollectedWarnings() : before_(sc_core::sc_report_handler::get_handler()) {
    collected.clear();
    sc_core::sc_report_handler::set_handler(collect);
  }
  CollectedWarnings(const CollectedWarnings&) = delete;
  CollectedWarnings& operator=(const CollectedWarnings&) = delete;
  ~CollectedWarnings() { sc_core::sc_report_handler::set_handler(before_); }

  static const std::vector<std::string>& texts() { return collected; }

 private:
  static void collect(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING)
      collected.emplace_back(report.get_msg());
    else
      sc_core::sc_report_handler::default_handler(report, actions);
  }

  static inline std::vector<std::string> collected;
  sc_core::sc_report_handler_proc before_;
};

}  // namespace flitmend
