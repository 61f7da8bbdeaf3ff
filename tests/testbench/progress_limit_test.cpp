// SPDX-License-Identifier: Apache-2.0
#include "testbench/progress_limit.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(ProgressLimit, CountsFromTheLastMessageThatEnded) {
  ProgressLimit limit(100);
  MessageResults messages;
  messages.generated = 3;
  limit.look(messages, true, 1000);
  limit.look(messages, true, 1099);
  EXPECT_EQ(limit.reason(), "");
  messages.delivered = 1;
  limit.look(messages, true, 1150);
  messages.undeliverable = 1;
  limit.look(messages, true, 1249);
  limit.look(messages, true, 1348);
  EXPECT_EQ(limit.reason(), "");
  limit.look(messages, true, 1349);
  EXPECT_NE(limit.reason().find("100 cycles"), std::string::npos) << limit.reason();
}

TEST(ProgressLimit, DoesNotCountCyclesWithoutAWait) {
  ProgressLimit limit(100);
  for (Cycle now = 0; now < 10000; now += 50) limit.look({}, now % 100 != 0, now);
  EXPECT_EQ(limit.reason(), "");
}

TEST(ProgressLimit, ZeroIsNone) {
  ProgressLimit limit(0);
  limit.look({}, true, 0);
  limit.look({}, true, Cycle{1} << 50);
  EXPECT_EQ(limit.reason(), "");
}

}  // namespace flitmend
