// The program `flitmend`.
#include <cstdlib>
#include <iostream>
#include <systemc>

#include "testbench/commands/program.h"

int sc_main(int argc, char** argv) {
  return flitmend::to_int(flitmend::run_program(argc, argv, std::cout, std::cerr));
}

// In place of the main of the SystemC library, which prints the kernel's banner unless told not to.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
