// SPDX-License-Identifier: Apache-2.0
// Linked into the programs of flitmend_test(… NO_KERNEL), whose tests share one process: fails a test that
// simulates, and one that leaves SystemC objects behind for the next.
#include <gtest/gtest.h>

#include <systemc>

namespace {

class NoKernel : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& /*test*/) override {
    if (sc_core::sc_get_status() != sc_core::SC_ELABORATION)
      ADD_FAILURE() << "starts a SystemC kernel, in a program declared NO_KERNEL";
    if (!sc_core::sc_get_top_level_objects().empty())
      ADD_FAILURE() << "leaves SystemC objects behind, in a program declared NO_KERNEL";
  }
};

[[maybe_unused]] const bool added = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new NoKernel);
  return true;
}();

}  // namespace
