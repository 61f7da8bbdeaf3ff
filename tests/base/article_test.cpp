// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

TEST(Article, FollowsTheSound) {
  for (const char* an :
       {"8x8 mesh", "8-node ring", "80x80 mesh", "11-node ring", "18x2 torus", "11000-node ring", "edge"})
    EXPECT_EQ(with_article(an), std::string("an ") + an);
  for (const char* a :
       {"4x4 mesh", "1-node ring", "110-node ring", "1100-node ring", "180x2 torus", "KNS(8, 2)"})
    EXPECT_EQ(with_article(a), std::string("a ") + a);
}

}  // namespace
}  // namespace flitmend
