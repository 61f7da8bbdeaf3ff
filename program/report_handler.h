// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace flitmend {

/// Makes the SystemC kernel and the models report as the program does: information is dropped, a warning goes
/// to standard error, an error or fatal error is thrown as sc_core::sc_report. Nothing goes to standard
/// output.
void install_report_handler();

}  // namespace flitmend
