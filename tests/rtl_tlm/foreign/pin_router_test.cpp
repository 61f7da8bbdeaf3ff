// SPDX-License-Identifier: Apache-2.0
// Routers with pins, here written in SystemC, in both protocols.
#include "rtl_tlm/foreign/pin_router.h"
#include "rtl_tlm/foreign/router_factory.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/fabric_bench.h"
#include "support/incidents.h"
#include "support/steady_traffic.h"

namespace flitmend {
namespace {

constexpr unsigned kPinVcs = 4;
constexpr unsigned kBits = 142;                 // of a 4x4 mesh
constexpr unsigned kBitsWithPacket = 142 + 32;  // with a recovery protocol

/// A router of a 4x4 mesh that knows nothing but its pins. One flit leaves in a cycle of each port; it stays
/// on the pins for a cycle or, with ready and valid, until it is taken.
template <unsigned kWidth>
class PinModel : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;

  SC_HAS_PROCESS(PinModel);
  PinModel(sc_core::sc_module_name name, PinRouter<kWidth, kPinVcs>& pins, const FlitCodec& codec,
           unsigned here, PinProtocol protocol, bool ignores_ready)
      : sc_module(name),
        clock("clock"),
        pins_(pins),
        codec_(codec),
        here_(here),
        protocol_(protocol),
        ignores_ready_(ignores_ready) {
    SC_METHOD(on_clock);
    sensitive << clock.pos();
    dont_initialize();
    reset();
  }

 private:
  using Bits = sc_dt::sc_bv<kWidth>;
  static constexpr unsigned kPorts = 5, kIds = kPorts * kPinVcs, kNone = ~0u;

  static unsigned bits_of(const Bits& bits, unsigned low, unsigned width) {
    unsigned value = 0;
    for (unsigned i = 0; i < width; ++i)
      value |= static_cast<unsigned>(bits[static_cast<int>(low + i)] == sc_dt::SC_LOGIC_1) << i;
    return value;
  }
  unsigned field(FlitField f, const Bits& bits) const {
    return bits_of(bits, codec_.low(f), codec_.width(f));
  }

  void reset() {
    for (auto& queue : queues_) queue.clear();
    std::fill(std::begin(output_of_), std::end(output_of_), kNone);
    std::fill(std::begin(taken_), std::end(taken_), false);
    std::fill(std::begin(credits_), std::end(credits_), 8u);
    std::fill(std::begin(sending_), std::end(sending_), false);
  }

  unsigned route(unsigned to) const {
    const unsigned x = here_ % 4, y = here_ / 4, to_x = to % 4, to_y = to / 4;
    return to_x > x ? 0 : to_x < x ? 1 : to_y > y ? 2 : to_y < y ? 3 : 4;
  }

  void send_one(unsigned port, sc_dt::sc_bv<kPinVcs> (&freed)[kPorts]) {
    for (unsigned i = 1; i <= kIds; ++i) {
      const unsigned id = (last_[port] + i) % kIds;
      if (queues_[id].empty()) continue;
      Bits flit = queues_[id].front();
      const auto kind = static_cast<FlitKind>(field(FlitField::kind, flit));
      if (output_of_[id] == kNone) {
        if (route(field(FlitField::destination, flit)) != port) continue;
        for (unsigned vc = 0; vc < kPinVcs && output_of_[id] == kNone; ++vc)
          if (!taken_[port * kPinVcs + vc]) taken_[output_of_[id] = port * kPinVcs + vc] = true;
      }
      const unsigned output = output_of_[id];
      if (output == kNone || output / kPinVcs != port) continue;
      if (protocol_ == PinProtocol::credits && credits_[output]-- == 0) {
        credits_[output] = 0;
        continue;
      }
      queues_[id].pop_front();
      for (unsigned b = 0; b < codec_.width(FlitField::vc); ++b)
        flit[static_cast<int>(codec_.low(FlitField::vc) + b)] = (output % kPinVcs >> b & 1) != 0;
      pins_.out_flit[port].write(flit);
      vc_[port] = output % kPinVcs;
      sending_[port] = true;
      freed[id / kPinVcs][static_cast<int>(id % kPinVcs)] = 1;
      last_[port] = id;
      if (is_tail(kind)) {
        taken_[output] = false;
        output_of_[id] = kNone;
      }
      return;
    }
  }

