// SPDX-License-Identifier: Apache-2.0
#include "base/backoff.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(Backoff, DoublesWithTheFirstTriesAndLaterWithEverySixteenth) {
  for (unsigned tries = 0; tries <= 5; ++tries) EXPECT_EQ(backoff_doublings(tries, 5), tries);
  for (unsigned tries = 6; tries < 64; ++tries) EXPECT_EQ(backoff_doublings(tries, 5), 5u);
  EXPECT_EQ(backoff_doublings(64, 5), 6u);
  EXPECT_EQ(backoff_doublings(79, 5), 6u);
  EXPECT_EQ(backoff_doublings(80, 5), 7u);
  EXPECT_EQ(backoff_doublings(~0u, 5), 30u);
  EXPECT_EQ(backoff_doublings(15, 0, 16), 0u);
  EXPECT_EQ(backoff_doublings(16, 0, 16), 1u);
}

}  // namespace flitmend
