// SPDX-License-Identifier: Apache-2.0
#include "base/csv_reader.h"

#include <gtest/gtest.h>

#include "base/random_stream.h"
#include "support/compressed.h"
#include "support/files.h"
#include "support/text_mutator.h"

namespace flitmend {
namespace {

constexpr CsvReader::Column kColumns[] = {{"source", true}, {"destination", true}, {"bytes"}, {"class"}};

class CsvReaderTest : public testing::Test {
 protected:
  /// Every line, its fields by column with | between them.
  std::vector<std::string> lines(const std::string& text) {
    test::write_file(path, text);
    CsvReader reader(path, kColumns);
    std::vector<std::string> all;
    while (reader.read()) {
      std::string line;
      for (std::size_t i = 0; i < std::size(kColumns); ++i)
        line += (i ? "|" : "") + std::string(reader.field(i));
      all.push_back(line);
    }
    return all;
  }
  std::string refusal(const std::string& text) {
    const std::string what = test::message_of<ConfigurationError>([&] { lines(text); });
    return what.starts_with(path) ? what.substr(path.size()) : what;
  }

  test::TemporaryFolder folder;
  const std::string path = folder / "t.csv";
  using Lines = std::vector<std::string>;
};

TEST_F(CsvReaderTest, ReadsLinesWithAndWithoutAHeader) {
  EXPECT_EQ(lines("0,1,8,request\n2 , 3\n"), (Lines{"0|1|8|request", "2|3||"}));
  EXPECT_EQ(lines("class,destination,source\nreply,1,0\n,3,2"), (Lines{"0|1||reply", "2|3||"}));
}

TEST_F(CsvReaderTest, SkipsCommentsEmptyLinesAndAByteOrderMark) {
  EXPECT_EQ(lines("\xef\xbb\xbf# a,b\n\n  \t\r\n0,1,,#4\r\n"), (Lines{"0|1||#4"}));
}

TEST_F(CsvReaderTest, UnderstandsQuotes) {
  EXPECT_EQ(lines("0,1,, \"a, \"\"b\"\"\" \n\"2\",\"3\"\n"), (Lines{"0|1||a, \"b\"", "2|3||"}));
}

TEST_F(CsvReaderTest, RefusesWithLineAndColumn) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ":1: the file has no line with values; add one"},
      {"source,destination\n", ":1: the file has no line with values; add one"},
      {"# only\n", ":1: the file has no line with values; add one"},
      {"0,1\n0\n", ":2: no destination; each line needs one"},
      {"0,1\n ,1\n", ":2:2: no source; each line needs one"},
      {"0,1,2,3,4\n", ":1:9: 5 fields, but a line has 4 at most; remove the last ones"},
      {"source,destination\n0,1,2\n", ":2:5: 3 fields, but a line has 2 at most; remove the last ones"},
      {"source,destinatoin\n", ":1:8: unknown column 'destinatoin' (did you mean 'destination'?)"},
      {"zzzzzzzz,source\n", ":1:1: unknown column 'zzzzzzzz'; known: source, destination, bytes, class"},
      {"source,source\n", ":1:8: column source is there twice; remove one"},
      {"source,bytes\n", ":1: the header has no column destination"},
      {"0,\"1\n", ":1:3: a quotation mark without its end"},
      {"0,\"1\"2\n", ":1:3: text after the closing quotation mark"},
      {"0,a\"b\n", ":1:3: a quotation mark inside a field"},
      {"0,1\r2,3\n", ":1:4: a carriage return without a line feed"},
      {"0,1\n0,1,,\xff\n", ":2:6: a byte that is not UTF-8"},
      {"0,1,,\xed\xa0\x80\n", ":1:6: a byte that is not UTF-8"},
      {"\x1f\x8b...", ":1: the compressed data is damaged, or followed"},
      {"BZh...", ":1: the file is compressed by bzip2; decompress it with bunzip2"},
      {"PK\x03\x04...", ":1: the file is a ZIP archive, as spreadsheets are stored; export it as CSV"},
      {"\xff\xfe...", ":1: the file is in UTF-16; save it as UTF-8"},
  };
  for (const auto& [text, error] : cases)
    EXPECT_TRUE(refusal(text).starts_with(error)) << text << '\n' << refusal(text);
  EXPECT_TRUE(refusal(std::string("0,1\n0,\0", 7)).starts_with(":2:3: a byte 0"));
  EXPECT_TRUE(
      refusal("0," + std::string(70000, '1') + "\n0,1\n").starts_with(":1: the line has more than 65536"));
  EXPECT_TRUE(refusal("0," + std::string(700000, '1')).starts_with(":1: the line has more than 65536"));
}

TEST_F(CsvReaderTest, WholeNumbersAreDigitsOnly) {
  for (const char* const text :
       {"-1", "+1", "1.0", "1e3", "0x1", "1 2", "9007199254740993", "99999999999999999999999"}) {
    test::write_file(path, std::string("0,1,") + text + "\n");
    CsvReader reader(path, kColumns);
    ASSERT_TRUE(reader.read());
    const std::string what =
        test::message_of<ConfigurationError>([&] { reader.whole(2, 0, CsvReader::kLargest); });
    EXPECT_TRUE(what.starts_with(path + ":1:5: bytes ")) << what;
  }
  test::write_file(path, "0,1,9007199254740992\n");
  CsvReader reader(path, kColumns);
  ASSERT_TRUE(reader.read());
  EXPECT_EQ(reader.whole(2, 0, CsvReader::kLargest), CsvReader::kLargest);
}

