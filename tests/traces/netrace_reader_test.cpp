// SPDX-License-Identifier: Apache-2.0
#include "traces/netrace/reader.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/random_stream.h"
#include "support/files.h"
#include "support/netrace_bytes.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

using test::bzip2;
using test::raw_packet;
using test::RawHeader;

NetracePacket packet(std::uint32_t id, std::uint64_t cycle, std::vector<std::uint32_t> dependants = {}) {
  return {.cycle = cycle,
          .id = id,
          .address = 0x1000,
          .type = 1,
          .source = 3,
          .destination = 15,
          .node_types = 2,
          .dependants = std::move(dependants)};
}

std::string trace_of(const std::vector<NetracePacket>& packets, RawHeader header = {}) {
  header.packets = packets.size();
  std::string text = header.bytes();
  for (const NetracePacket& p : packets) text += raw_packet(p);
  return text;
}

class NetraceInput : public testing::Test {
 protected:
  /// The error of reading the whole file, "" if there is none.
  std::string refusal(const std::string& file_bytes, std::optional<unsigned> region = {}) {
    test::write_file(path, file_bytes);
    std::string text = test::message_of<ConfigurationError>([&] { scan_netrace(path, region); });
    EXPECT_EQ(text.find("trace '" + path + "'"), 0u) << text;
    const std::size_t name = 7 + path.size() + 1;
    return text.size() > name ? text.substr(name) : text;
  }
  test::TemporaryFolder folder;
  const std::string path = folder / "input.tra.bz2";
};

TEST_F(NetraceInput, ReadsHeaderAndPackets) {
  RawHeader header;
  header.notes = std::string("two words\0", 10);
  header.notes_bytes = 10;
  header.regions = {{0, 100, 2}};
  header.region_count = 1;
  const std::vector<NetracePacket> packets = {packet(7, 5, {8, 9}), packet(8, 5, {9}), packet(9, 6)};
  test::write_file(path, bzip2(trace_of(packets, header)));
  NetraceReader reader(path);
  EXPECT_EQ(reader.header(), (NetraceHeader{"raw", 16, 100, 3, "two words", {{0, 100, 2}}}));
  NetracePacket p;
  for (const NetracePacket& expected : packets) {
    ASSERT_TRUE(reader.read(p));
    EXPECT_EQ(p, expected);
  }
  EXPECT_FALSE(reader.read(p));
  EXPECT_FALSE(reader.read(p));
  EXPECT_EQ(reader.packets_read(), 3u);
}

TEST_F(NetraceInput, ReadsSeveralCompressedStreamsInARow) {
  const std::string text = trace_of({packet(0, 1), packet(1, 1), packet(2, 9)});
  test::write_file(path, bzip2(text.substr(0, 80)) + bzip2(text.substr(80, 1)) + bzip2(text.substr(81)));
  EXPECT_EQ(scan_netrace(path).packets, 3u);
}

TEST_F(NetraceInput, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(test::message_of<ConfigurationError>([] { NetraceReader("nowhere/at.all"); }),
            "trace 'nowhere/at.all' cannot be opened: No such file or directory");
  const std::string parent = folder / ".";
  EXPECT_EQ(test::message_of<ConfigurationError>([&] { NetraceReader reader(parent); }),
            "trace '" + parent + "' cannot be opened: Is a directory");
}

TEST_F(NetraceInput, RefusesWhatIsNotBzip2) {
  EXPECT_EQ(refusal(""), " is empty: a Netrace file is compressed with bzip2 and holds at least a header");
  EXPECT_EQ(refusal(trace_of({packet(0, 1)})),
            " is not a bzip2 file: a Netrace file is compressed with bzip2");
  EXPECT_EQ(refusal(bzip2(trace_of({packet(0, 1)})) + "rest"),
            " has data that is not bzip2 after its compressed data");
}

TEST_F(NetraceInput, RefusesDamagedCompressedData) {
  std::string file = bzip2(trace_of({packet(0, 1), packet(1, 2)}));
  file[file.size() / 2] = static_cast<char>(file[file.size() / 2] ^ 0x10);
  EXPECT_EQ(refusal(file), " is damaged: its compressed data do not match their checksum");
}

