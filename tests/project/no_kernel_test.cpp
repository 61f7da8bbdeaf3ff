// SPDX-License-Identifier: Apache-2.0
// What a program declared NO_KERNEL must not do. CTest expects both tests to fail.
#include <gtest/gtest.h>

#include <systemc>

TEST(NoKernel, NoticesObjects) {
  new sc_core::sc_signal<bool>("left_behind");
}

TEST(NoKernel, NoticesASimulation) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}