  void on_clock() {
    sc_dt::sc_bv<kPinVcs> freed[kPorts], ready[kPorts];
    if (pins_.reset.read()) {
      reset();
    } else {
      for (unsigned port = 0; port < kPorts; ++port) {
        const sc_dt::sc_bv<kPinVcs> side = pins_.out_credit[port].read();
        if (protocol_ == PinProtocol::credits) {
          sending_[port] = false;
          for (unsigned vc = 0; vc < kPinVcs; ++vc)
            credits_[port * kPinVcs + vc] += side[static_cast<int>(vc)] == 1;
        } else if (sending_[port] && (ignores_ready_ || side[static_cast<int>(vc_[port])] == 1)) {
          sending_[port] = false;
        }
        if (!pins_.in_valid[port].read()) continue;
        const Bits& flit = pins_.in_flit[port].read();
        const unsigned vc = field(FlitField::vc, flit);
        if (protocol_ == PinProtocol::credits || pins_.in_credit[port].read()[static_cast<int>(vc)] == 1)
          queues_[port * kPinVcs + vc].push_back(flit);
      }
      for (unsigned port = 0; port < kPorts; ++port)
        if (!sending_[port]) send_one(port, freed);
    }
    for (unsigned port = 0; port < kPorts; ++port) {
      for (unsigned vc = 0; vc < kPinVcs; ++vc)
        ready[port][static_cast<int>(vc)] = queues_[port * kPinVcs + vc].size() < 2;
      pins_.out_valid[port].write(sending_[port]);
      pins_.in_credit[port].write(protocol_ == PinProtocol::credits ? freed[port] : ready[port]);
    }
  }

