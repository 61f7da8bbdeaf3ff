// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace flitmend {

TEST(ParallelFor, DoesEveryPieceOnceWhateverTheNumberOfThreads) {
  for (unsigned jobs : {0u, 1u, 2u, 7u}) {
    std::vector<int> done(1000);
    parallel_for(jobs, done.size(), [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(1000, 1)) << jobs;
  }
  parallel_for(3, 0, [](std::size_t) { FAIL() << "there is no piece"; });
}

TEST(ParallelFor, ThrowsThePiecesExceptionAgain) {
  for (unsigned jobs : {1u, 4u})
    EXPECT_THROW(parallel_for(jobs, 100,
                              [](std::size_t i) {
                                if (i == 42) throw std::runtime_error("42");
                              }),
                 std::runtime_error);
}

TEST(ThreadCount, IsNeverMoreThanThePieces) {
  EXPECT_EQ(thread_count(8, 3), 3u);
  EXPECT_EQ(thread_count(2, 3), 2u);
  EXPECT_EQ(thread_count(5, 0), 1u);
  EXPECT_GE(thread_count(0, 100), 1u);
}

}  // namespace flitmend
