// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/foreign/flit_codec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/random_stream.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

HardwareParameters coded_hardware(std::int64_t vcs, std::int64_t bytes) {
  HardwareSettings s;
  s.router.virtual_channels = vcs;
  s.link.flit_bytes = bytes;
  return HardwareParameters::from(s);
}

TEST(FlitCodec, EveryFieldComesBack) {
  const auto topology = make_topology(mesh_network({8, 8}));
  RandomStream random(1, RandomPurpose::test);
  for (const unsigned vcs : {2u, 3u, 16u})
    for (const unsigned bytes : {1u, 3u, 8u, 40u})
      for (const unsigned state : {0u, 7u, 64u}) {
        HardwareParameters parameters = coded_hardware(vcs, bytes);
        parameters.recovery_units = state > 0;
        const FlitCodec codec(*topology, parameters, state);
        for (int i = 0; i < 50; ++i) {
          Message m;
          m.source = random.below(64);
          m.destination = random.below(64);
          m.id = random.bits();
          m.length = 1 + random.below(65535);
          m.head_state = state == 0 ? 0 : random.bits64() >> (64 - state);
          Flit flit;
          flit.kind = static_cast<FlitKind>(random.below(9));
          flit.vc = static_cast<std::uint8_t>(random.below(vcs));
          flit.number = static_cast<std::uint16_t>(random.below(65536));
          flit.message = random.bits();
          FlitCodec::Words words(codec.words());
          codec.encode(flit, m, words);
          EXPECT_EQ(codec.value(FlitField::kind, words), static_cast<unsigned>(flit.kind));
          EXPECT_EQ(codec.value(FlitField::vc, words), flit.vc);
          EXPECT_EQ(codec.value(FlitField::destination, words), m.destination);
          EXPECT_EQ(codec.value(FlitField::source, words), m.source);
          EXPECT_EQ(codec.value(FlitField::message_id, words), m.id);
          EXPECT_EQ(codec.value(FlitField::length, words), m.length);
          EXPECT_EQ(codec.value(FlitField::routing_state, words), m.head_state);
          EXPECT_EQ(codec.value(FlitField::number, words), flit.number);
          EXPECT_EQ(codec.value(FlitField::packet, words), parameters.recovery_units ? flit.message : 0);
          EXPECT_EQ(codec.data(words).size(), bytes);
        }
      }
}

// A bit that differs, anywhere but in the virtual channel and the routing state, is found in its field.
TEST(FlitCodec, EveryAlteredBitIsFound) {
  const auto topology = make_topology(mesh_network({8, 8}));
  const FlitCodec codec(*topology, coded_hardware(4, 8), 5);
  Message m;
  m.source = 9;
  m.destination = 33;
  m.length = 7;
  Flit flit;
  flit.kind = FlitKind::head;
  FlitCodec::Words sent(codec.words());
  codec.encode(flit, m, sent);
  EXPECT_FALSE(codec.difference(sent, sent));
  for (unsigned i = 0; i < kFlitFields; ++i) {
    const auto field = static_cast<FlitField>(i);
    for (unsigned bit = codec.low(field); bit < codec.low(field) + codec.width(field); ++bit) {
      FlitCodec::Words found = sent;
      found[bit / 32] ^= 1u << (bit % 32);
      const auto difference = codec.difference(found, sent);
      if (field == FlitField::vc || field == FlitField::routing_state)
        EXPECT_FALSE(difference);
      else
        EXPECT_EQ(difference, field) << bit;
    }
  }
  FlitCodec::Words found = sent;
  codec.set(FlitField::destination, 32, found);
  EXPECT_EQ(codec.describe_difference(FlitField::destination, found, sent), "destination 32 instead of 33");
}

TEST(FlitCodec, ThePackageOfTheExampleIsItsLayout) {
  const auto topology = make_topology(mesh_network({8, 8}));
  const FlitCodec codec(*topology, HardwareParameters::from(preset("rtl-example")));
  EXPECT_EQ(codec.bits(), 145u);
  std::ifstream file(FLITMEND_SOURCE_DIR "/examples/rtl/flit_pkg.sv");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "// SPDX-License-Identifier: Apache-2.0\n" + codec.systemverilog());
}

}  // namespace
}  // namespace flitmend
