// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace flitmend {
namespace {

TEST(Interrupt, FirstSignalAsksToStop) {
  InterruptGuard guard;
  EXPECT_FALSE(guard.stop());
  raise(SIGINT);
  EXPECT_TRUE(guard.stop());
}

TEST(Interrupt, TerminationToo) {
  InterruptGuard guard;
  raise(SIGTERM);
  EXPECT_TRUE(guard.stop());
}

TEST(Interrupt, SecondSignalKills) {
  EXPECT_EXIT(
      {
        InterruptGuard guard;
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, OldHandlerComesBack) {
  { InterruptGuard guard; }
  EXPECT_EXIT(raise(SIGINT), testing::KilledBySignal(SIGINT), "");
  {
    InterruptGuard guard;
    raise(SIGINT);
  }
  InterruptGuard again;
  EXPECT_FALSE(again.stop());
}

}  // namespace
}  // namespace flitmend
