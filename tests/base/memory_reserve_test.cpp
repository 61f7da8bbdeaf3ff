// SPDX-License-Identifier: Apache-2.0
// Memory set aside for the moment when there is no more.
#include "base/memory_limit.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

TEST(MemoryReserve, IsHandedOutOnce) {
  int calls = 0;
  MemoryReserve reserve(1 << 20, [&calls] { ++calls; });
  EXPECT_FALSE(reserve.used());
  const std::new_handler handler = std::get_new_handler();
  ASSERT_NE(handler, nullptr);
  handler();
  EXPECT_TRUE(reserve.used());
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(handler(), std::bad_alloc);
  EXPECT_EQ(calls, 1);
}

TEST(MemoryReserve, LeavesTheHandlerOfBefore) {
  const std::new_handler before = std::get_new_handler();
  {
    const MemoryReserve reserve(1024, [] {});
  }
  EXPECT_EQ(std::get_new_handler(), before);
}

TEST(MemoryReserve, WithoutMemoryForItThereIsNone) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends the program";
#endif
  MemoryReserve reserve(~std::size_t{0} / 2, [] {});
  EXPECT_THROW(std::get_new_handler()(), std::bad_alloc);
  EXPECT_FALSE(reserve.used());
}

}  // namespace
}  // namespace flitmend
