// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(Nearest, FindsTheTypo) {
  EXPECT_EQ(nearest("virtual_chanels", {"virtual_channels", "input_buffer"}), "virtual_channels");
  EXPECT_EQ(nearest("laod", {"load", "length"}), "load");
}

TEST(Nearest, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest("banana", {"load", "seed"}), "");
}

TEST(DidYouMean, ListsTheKnownWordsWhereNothingIsNear) {
  EXPECT_EQ(did_you_mean("banana", {"load", "seed"}), "; known: load, seed");
  EXPECT_EQ(did_you_mean("sed", {"load", "seed"}), " (did you mean 'seed'?)");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

TEST(DidYouMean, NeverProposesWhatWasTyped) {
  EXPECT_EQ(did_you_mean("load", {"load", "seed"}), "; known: load, seed");
}

}  // namespace flitmend
