// SPDX-License-Identifier: Apache-2.0
// The program `flitmend`.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <systemc>

#include "program/program.h"

int sc_main(int argc, char** argv) {
  flitmend::install_report_handler();
  return flitmend::to_int(flitmend::run_program(argc, argv, std::cout, std::cerr));
}

// Replaces the main function of the SystemC library, which prints the kernel's banner unless told not to.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  // A file size limit, or a reader that went away, is then a failed write, with a message and exit status 5.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return sc_core::sc_elab_and_sim(argc, argv);
  } catch (const std::exception&) {  // run_program() lets nothing else pass
    std::fputs("flitmend: out of memory before anything was read; raise the limit (ulimit -v, ulimit -d)\n",
               stderr);
    return flitmend::to_int(flitmend::ExitStatus::unfinished);
  }
}
