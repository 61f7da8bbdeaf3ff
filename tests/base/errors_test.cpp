// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(Place, ReadsAsEditorsTakeIt) {
  EXPECT_EQ((Place{"mesh.yaml", 3, 7}).text(), "mesh.yaml:3:7");
  EXPECT_EQ((Place{"pairs.txt", 3}).text(), "pairs.txt:3");
  EXPECT_EQ((Place{"--set #2"}).text(), "--set #2");
}

TEST(ConfigurationError, BeginsWithItsPlace) {
  const ConfigurationError error({"mesh.yaml", 3, 7}, "wrong");
  EXPECT_STREQ(error.what(), "mesh.yaml:3:7: wrong");
  EXPECT_EQ(error.place(), (Place{"mesh.yaml", 3, 7}));
  EXPECT_EQ(ConfigurationError("wrong").place(), std::nullopt);
}

TEST(KeyError, NamesItsKeysTheOneAtFaultFirst) {
  const KeyError error("waves.to", "too early", {"waves.from"});
  EXPECT_STREQ(error.what(), "waves.to: too early");
  EXPECT_EQ(error.keys(), (std::vector<std::string>{"waves.to", "waves.from"}));
  EXPECT_EQ(error.place(), std::nullopt) << "nobody has said where the key was given";
}

}  // namespace flitmend
