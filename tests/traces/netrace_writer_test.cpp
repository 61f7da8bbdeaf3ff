// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/writer.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "support/files.h"
#include "support/sample_trace.h"
#include "traces/netrace/reader.h"

namespace flitmend {
namespace {

constexpr const char* kSamples[] = {"shrtex", "example", "multiregion", "lngrex"};

std::string refusal(const std::string& path, auto&& use) {
  std::string text = test::message_of<ConfigurationError>(use);
  const std::string name = "trace '" + path + "'";
  EXPECT_EQ(text.find(name), 0u) << text;
  return text.substr(std::min(name.size(), text.size()));
}

/// Copies a trace packet by packet, region by region.
void copy(const std::string& from, const std::string& to) {
  NetraceReader reader(from);
  const NetraceHeader& header = reader.header();
  NetraceWriter writer(to, header.nodes, header.benchmark, header.notes);
  NetracePacket p;
  for (const NetraceRegion& region : header.regions) {
    for (std::uint64_t i = 0; i < region.packets; ++i) {
      ASSERT_TRUE(reader.read(p));
      writer.write(p);
    }
    writer.end_region(region.cycles);
  }
  EXPECT_FALSE(reader.read(p));
  writer.close();
}

void expect_same(const std::string& a, const std::string& b) {
  NetraceReader one(a), other(b);
  EXPECT_EQ(one.header(), other.header());
  NetracePacket p, q;
  while (one.read(p)) {
    ASSERT_TRUE(other.read(q));
    ASSERT_EQ(p, q) << "packet " << one.packets_read();
  }
  EXPECT_FALSE(other.read(q));
}

TEST(NetraceWriter, WritesWhatTheReaderReads) {
  test::TemporaryFolder folder;
  const std::string original = folder / "a", second = folder / "b", third = folder / "c";
  test::write_sample_trace(original);
  copy(original, second);
  expect_same(original, second);
  copy(second, third);
  EXPECT_EQ(test::read_file(second), test::read_file(third));
}

TEST(NetraceWriter, CopiesTheNetraceSamplesWithoutAChange) {
  test::TemporaryFolder folder;
  for (const char* name : kSamples) {
    const std::string wanted = std::string("netrace/") + name + ".tra.bz2";
    const std::string sample = test::outside_data(wanted);
    if (sample.empty()) GTEST_SKIP() << test::no_outside_data(wanted);
    const std::string twin = folder / name;
    copy(sample, twin);
    expect_same(sample, twin);
  }
}

TEST(NetraceWriter, WritesAllFieldsAndEmptyRegions) {
  test::TemporaryFolder folder;
  const std::string path = folder / "t";
  NetraceWriter writer(path, 255, std::string(29, 'n'), "");
  NetracePacket p{.cycle = ~std::uint64_t{0} - 1,
                  .id = ~std::uint32_t{0},
                  .address = 0x89ABCDEF,
                  .type = 30,
                  .source = 254,
                  .destination = 0,
                  .node_types = 0xFE};
  for (std::uint32_t i = 0; i < 255; ++i) p.dependants.push_back(i);
  writer.end_region(0);
  writer.write(p);
  std::vector<NetracePacket> expected = {p};
  for (std::uint32_t i = 0; i < 255; ++i) {
    expected.push_back({.cycle = p.cycle, .id = i, .type = 1});
    writer.write(expected.back());
  }
  writer.end_region(12);
  writer.end_region(7);
  writer.close();
  NetraceReader reader(path);
  EXPECT_EQ(reader.header().benchmark, std::string(29, 'n'));
  EXPECT_EQ(reader.header().cycles, 19u);
  EXPECT_EQ(reader.header().regions,
            (std::vector<NetraceRegion>{{0, 0, 0}, {0, 12, 256}, {256 * 21 + 255 * 4, 7, 0}}));
  for (const NetracePacket& e : expected) {
    NetracePacket q;
    ASSERT_TRUE(reader.read(q));
    EXPECT_EQ(q, e);
  }
}

TEST(NetraceWriter, RefusesWhatTheFormatCannotSay) {
  EXPECT_EQ(refusal("t", [] { NetraceWriter("t", 0, "x"); }),
            " cannot have 0 nodes: the format allows 1 to 255");
  EXPECT_EQ(refusal("t", [] { NetraceWriter("t", 256, "x"); }),
            " cannot have 256 nodes: the format allows 1 to 255");
  EXPECT_EQ(refusal("t", [] { NetraceWriter("t", 2, std::string(30, 'b')); }),
            " cannot have the benchmark name '" + std::string(30, 'b') + "': at most 29 bytes");
  NetraceWriter writer("t", 2, "x");
  NetracePacket p{.cycle = 1, .id = 1, .type = 1, .source = 2};
  EXPECT_EQ(refusal("t", [&] { writer.write(p); }),
            " cannot take packet id 1: it has the source 2, but the trace has only the nodes 0 to 1");
  p.source = 1;
  p.dependants.resize(256, 5);
  EXPECT_EQ(refusal("t", [&] { writer.write(p); }),
            " cannot take packet id 1: it lists 256 dependants; the format allows 255");
}

TEST(NetraceWriter, RefusesToCloseAnUnfinishedTrace) {
  NetraceWriter writer("t", 2, "x");
  writer.write({.cycle = 1, .id = 1, .type = 1, .dependants = {2}});
  EXPECT_EQ(refusal("t", [&] { writer.close(); }), " has packets after the end of its last region");
  writer.end_region(1);
  EXPECT_EQ(refusal("t", [&] { writer.close(); }),
            " lists 1 packet id(s) as waiting that never come; the lowest is 2");
  EXPECT_FALSE(std::filesystem::exists("t"));
}

TEST(NetraceWriter, SaysWhenTheDiskIsFullOrTheFolderIsNotThere) {
  const auto write_to = [](const std::string& path) {
    return refusal(path, [&] { test::write_sample_trace(path); });
  };
  EXPECT_EQ(write_to("/nowhere/t"), " cannot be written: No such file or directory");
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  EXPECT_EQ(write_to("/dev/full"), " cannot be written: No space left on device");
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

}  // namespace
}  // namespace flitmend
