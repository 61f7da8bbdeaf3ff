// SPDX-License-Identifier: Apache-2.0
// Routers in SystemVerilog in a mesh whose other routers and links fail: they do what preset rtl-example
// does, in every cycle, and each message has one end.
#include <fstream>
#include <iterator>

#include "Vpacket_router.h"
#include "base/random_stream.h"
#include "protocols/recovery/registry.h"
#include "rtl/rtl_bench.h"
#include "rtl_tlm/foreign/flit_codec.h"
#include "support/incidents.h"

namespace flitmend {
namespace {

constexpr Cycle kTo = 4000;  // faults strike and messages are sent until then
constexpr Cycle kDuration = 10;

std::unique_ptr<RecoveryProtocol> protocol(const char* name) {
  return recovery_protocols().at(name).make({}, {});
}

/// Counts how messages end that do not arrive.
struct Losses : private MessageObserver {
  explicit Losses(Fabric& fabric) { fabric.add_observer(static_cast<MessageObserver&>(*this)); }
  unsigned lost = 0, undeliverable = 0;

 private:
  void message_undeliverable(MessageIndex, const Message&, Cycle) override { ++undeliverable; }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost; }
};

class RtlRouterNextToFaults : public testing::TestWithParam<const char*> {};

TEST_P(RtlRouterNextToFaults, DoesWhatTheModelDoes) {
  const auto of_model = protocol(GetParam()), of_mixed = protocol(GetParam());
  RtlBench model("model", {}, of_model.get());
  RtlBench mixed("mixed", routers_at({{3, 3}, {4, 4}, {1, 6}}, rtl_routers<Vpacket_router, 177>()),
                 of_mixed.get());
  ChannelComparer comparer(model.fabric, mixed.fabric);
  Losses of_model_messages(model.fabric), of_mixed_messages(mixed.fabric);
  RandomStream faults(1, RandomPurpose::test), traffic(2, RandomPurpose::test);
  unsigned sent = 0, failures = 0;
  for (Cycle t = 0; t < kTo && !comparer.first(); t += kDuration) {
    for (int i = 0; i < 8; ++i) {
      const NodeId from = traffic.below(64), to = traffic.below(64);
      // A long one is still being sent when it is asked for again.
      const std::uint32_t length = sent % 40 == 0 ? 200 : 1 + traffic.below(9);
      for (Fabric* fabric : {&model.fabric, &mixed.fabric}) fabric->network_interface(from).send(to, length);
      ++sent;
    }
    const RouterId router = faults.below(64);
    const auto port = static_cast<PortId>(faults.below(4));
    const bool link = mixed.topology().neighbour(router, port) && !mixed.fabric.next_to_foreign(router, port);
    if (link)
      for (Fabric* fabric : {&model.fabric, &mixed.fabric}) fabric->fail_link(router, port);
    model.run(kDuration);
    if (link)
      for (Fabric* fabric : {&model.fabric, &mixed.fabric}) fabric->repair_link(router, port);
    failures += link;
  }
  ASSERT_FALSE(comparer.first()) << comparer.first()->text();
  ASSERT_TRUE(model.drain(100'000));
  ASSERT_TRUE(mixed.drain(100'000));
  EXPECT_FALSE(comparer.first()) << comparer.first()->text();
  EXPECT_GT(failures, 200u);
  EXPECT_GT(of_mixed_messages.lost + mixed.fabric.context().recovery_counters.retransmissions, 20u);
  EXPECT_EQ(of_mixed_messages.undeliverable, 0u);
  EXPECT_EQ(of_mixed_messages.lost, of_model_messages.lost);
  EXPECT_EQ(mixed.deliveries.size() + of_mixed_messages.lost, sent);
  EXPECT_TRUE(mixed.deliveries == model.deliveries);
  if (std::string(GetParam()) != "none") {
    EXPECT_EQ(of_mixed_messages.lost, 0u);
  }
  for (const RouterId r : {27u, 36u, 49u}) EXPECT_TRUE(mixed.fabric.boundary(r)->violations().empty());
  EXPECT_TRUE(mixed.fabric.check_conservation().flits_conserved());
  EXPECT_TRUE(mixed.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(Protocols, RtlRouterNextToFaults, testing::Values("none", "sbrp-2", "end-to-end"),
                         name_of_protocol);

TEST(RtlRouterOfPackets, ItsPackageIsTheLayoutOfItsFlits) {
  const auto topology = make_topology(mesh_network({8, 8}));
  const auto none = protocol("none");
  const FlitCodec codec(*topology,
                        none->equipped(HardwareParameters::from(preset("rtl-example")), *topology));
  std::ifstream file(FLITMEND_SOURCE_DIR "/tests/rtl/packets/flit_pkg.sv");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "// SPDX-License-Identifier: Apache-2.0\n" + codec.systemverilog());
}

}  // namespace
}  // namespace flitmend