  PinRouter<kWidth, kPinVcs>& pins_;
  const FlitCodec codec_;
  const unsigned here_;
  const PinProtocol protocol_;
  const bool ignores_ready_;
  std::deque<Bits> queues_[kIds];
  unsigned output_of_[kIds];
  bool taken_[kIds];
  unsigned credits_[kIds];
  bool sending_[kPorts];
  unsigned vc_[kPorts] = {}, last_[kPorts] = {};
};

template <unsigned kWidth>
struct ModelWithPins : PinRouter<kWidth, kPinVcs> {
  ModelWithPins(RouterBoundary& place, const FlitCodec& codec, PinProtocol protocol, bool ignores_ready)
      : PinRouter<kWidth, kPinVcs>("pins", place, codec, protocol),
        model("model", *this, codec, place.id(), protocol, ignores_ready) {
    model.clock(place.clock());
  }
  PinModel<kWidth> model;
};

template <unsigned kWidth = kBits>
RouterFactory models(PinProtocol protocol, bool ignores_ready = false) {
  return [=](RouterBoundary& place) {
    const FlitCodec codec(place.context().topology, place.context().hardware);
    return std::make_unique<ModelWithPins<kWidth>>(place, codec, protocol, ignores_ready);
  };
}

void deliver_through(const RouterFactory& routers) {
  FabricBench bench(mesh_network({4, 4}), preset("iq"), {}, "fabric", 1, nullptr,
                    TransactionParameters::one_way(4096), 1, routers);
  SteadyTraffic traffic(bench.fabric, .4, 2000);
  while (!traffic.done()) bench.run(100);
  ASSERT_TRUE(bench.drain(20000));
  EXPECT_EQ(bench.deliveries.size(), 2000u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

TEST(PinRouter, AllWithCredits) {
  deliver_through(models(PinProtocol::credits));
}
TEST(PinRouter, AllWithReadyAndValid) {
  deliver_through(models(PinProtocol::ready_valid));
}
TEST(PinRouter, SomeWithReadyAndValid) {
  deliver_through(routers_at({{1, 1}, {2, 1}, {3, 3}}, models(PinProtocol::ready_valid)));
}

TEST(PinRouter, AnIgnoredReadyIsFound) {
  sc_core::sc_report_handler::set_actions("flitmend/contract", sc_core::SC_THROW);
  EXPECT_THROW(deliver_through(routers_at({{1, 1}}, models(PinProtocol::ready_valid, true))),
               sc_core::sc_report);
}

/// A 4x4 mesh whose router (2, 1) is behind pins, with the flits' packets on them.
template <PinProtocol kProtocol>
class PinIncident : public Incident {
 public:
  PinIncident(const char* protocol, std::vector<Action> actions, unsigned number)
      : Incident(mesh_network({4, 4}), preset("iq"), {},
                 recovery_protocols().at(protocol).make(impatient(), {}), std::move(actions), number,
                 routers_at({{2, 1}}, models<kBitsWithPacket>(kProtocol))) {}

 private:
  void send_messages(Cycle t) override {
    if (t >= 200 || t % 8 != 0) return;
    for (const auto& [from, to] : {std::pair{4u, 7u}, {7u, 4u}, {2u, 14u}, {14u, 2u}, {6u, 0u}})
      send(from, to, 9);
  }
};

template <PinProtocol kProtocol>
class PinsNextToFaults : public Incidents<PinIncident<kProtocol>> {
 protected:
  void expect_each_message_ends_once() {
    constexpr PortId kEast = 0, kNorth = 2;
    for (Cycle at = 20; at < 120; at += 9)
      this->add({{at, [](Fabric& f) { f.fail_link(4, kEast); }},
                 {at + 10, [](Fabric& f) { f.repair_link(4, kEast); }},
                 {at + 13, [](Fabric& f) { f.fail_link(10, kNorth); }},
                 {at + 23, [](Fabric& f) { f.repair_link(10, kNorth); }}});
    const Ends sum = this->run();
    EXPECT_EQ(sum.undeliverable + sum.voided, 0u);
    if (this->repairs())
      EXPECT_EQ(sum.lost, 0u);
    else
      EXPECT_GT(sum.lost, 0u);
  }
};
class CreditPinsNextToFaults : public PinsNextToFaults<PinProtocol::credits> {};
class ReadyValidPinsNextToFaults : public PinsNextToFaults<PinProtocol::ready_valid> {};

TEST_P(CreditPinsNextToFaults, PassPiecesAndCopiesOfMessages) {
  expect_each_message_ends_once();
}
TEST_P(ReadyValidPinsNextToFaults, PassPiecesAndCopiesOfMessages) {
  expect_each_message_ends_once();
}
INSTANTIATE_TEST_SUITE_P(Protocols, CreditPinsNextToFaults, testing::Values("none", "sbrp-2", "end-to-end"),
                         name_of_protocol);
INSTANTIATE_TEST_SUITE_P(Protocols, ReadyValidPinsNextToFaults,
                         testing::Values("none", "sbrp-2", "end-to-end"), name_of_protocol);

constexpr unsigned kBitsOfRow = 154;  // of three nodes, with 16 bits of routing state

/// Takes flits from port 0 and offers them at port 1 until they are taken. It knows nothing of the link.
struct Forwarder : sc_core::sc_module {
  sc_core::sc_in<bool> clock{"clock"};

  SC_HAS_PROCESS(Forwarder);
  Forwarder(sc_core::sc_module_name name, PinRouter<kBitsOfRow, kPinVcs>& pins, const FlitCodec& codec)
      : sc_module(name), pins_(pins), vc_(static_cast<int>(codec.low(FlitField::vc))) {
    SC_METHOD(on_clock);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  void on_clock() {
    if (pins_.reset.read()) return;
    if (offering_ && pins_.out_credit[1].read()[vc_of(flits_.front())] == 1) flits_.pop_front();
    if (taking_ && pins_.in_valid[0].read()) flits_.push_back(pins_.in_flit[0].read());
    offering_ = !flits_.empty();
    taking_ = flits_.size() < 2;
    pins_.out_valid[1].write(offering_);
    if (offering_) pins_.out_flit[1].write(flits_.front());
    sc_dt::sc_bv<kPinVcs> ready;
    for (int vc = 0; vc < static_cast<int>(kPinVcs); ++vc) ready[vc] = taking_;
    pins_.in_credit[0].write(ready);
  }
  int vc_of(const sc_dt::sc_bv<kBitsOfRow>& flit) const {
    return (flit[vc_] == 1 ? 1 : 0) + (flit[vc_ + 1] == 1 ? 2 : 0);
  }

  PinRouter<kBitsOfRow, kPinVcs>& pins_;
  const int vc_;
  std::deque<sc_dt::sc_bv<kBitsOfRow>> flits_;
  bool offering_ = false, taking_ = false;
};

struct ForwarderWithPins : PinRouter<kBitsOfRow, kPinVcs> {
  ForwarderWithPins(RouterBoundary& place, const FlitCodec& codec)
      : PinRouter("pins", place, codec, PinProtocol::ready_valid), forwarder("forwarder", *this, codec) {
    forwarder.clock(place.clock());
  }
  Forwarder forwarder;
};

TEST(PinRouter, ReadyIsLowWhileANarrowLinkIsBusy) {
  NetworkSettings row;
  row.topology = "file";
  row.graph =
      "<graphml><key id=\"w\" for=\"edge\" attr.name=\"width\"/><graph><node id=\"a\"/><node id=\"b\"/><node "
      "id=\"c\"/><edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"><data key=\"w\">16</data>"
      "</edge></graph></graphml>";
  RoutingSettings up_down;
  up_down.algorithm = "up-down";
  FabricBench bench(row, preset("iq"), up_down, "fabric", 1, nullptr, TransactionParameters::one_way(4096), 1,
                    routers_at({{1}}, [](RouterBoundary& place) {
                      return std::make_unique<ForwarderWithPins>(
                          place, FlitCodec(place.context().topology, place.context().hardware, 16));
                    }));
  bench.fabric.network_interface(0).send(2, 100);
  bench.run(150);
  const std::uint64_t before = bench.fabric.router(1).output(1).flits_sent();
  bench.run(200);
  EXPECT_EQ(bench.fabric.router(1).output(1).flits_sent() - before, 50u);
  ASSERT_TRUE(bench.drain(1000));
  EXPECT_EQ(bench.deliveries.size(), 1u);
  EXPECT_TRUE(bench.fabric.boundary(1)->violations().empty());
}

TEST(PinRouter, PinsOfAnotherWidthAreRefused) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  EXPECT_THROW(FabricBench(mesh_network({8, 8}), preset("iq"), {}, "fabric", 1, nullptr,
                           TransactionParameters::one_way(4096), 1, models(PinProtocol::credits)),
               sc_core::sc_report);
}

}  // namespace
}  // namespace flitmend
