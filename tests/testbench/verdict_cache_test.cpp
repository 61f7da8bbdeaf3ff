// SPDX-License-Identifier: Apache-2.0
#include "testbench/checks/verdict_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/checked_file.h"
#include "base/program_file.h"
#include "support/files.h"
#include "testbench/configuration/loader.h"

namespace flitmend {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

const DeadlockCheck kVerdict{.status = ExitStatus::unproved, .verdict = "not proved", .details = "a\nb\n"};

std::vector<fs::path> files_in(const fs::path& folder) {
  return {fs::directory_iterator(folder), fs::directory_iterator()};
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(VerdictCache, FindsWhatItKept) {
  const TemporaryFolder folder;
  const VerdictCache cache(folder / "cache/verdicts", "build");
  EXPECT_FALSE(cache.find("question"));
  cache.keep("question", kVerdict);
  const auto found = VerdictCache(folder / "cache/verdicts", "build").find("question");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->status, kVerdict.status);
  EXPECT_EQ(found->verdict, kVerdict.verdict);
  EXPECT_EQ(found->details, kVerdict.details);
  EXPECT_TRUE(found->from_cache);
  EXPECT_FALSE(cache.find("question "));
  EXPECT_FALSE(VerdictCache(folder / "cache/verdicts", "build 2").find("question")) << "of another program";
  const VerdictCache none;
  none.keep("question", kVerdict);
  EXPECT_FALSE(none.find("question"));
}

TEST(VerdictCache, ADamagedFileIsAsGoodAsNone) {
  const TemporaryFolder folder;
  const VerdictCache cache(folder / "", "build");
  cache.keep("question", kVerdict);
  const fs::path file = files_in(folder / "").at(0);
  const std::string whole = text_of(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write_checked(file, damaged);
    ASSERT_FALSE(cache.find("question")) << "byte " << i;
    write_checked(file, whole.substr(0, i));
    ASSERT_FALSE(cache.find("question")) << i << " bytes";
  }
  write_checked(file, whole);
  EXPECT_TRUE(cache.find("question"));
  // The file of one question in the place of another's.
  cache.keep("other", {.status = ExitStatus::done, .verdict = "free", .details = ""});
  for (const fs::path& other : files_in(folder / ""))
    if (other != file) write_checked(other, whole);
  EXPECT_FALSE(cache.find("other"));
  EXPECT_TRUE(cache.find("question"));
}

// The digest in a file is not a secret: whoever writes a file can compute it.
TEST(VerdictCache, AFileThatSaysWhatNoCheckCanSayIsAsGoodAsNone) {
  const TemporaryFolder folder;
  const VerdictCache cache(folder / "", "build");
  for (const ExitStatus status : {ExitStatus::bad_usage, ExitStatus::contract_broken, ExitStatus::unfinished,
                                  ExitStatus::not_borne_out, static_cast<ExitStatus>(99)}) {
    cache.keep("question", {.status = status, .verdict = "forged", .details = ""});
    EXPECT_FALSE(cache.find("question")) << to_int(status);
  }
  for (const ExitStatus status : {ExitStatus::done, ExitStatus::deadlock, ExitStatus::unproved}) {
    cache.keep("question", {.status = status, .verdict = "found", .details = ""});
    ASSERT_TRUE(cache.find("question"));
    EXPECT_EQ(cache.find("question")->status, status);
  }
  const fs::path file = files_in(folder / "").at(0);
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(cache.find("question")) << "anybody can have written it";
  fs::permissions(file, fs::perms::others_write, fs::perm_options::remove);
  ASSERT_TRUE(cache.find("question"));
  if (chown(file.c_str(), 65534, 65534) != 0) GTEST_SKIP() << "only root can give a file to another user";
  EXPECT_FALSE(cache.find("question")) << "of another user";
}

TEST(VerdictCache, APipeInPlaceOfAFileNeitherWaitsNorIsWritten) {
  const TemporaryFolder folder;
  const VerdictCache cache(folder / "", "build");
  cache.keep("question", kVerdict);
  const fs::path file = files_in(folder / "").at(0);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("question"));
  cache.keep("question", kVerdict);
  EXPECT_TRUE(fs::is_fifo(file));
}

TEST(VerdictCache, CreatesNoHome) {
  const TemporaryFolder folder;
  const auto cache_of = [](const std::string& home) {
    setenv("HOME", home.c_str(), 1);
    unsetenv("XDG_CACHE_HOME");
    return VerdictCache::of_user();
  };
  cache_of(folder / "nobody").keep("question", kVerdict);
  EXPECT_FALSE(fs::exists(folder / "nobody"));
  fs::create_directory(folder / "somebody");
  cache_of(folder / "somebody").keep("question", kVerdict);
  EXPECT_TRUE(fs::exists(folder / "somebody/.cache/flitmend/verdicts"));
}

