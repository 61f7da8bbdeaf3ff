// SPDX-License-Identifier: Apache-2.0
#include "testbench/run_end.h"

#include <cstring>
#include <new>
#include <systemc>

#include "testbench/statistics/results.h"

namespace flitmend {

ExitStatus exit_status(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::complete:
      return ExitStatus::done;
    case RunOutcome::contract:
      return ExitStatus::contract_broken;
    case RunOutcome::deadlock:
      return ExitStatus::deadlock;
    case RunOutcome::interrupted:
    case RunOutcome::limit:
    case RunOutcome::incomplete:
      break;
  }
  return ExitStatus::unfinished;
}

bool out_of_memory(const sc_core::sc_report& report) {
  return std::strcmp(report.get_msg(), std::bad_alloc().what()) == 0;
}

}  // namespace flitmend
