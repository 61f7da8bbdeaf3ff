// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/parameters.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

HardwareParameters preset_with(const char* name, std::int64_t depth = 0) {
  HardwareSettings settings;
  EXPECT_TRUE(apply_preset(name, settings));
  if (depth > 0) settings.router.input_buffer = settings.router.output_buffer = depth;
  return HardwareParameters::from(settings);
}

// The values at which a trial of SBRP-1 stopped losing flits.
TEST(FlitsBetween, AreThoseOfBuffersAndPipelineRegisters) {
  EXPECT_EQ(preset_with("sbrp").flits_between(), 3u);
  EXPECT_EQ(preset_with("sbrp", 2).flits_between(), 6u);
  EXPECT_EQ(preset_with("sbrp", 4).flits_between(), 12u);
  EXPECT_EQ(preset_with("iq").flits_between(), 11u)
      << "8 in the buffer, 2 in switch traversal, 1 on the wire";
}

TEST(FlitsBetween, LongWiresAddWhatCreditsDoNotWaitFor) {
  HardwareParameters p = preset_with("sbrp");
  p.link.credit_latency = 1;
  p.link.latency = 3;  // the credit takes 1 cycle, and C's crossbar refills the path 2 cycles later
  EXPECT_EQ(p.flits_between(), 3u);
  p.link.latency = 5;
  EXPECT_EQ(p.flits_between(), 5u);
  p = preset_with("iq");
  p.link.credit_latency = 1;
  p.link.latency = 4;
  EXPECT_EQ(p.flits_between(), 14u);
}

TEST(FlitsBetween, CountTheWayToTheInterface) {
  HardwareParameters p = preset_with("iq");
  p.network_interface.ejection_latency = 6;  // 7 with the receiver; the credit on the link takes 2
  EXPECT_EQ(p.flits_between(), 15u);
}

}  // namespace
}  // namespace flitmend
