// SPDX-License-Identifier: Apache-2.0
#include "base/program_file.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

TEST(ProgramFile, IsTheSameWithoutProc) {
  EXPECT_TRUE(program_file().is_absolute());
  EXPECT_EQ(program_file("/nonexistent"), program_file());
}

}  // namespace
}  // namespace flitmend
