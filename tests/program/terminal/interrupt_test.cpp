// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace flitmend {
namespace {

class Interrupt : public testing::Test {
 protected:
  Interrupt() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  }
};

TEST_F(Interrupt, TheFirstSignalAsksToStop) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    InterruptGuard guard;
    EXPECT_FALSE(guard.stop());
    raise(number);
    EXPECT_TRUE(guard.stop()) << number;
  }
}

TEST_F(Interrupt, TheSecondDoesNotKill) {
  InterruptGuard guard;
  raise(SIGINT);
  raise(SIGINT);
  EXPECT_TRUE(guard.stop());
}

TEST_F(Interrupt, TheThirdKills) {
  EXPECT_EXIT(
      {
        InterruptGuard guard;
        raise(SIGINT);
        raise(SIGHUP);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

// nohup flitmend run …
TEST_F(Interrupt, WhatIsIgnoredStaysIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  InterruptGuard guard;
  raise(SIGHUP);
  EXPECT_FALSE(guard.stop());
}

TEST_F(Interrupt, TheOldHandlerComesBack) {
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
