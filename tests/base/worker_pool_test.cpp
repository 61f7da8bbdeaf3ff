// SPDX-License-Identifier: Apache-2.0
#include "base/worker_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <stdexcept>
#include <string>

namespace flitmend {

// More threads than processors, too.
TEST(WorkerPool, CallsEveryPieceOnceOnItsOwnThread) {
  for (const unsigned threads : {1u, 2u, 3u, 16u}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    std::vector<std::thread::id> first(threads), now(threads);
    std::vector<int> calls(threads);
    for (int round = 0; round < 100; ++round) {
      pool.run([&](unsigned i) {
        ++calls[i];
        now[i] = std::this_thread::get_id();
      });
      if (round == 0) first = now;
      ASSERT_EQ(now, first) << "a piece has changed its thread";
    }
    EXPECT_EQ(calls, std::vector<int>(threads, 100)) << threads;
    EXPECT_EQ(first[0], std::this_thread::get_id());
    EXPECT_EQ(std::set(first.begin(), first.end()).size(), threads);
  }
}

TEST(WorkerPool, WaitsForAllPieces) {
  WorkerPool pool(3);
  std::vector<int> done(3);
  pool.run([&](unsigned i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(i == 1 ? 60 : 0));
    done[i] = 1;
  });
  EXPECT_EQ(done, std::vector<int>(3, 1));
}

TEST(WorkerPool, ThrowsTheExceptionOfTheLowestPieceAndGoesOn) {
  WorkerPool pool(4);
  for (int round = 0; round < 20; ++round) {
    std::string caught;
    std::vector<int> done(4);
    try {
      pool.run([&](unsigned i) {
        done[i] = 1;
        if (i == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (i == 1 || i == 3) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& e) {
      caught = e.what();
    }
    EXPECT_EQ(caught, "1");
    EXPECT_EQ(done, std::vector<int>(4, 1)) << "the others go on";
  }
  EXPECT_THROW(pool.run([](unsigned i) { i == 0 ? throw std::logic_error("0") : void(); }), std::logic_error);
  pool.run([](unsigned) {});
}

TEST(WorkerPool, BlocksSignalsInItsThreadsOnly) {
  WorkerPool pool(2);
  std::vector<int> blocked(2);
  pool.run([&](unsigned i) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked[i] = sigismember(&mask, SIGINT) && sigismember(&mask, SIGTERM);
  });
  EXPECT_EQ(blocked, (std::vector<int>{0, 1}));
}

// As a sweep does for each of its points.
TEST(WorkerPool, ExistsInTheChildOfAProcessThatHasOne) {
  WorkerPool pool(2);
  pool.run([](unsigned) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    WorkerPool own(3);
    std::vector<int> calls(3);
    own.run([&](unsigned i) { ++calls[i]; });
    _exit(calls == std::vector<int>(3, 1) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace flitmend