TEST(VerdictCache, WhatCannotBeKeptIsNoError) {
  const TemporaryFolder folder;
  write_checked(folder / "file", "");
  for (const char* name : {"file", "file/below", "/proc/none"}) {
    const VerdictCache cache(name[0] == '/' ? fs::path(name) : fs::path(folder / name), "build");
    EXPECT_NO_THROW(cache.keep("question", kVerdict)) << name;
    EXPECT_FALSE(cache.find("question")) << name;
  }
}

TEST(VerdictCache, KeepsOnlyWhatTookLongAndIsStillAsked) {
  const TemporaryFolder folder;
  constexpr std::chrono::hours kNever{1};
  const VerdictCache patient(folder / "", "build", kNever),
      cache(folder / "", "build", std::chrono::milliseconds(1));
  unsigned checks = 0;
  const auto answer = [&](const VerdictCache& kept, const auto& question) {
    return kept.answer(question, [&] {
      ++checks;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return kVerdict;
    });
  };
  const auto asked = [] { return std::optional<std::string>("question"); };
  EXPECT_FALSE(answer(patient, asked).from_cache);
  EXPECT_FALSE(answer(cache, asked).from_cache);
  EXPECT_EQ(checks, 2u);
  EXPECT_TRUE(answer(cache, asked).from_cache);
  EXPECT_EQ(checks, 2u);
  // A file changes while it is checked.
  unsigned version = 0;
  const auto changing = [&] { return std::optional<std::string>("version " + std::to_string(version++)); };
  answer(cache, changing);
  EXPECT_FALSE(cache.find("version 0"));
  EXPECT_FALSE(cache.find("version 1"));
  const auto unreadable = [] { return std::optional<std::string>(); };
  answer(cache, unreadable);
  EXPECT_EQ(files_in(folder / "").size(), 1u);
}

TEST(VerdictCache, RemovesTheOldest) {
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < VerdictCache::kMostFiles; ++i) {
    const fs::path file = folder / std::to_string(i);
    write_checked(file, "");
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(i + 1));
  }
  VerdictCache(folder / "", "build").keep("question", kVerdict);
  EXPECT_EQ(files_in(folder / "").size(), VerdictCache::kMostFiles);
  EXPECT_FALSE(fs::exists(folder / std::to_string(VerdictCache::kMostFiles - 1)));
  EXPECT_TRUE(fs::exists(folder / "0"));
}

TEST(Verdicts, DependOnEverythingThatTheCheckReads) {
  const TemporaryFolder folder;
  const std::string graph = folder / "g.graphml", table = folder / "t.csv";
  const std::string networks = FLITMEND_SOURCE_DIR "/examples/networks/";
  fs::copy_file(networks + "ring.graphml", graph);
  fs::copy_file(networks + "ring.csv", table);
  const auto question = [](const std::string& text, const std::vector<std::string>& sets = {}) {
    return verdict_question(parse_configuration(text, "test.yaml", sets));
  };
  const std::string mesh = "network: {size: [4, 4]}\nrouting: {algorithm: duato}";
  const auto asked = question(mesh);
  ASSERT_TRUE(asked);
  EXPECT_EQ(question(mesh, {"traffic.load=0.3", "simulation.seed=7", "faults.node_rate=1e-5"}), asked);
  for (const char* set :
       {"network.size=[4, 5]", "network.topology=torus", "routing.algorithm=su-shin",
        "routing.escape=terminal", "router.virtual_channels=5", "router.switching=store-and-forward",
        "router.input_buffer=32", "deadlock.watchdog=off"})
    EXPECT_NE(question(mesh, {set}), asked) << set;

  const std::string ring =
      "network: {topology: file, graph: " + graph + "}\nrouting: {algorithm: table, table: " + table + "}";
  const auto first = question(ring);
  ASSERT_TRUE(first);
  for (const std::string& file : {graph, table}) {
    const std::string text = text_of(file);
    write_checked(file, text + "\n");
    EXPECT_NE(question(ring), first) << file;
    write_checked(file, text);
    EXPECT_EQ(question(ring), first) << file;
  }
  // Whatever the name of the file.
  for (const char* name : {"a<b.graphml", "a b,c.graphml", "12"}) {
    const std::string other = folder / name;
    fs::copy_file(graph, other);
    const std::string text =
        "network: {topology: file, graph: \"" + other + "\"}\nrouting: {algorithm: up-down}";
    const auto before = question(text);
    write_checked(other, text_of(graph) + "\n");
    EXPECT_NE(question(text), before) << name;
  }
}

TEST(BuildId, IsThatOfThisProgram) {
  const std::string id = build_id();
  EXPECT_GE(id.size(), 16u) << "this build has no identity, so no verdict is kept";
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), id.npos);
}

}  // namespace
}  // namespace flitmend