TEST_F(NetraceInput, RefusesAFileCutAnywhereInItsCompressedData) {
  const std::string file = bzip2(trace_of({packet(0, 1, {1}), packet(1, 2)}));
  for (std::size_t size = 1; size < file.size(); ++size)
    EXPECT_EQ(refusal(file.substr(0, size)),
              " is cut short: its compressed data end after " + std::to_string(size) + " bytes");
}

TEST_F(NetraceInput, RefusesATraceThatEndsEarly) {
  RawHeader header;
  header.notes = "notes";
  header.notes_bytes = 5;
  header.regions = {{0, 100, 2}};
  header.region_count = 1;
  const std::string text = trace_of({packet(0, 1, {1}), packet(1, 2)}, header);
  const std::size_t first = 72 + 5 + 24;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string got = refusal(bzip2(text.substr(0, size)));
    if (size < 72)
      EXPECT_EQ(got, " is cut short in its header: " + std::to_string(size) + " of 72 bytes are present");
    else if (size < 77)
      EXPECT_EQ(got, " is cut short in its notes: " + std::to_string(size - 72) + " of 5 bytes are present");
    else if (size < first)
      EXPECT_EQ(got, " is cut short in its table of regions: " + std::to_string(size - 77) +
                         " of 24 bytes are present");
    else if (size < first + 25)
      EXPECT_EQ(
          got, std::string(" is cut short: it ends ") + (size == first ? "before" : "in") + " packet 1 of 2");
    else
      EXPECT_EQ(got, std::string(" is cut short: it ends ") + (size == first + 25 ? "before" : "in") +
                         " packet 2 of 2");
  }
}

TEST_F(NetraceInput, RefusesADamagedHeader) {
  RawHeader header;
  header.magic = 0x12345678;
  EXPECT_EQ(refusal(bzip2(header.bytes())),
            " is not a Netrace file: it does not begin with the magic number 0x484A5455");
  header = {};
  header.version = 0x40000000;
  EXPECT_EQ(refusal(bzip2(header.bytes())),
            " has another version of Netrace; this reader supports version 1.0");
  header = {};
  header.nodes = 0;
  EXPECT_EQ(refusal(bzip2(header.bytes())), " has a damaged header: it says 0 nodes");
  header = {};
  header.notes_bytes = 0xFFFFFFFF;
  EXPECT_EQ(refusal(bzip2(header.bytes())),
            " has a damaged header: 4294967295 bytes of notes (at most 1048576)");
  header = {};
  header.region_count = 0xFFFFFFFF;
  EXPECT_EQ(refusal(bzip2(header.bytes())), " has a damaged header: 4294967295 regions (at most 65536)");
}

TEST_F(NetraceInput, RefusesNodesOutsideTheTrace) {
  NetracePacket p = packet(4, 1);
  p.source = 16;
  EXPECT_EQ(refusal(bzip2(trace_of({p}))),
            ": packet 1 (id 4, cycle 1) has the source 16, but the trace has only the nodes 0 to 15");
  p.source = 0;
  p.destination = 255;
  EXPECT_EQ(refusal(bzip2(trace_of({packet(3, 0), p}))),
            ": packet 2 (id 4, cycle 1) has the destination 255, but the trace has only the nodes 0 to 15");
}

TEST_F(NetraceInput, RefusesUnknownTypes) {
  for (int type : {0, 7, 12, 17, 26, 31, 255}) {
    NetracePacket p = packet(0, 1);
    p.type = static_cast<std::uint8_t>(type);
    EXPECT_EQ(
        refusal(bzip2(trace_of({p}))),
        ": packet 1 (id 0, cycle 1) has the unknown type " + std::to_string(type) +
            "; known: 1 ReadReq, 2 ReadResp, 3 ReadRespWithInvalidate, 4 WriteReq, 5 WriteResp, 6 Writeback, "
            "13 UpgradeReq, 14 UpgradeResp, 15 ReadExReq, 16 ReadExResp, 25 BadAddressError, "
            "27 InvalidateReq, 28 InvalidateResp, 29 DowngradeReq, 30 DowngradeResp");
  }
}