// Blocks of the file begin anywhere in its lines.
TEST_F(CsvReaderTest, ReadsFilesLongerThanABlock) {
  std::string text;
  constexpr unsigned kLines = 100000;
  for (unsigned i = 0; i < kLines; ++i)
    text += std::to_string(i) + "," + std::to_string(2 * i) + ",\"" + "x\"\n";
  const Lines read = lines(text);
  ASSERT_EQ(read.size(), kLines);
  for (unsigned i = 0; i < kLines; ++i)
    ASSERT_EQ(read[i], std::to_string(i) + "|" + std::to_string(2 * i) + "|x|");
}

/// Lines that differ, so that they do not shrink to nothing.
std::string long_table(unsigned lines) {
  std::string text = "source,destination,bytes\n";
  RandomStream random(1, RandomPurpose::destination, 0);
  for (unsigned i = 0; i < lines; ++i)
    text += std::to_string(i) + "," + std::to_string(random.below(1000)) + ",8\n";
  return text;
}

TEST_F(CsvReaderTest, DecompressesGzipAndXzInSeveralMembers) {
  const std::string text = long_table(40000);
  const Lines plain = lines(text);
  for (const auto compress : {+[](const std::string& part) { return test::gzip(part); },
                              +[](const std::string& part) { return test::xz(part); }}) {
    EXPECT_EQ(lines(compress(text)), plain);
    // Members end anywhere, in the middle of a line too; one may be empty.
    EXPECT_EQ(lines(compress(text.substr(0, 30)) + compress("") + compress(text.substr(30, 200000)) +
                    compress(text.substr(200030))),
              plain);
    EXPECT_EQ(refusal(compress("")), ":1: the file has no line with values; add one");
    EXPECT_EQ(refusal(compress("source\n")), refusal("source\n"));
    EXPECT_EQ(refusal(compress("0,1\n") + std::string(20, 'x')),
              ":2: the compressed data is damaged, or followed by something else; copy the file again");
  }
}

TEST_F(CsvReaderTest, NamesTheLineWhereCompressedDataEnds) {
  const std::string text = long_table(20000);
  for (const std::string& whole : {test::gzip(text), test::xz(text)})
    for (std::size_t size = 6; size < whole.size(); size += whole.size() / 97) {
      test::write_file(path, whole.substr(0, size));
      int line = 1;
      try {
        CsvReader reader(path, kColumns);
        while (reader.read()) line = reader.place().line;
        ADD_FAILURE() << "size " << size;
      } catch (const ConfigurationError& error) {
        EXPECT_EQ(error.what(), path + ":" + std::to_string(error.place()->line) +
                                    ": the compressed data ends too early; copy the file again");
        EXPECT_LE(line, error.place()->line);
        EXPECT_GE(line + 2, error.place()->line);
        // What has been made of that many bytes has been read.
        EXPECT_TRUE(size < whole.size() / 2 || line > 5000) << size;
      }
    }
}

TEST_F(CsvReaderTest, RefusesDamagedCompressedData) {
  const std::string text = long_table(20000);
  RandomStream random(2, RandomPurpose::destination, 0);
  for (const std::string& whole : {test::gzip(text), test::xz(text)})
    for (int round = 0; round < 80; ++round) {
      std::string damaged = whole;
      damaged[6 + random.below(static_cast<std::uint32_t>(whole.size()) - 6)] ^=
          static_cast<char>(1 + random.below(255));
      test::write_file(path, damaged);
      std::size_t read = 0;
      try {
        CsvReader reader(path, kColumns);
        while (reader.read()) ++read;
        EXPECT_EQ(read, 20000u);  // gzip's header has bytes without a meaning
      } catch (const ConfigurationError& error) {
        EXPECT_TRUE(error.place() && error.place()->line >= 1) << error.what();
      }
    }
}

TEST_F(CsvReaderTest, RefusesBombsInConstantMemory) {
  const std::string lines_of_nothing(68 << 20, '\n');
  const std::string bomb =
      " the content is more than 500 times as long as the file; decompress it, and name the result";
  for (const std::string& file : {test::gzip(lines_of_nothing), test::xz(lines_of_nothing)}) {
    const std::string what = refusal(file);
    EXPECT_TRUE(what.ends_with(bomb)) << what;
  }
  EXPECT_EQ(refusal(test::xz_of_large_dictionary("0,1\n")),
            ":1: the compressed data needs more than 256 MiB of memory; compress it with xz -9 or lower");
}

// Whatever the bytes are, a file is read or refused at a line of it.
TEST_F(CsvReaderTest, SurvivesMutations) {
  const std::string good = "source,destination,bytes,class\n0,1,8,\"a,b\"\r\n# c\n2,3,,\n4,5,6,\"\"\"\"\n";
  test::TextMutator mutator(1);
  unsigned refused = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string text = mutator.mutate_table(good);
    test::write_file(path, text);
    try {
      CsvReader reader(path, kColumns);
      while (reader.read()) ASSERT_FALSE(reader.field(0).empty());
    } catch (const ConfigurationError& error) {
      ++refused;
      ASSERT_TRUE(error.place() && error.place()->line >= 1) << error.what();
      ASSERT_LE(error.place()->line, 1 + std::ranges::count(text, '\n'));
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_LT(refused, 2900u);
}

}  // namespace
}  // namespace flitmend
