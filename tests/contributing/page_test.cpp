// SPDX-License-Identifier: Apache-2.0
// docs/extending.md and docs/recovery.md show the files that are compiled, word for word.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "support/files.h"

namespace flitmend {
namespace {

const std::filesystem::path kSource = FLITMEND_SOURCE_DIR;

/// A block of code on the page, and the file that it shows or, below a list, the file that has its lines.
struct Block {
  std::string file;
  std::string text;
  bool whole = true;
};

/// Every block of C++ on the page: "<!-- file: PATH -->" or "<!-- lines of: PATH -->" comes before it.
std::vector<Block> blocks(const std::string& page) {
  std::vector<Block> all;
  const std::regex form(R"((?:<!-- (file|lines of): (\S+) -->\n)?```cpp\n([\s\S]*?)```\n)");
  for (std::sregex_iterator at(page.begin(), page.end(), form), end; at != end; ++at)
    all.push_back({(*at)[2], (*at)[3], (*at)[1] == "file"});
  return all;
}

std::string page(const char* name = "extending.md") {
  return test::read_file((kSource / "docs" / name).string());
}

/// The block names a file that has it. Whether it is the whole file.
bool shows_its_file(const Block& block) {
  EXPECT_NE(block.file, "") << "this block names no file:\n" << block.text;
  EXPECT_TRUE(std::filesystem::is_regular_file(kSource / block.file)) << block.file;
  if (block.file.empty() || !std::filesystem::is_regular_file(kSource / block.file)) return false;
  const std::string file = test::read_file((kSource / block.file).string());
  if (block.whole) {
    EXPECT_EQ(block.text, file) << block.file;
  } else {
    EXPECT_NE(("\n" + file).find("\n" + block.text), std::string::npos)
        << block.file << " has not the lines\n"
        << block.text;
  }
  return block.whole;
}

}  // namespace

TEST(ContributingPage, ShowsTheFilesThatAreCompiled) {
  unsigned whole = 0;
  for (const Block& block : blocks(page())) whole += shows_its_file(block);
  EXPECT_GE(whole, 14u);
}

TEST(RecoveryPage, ShowsLinesOfAnExample) {
  const std::vector<Block> shown = blocks(page("recovery.md"));
  EXPECT_EQ(shown.size(), 1u);
  for (const Block& block : shown) EXPECT_FALSE(shows_its_file(block));
}

TEST(ContributingPage, ShowsEveryExample) {
  std::set<std::string> shown;
  for (const Block& block : blocks(page()))
    if (block.whole) shown.insert(block.file);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kSource / "tests/contributing")) {
    const std::string name = std::filesystem::relative(entry.path(), kSource).generic_string();
    if (entry.is_directory() || name.ends_with("_test.cpp")) continue;
    EXPECT_TRUE(shown.contains(name)) << name << " is not on the page";
  }
}

TEST(ContributingPage, NamesFilesThatExist) {
  const std::string text = page() + test::read_file((kSource / "CONTRIBUTING.md").string());
  const std::regex path(
      R"(`((?:base|topologies|rtl_tlm|protocols|analysis|traces|testbench|exploration|program|tests|)"
      R"(scripts|docs|cmake|examples)/[A-Za-z0-9_./-]+)`)");
  unsigned found = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), path), end; at != end; ++at) {
    const std::filesystem::path file = kSource / (*at)[1].str();
    // The examples are where their real place would be, below tests/contributing.
    EXPECT_TRUE(std::filesystem::exists(file) ||
                std::filesystem::exists(kSource / "tests/contributing" / (*at)[1].str()))
        << (*at)[1];
    ++found;
  }
  EXPECT_GT(found, 10u);
}

}  // namespace flitmend