TEST_F(NetraceInput, RefusesPacketsOutOfOrder) {
  EXPECT_EQ(refusal(bzip2(trace_of({packet(0, 9), packet(1, 8)}))),
            ": packet 2 (id 1, cycle 8) is out of order: the packet before it has the later cycle 9");
}

TEST_F(NetraceInput, RefusesIdsThatAreNotUnique) {
  EXPECT_EQ(refusal(bzip2(trace_of({packet(5, 1), packet(900000, 1), packet(5, 2)}))),
            ": packet 3 (id 5, cycle 2) has an id that an earlier packet has already");
}

TEST_F(NetraceInput, RefusesDependenciesThatCannotBeMet) {
  EXPECT_EQ(refusal(bzip2(trace_of({packet(0, 1), packet(1, 1, {0})}))),
            ": packet 2 (id 1, cycle 1) lists packet id 0 as waiting for it, but that packet came earlier; "
            "only later packets can wait");
  EXPECT_EQ(refusal(bzip2(trace_of({packet(0, 1, {0})}))),
            ": packet 1 (id 0, cycle 1) lists itself among the packets that wait for it");
  EXPECT_EQ(refusal(bzip2(trace_of({packet(0, 1, {1, 77, 33}), packet(1, 1)}))),
            " lists 2 packet id(s) as waiting that never come; the lowest is 33");
}

TEST_F(NetraceInput, RefusesPacketsBeyondTheHeadersCount) {
  std::string text = trace_of({packet(0, 1)});
  EXPECT_EQ(refusal(bzip2(text + raw_packet(packet(1, 1)))),
            " continues after the 1 packets that its header announces");
}

TEST_F(NetraceInput, RefusesRegionsThatAreNotThere) {
  RawHeader header;
  header.regions = {{0, 10, 1}, {21, 10, 1}, {5000, 10, 1}};
  header.region_count = 3;
  const std::string file = bzip2(trace_of({packet(0, 1, {1}), packet(1, 11, {9})}, header));
  EXPECT_EQ(refusal(file, 3), " has no region 3; it has 3 regions, counted from 0");
  EXPECT_EQ(refusal(file, 2), " is cut short: it ends before its region 2 begins");
}

TEST_F(NetraceInput, RefusesATraceOfAnotherSizeThanTheNetwork) {
  const Mesh mesh({8, 8});
  NetraceHeader header;
  header.nodes = 16;
  EXPECT_EQ(
      test::message_of<ConfigurationError>([&] { check_netrace_fits("x.bz2", header, mesh); }),
      "trace 'x.bz2' has 16 nodes, but the network (8x8 mesh) has 64; use a network of the trace's size");
  header.nodes = 64;
  EXPECT_NO_THROW(check_netrace_fits("x.bz2", header, mesh));
}

// Any bytes give either a ConfigurationError or a valid trace, never a crash or a hang.
TEST_F(NetraceInput, SurvivesRandomDamage) {
  const std::string text = trace_of({packet(0, 1, {1, 2}), packet(1, 2, {2}), packet(2, 2)});
  RandomStream random(1, RandomPurpose::test);
  unsigned refused = 0;
  for (int i = 0; i < 200; ++i) {
    std::string damaged = text;
    damaged[random.below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(random.below(256));
    test::write_file(path, bzip2(damaged));
    try {
      scan_netrace(path);
    } catch (const ConfigurationError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 60u);
}

TEST(IdSet, IsExactAndForgetsFullPages) {
  IdSet ids;
  for (std::uint32_t id = 0; id < 100000; ++id) ASSERT_TRUE(ids.add(id));
  EXPECT_LE(ids.pages(), 1u);
  for (std::uint32_t id : {0u, 4095u, 4096u, 99999u}) EXPECT_FALSE(ids.add(id)) << id;
  EXPECT_TRUE(ids.contains(70000));
  EXPECT_FALSE(ids.contains(100000));
  EXPECT_TRUE(ids.add(0xFFFFFFFF));
  EXPECT_FALSE(ids.add(0xFFFFFFFF));
}

}  // namespace
}  // namespace flitmend
