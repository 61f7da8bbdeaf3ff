// SPDX-License-Identifier: Apache-2.0
// Several initiators and targets at a node, with sockets of any width.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <map>

#include "rtl_tlm/fabric/stalled_elements.h"
#include "rtl_tlm/sockets/network_sockets.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

/// A 2x2 mesh; node 3 has the targets `ram` and `io`.
TransactionParameters two_targets(unsigned target_queue) {
  TransactionParameters p;
  p.target_queue = target_queue;
  p.address_map = {{.name = "ram", .first = 0x1000, .last = 0x1fff, .nodes = {3}},
                   {.name = "io", .first = 0x8000, .last = 0x8fff, .nodes = {3}}};
  return p;
}

struct NodeWithTwoTargets {
  FabricBench bench;
  PayloadPool pool;
  CheckedBindings bindings;
  FormedTargetOf<128> ram{"ram"};
  FormedTargetOf<64> io{"io"};

  explicit NodeWithTwoTargets(unsigned target_queue)
      : bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, two_targets(target_queue),
              2) {
    bindings.bind(bench.fabric.sockets(3).initiator_socket_of<128>(0), ram.socket);
    bindings.bind(bench.fabric.sockets(3).initiator_socket_of<64>(1), io.socket);
  }
  /// The initiator writes that many times 16 bytes, its own ones, to the target at `base`, and reads them
  /// back at once; `wrong` counts what it does not find.
  template <class Initiator>
  void play(Initiator& initiator, std::uint64_t base, unsigned char own, unsigned count, unsigned& wrong) {
    initiator.next = [this, base, own, count,
                      n = 0u](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
      if (n == 2 * count) return nullptr;
      auto* const p = pool.acquire(n % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                   base + 16 * own + 256 * (n / 2 % 8), 16);
      std::fill_n(p->get_data_ptr(), 16, n % 2 == 0 ? own : static_cast<unsigned char>(0));
      ++n;
      return p;
    };
    initiator.answered = [own, &wrong](tlm::tlm_generic_payload& p) {
      wrong += !p.is_response_ok() || p.get_data_ptr()[15] != own;
    };
  }
};

TEST(ElementSockets, InitiatorsOfAllWidthsAtOneNodeReachTheirTargets) {
  NodeWithTwoTargets node(4);
  NetworkSockets& sockets = node.bench.fabric.sockets(0);
  FormedInitiatorOf<32> a("a"), b("b");
  FormedInitiatorOf<64> c("c"), d("d");
  FormedInitiatorOf<256> e("e");
  EXPECT_EQ(&sockets.target_socket_of<64>(), &sockets.target_socket_of<64>());
  EXPECT_EQ(&sockets.target_socket_of<32>(), &sockets.target_socket);
  node.bindings.bind(a.socket, sockets.target_socket);
  node.bindings.bind(c.socket, sockets.target_socket_of<64>());
  node.bindings.bind(b.socket, sockets.target_socket);
  node.bindings.bind(e.socket, sockets.target_socket_of<256>());
  node.bindings.bind(d.socket, sockets.target_socket_of<64>());
  unsigned wrong = 0;
  node.play(a, 0x1000, 1, 200, wrong);
  node.play(b, 0x8000, 2, 200, wrong);
  node.play(c, 0x1000, 3, 200, wrong);
  node.play(d, 0x8000, 4, 200, wrong);
  node.play(e, 0x1000, 5, 200, wrong);
  unsigned turn = 0;
  c.choose = e.choose = [&turn] { return static_cast<InitiatorForm>(turn++ % kInitiatorForms); };
  node.ram.choose = [&turn] {
    return FormedTarget::Choice{static_cast<TargetForm>(turn % kTargetForms), nanoseconds(1.5),
                                nanoseconds(7)};
  };
  node.bench.run(1);
  a.send(), b.send(), c.send(), d.send(), e.send();
  ASSERT_TRUE(node.bench.drain(200000));
  EXPECT_EQ(wrong, 0u);
  for (const unsigned responses : {a.responses, b.responses, c.responses, d.responses, e.responses})
    EXPECT_EQ(responses, 400u);
  EXPECT_EQ(node.ram.requests, 1200u);
  EXPECT_EQ(node.io.requests, 800u);
  EXPECT_EQ(node.ram.bytes[16 * 5], 5u);
  EXPECT_EQ(node.io.bytes[16 * 4], 4u);
  EXPECT_EQ(node.pool.in_use(), 0u);
}

// The narrowest and the widest of usual buses; also an initiator that reaches a target at its own node.
TEST(ElementSockets, BusesOf8And1024Bits) {
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, two_targets(4), 2);
  CheckedBindings bindings;
  PayloadPool pool;
  FormedTargetOf<8> ram("ram");
  FormedTargetOf<1024> io("io");
  FormedInitiatorOf<8> narrow("narrow");
  FormedInitiatorOf<1024> wide("wide");
  bindings.bind(bench.fabric.sockets(3).initiator_socket_of<8>(0), ram.socket);
  bindings.bind(bench.fabric.sockets(3).initiator_socket_of<1024>(1), io.socket);
  bindings.bind(narrow.socket, bench.fabric.sockets(0).target_socket_of<8>());
  bindings.bind(wide.socket, bench.fabric.sockets(3).target_socket_of<1024>());
  unsigned right = 0;
  const auto play = [&](auto& initiator, std::uint64_t first, std::uint64_t second) {
    initiator.next = [&pool, first, second, n = 0u](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
      if (n == 40) return nullptr;
      auto* const p = pool.acquire(n % 4 < 2 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                   (n % 2 ? second : first) + 200 * (n / 4), 130);
      if (n % 4 < 2) std::fill_n(p->get_data_ptr(), 130, static_cast<unsigned char>(n / 4 + 1));
      ++n;
      return p;
    };
    initiator.answered = [&right](tlm::tlm_generic_payload& p) {
      right += p.is_response_ok() && p.get_data_ptr()[129] == p.get_address() % 0x800 / 200 + 1;
    };
  };
  play(narrow, 0x1000, 0x8000);
  play(wide, 0x1800, 0x8800);
  bench.run(1);
  narrow.send(), wide.send();
  ASSERT_TRUE(bench.drain(20000));
  EXPECT_EQ(narrow.responses + wide.responses, 80u);
  EXPECT_EQ(right, 80u);
}

// Two initiators and two threads that use b_transport want more than the node can send.
TEST(ElementSockets, InitiatorsThatWaitAreServedRoundRobin) {
  struct Caller : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Caller> socket{"socket"};
    PayloadPool& pool;
    unsigned done = 0;
    Caller(sc_core::sc_module_name name, PayloadPool& p) : sc_module(name), pool(p) {
      for (int thread = 0; thread < 3; ++thread)
        sc_core::sc_spawn([this] { play(); }, sc_core::sc_gen_unique_name("play"));
    }
    void play() {
      for (;;) {
        auto* const p = pool.acquire(tlm::TLM_WRITE_COMMAND, 0x1000, 64);
        sc_core::sc_time delay;
        socket->b_transport(*p, delay);
        EXPECT_TRUE(p->is_response_ok());
        p->release();
        ++done;
      }
    }
  };
  NodeWithTwoTargets node(4);
  FormedInitiatorOf<32> a("a"), b("b");
  Caller c("c", node.pool), d("d", node.pool);
  for (auto* initiator : {&a, &b}) {
    node.bindings.bind(initiator->socket, node.bench.fabric.sockets(0).target_socket);
    initiator->next = [&node](sc_core::sc_time&) {
      return node.pool.acquire(tlm::TLM_WRITE_COMMAND, 0x1000, 64);
    };
  }
  for (auto* caller : {&c, &d})
    node.bindings.bind(caller->socket, node.bench.fabric.sockets(0).target_socket);
  node.bench.run(1);
  a.send(), b.send();
  node.bench.run(1000);
  const std::array<unsigned, 4> before{a.responses, b.responses, c.done, d.done};
  node.bench.run(20000);
  const std::array<unsigned, 4> after{a.responses, b.responses, c.done, d.done};
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_GT(after[i] - before[i], 400u);
    EXPECT_NEAR(after[i] - before[i], after[0] - before[0], 2) << "initiator " << i;
  }
}

// Each target has its exclusion rule and its places: what one target keeps does not stop the other. There are
// as many places as its initiator may have unanswered requests, so none of these waits in the network.
TEST(ElementSockets, ATargetThatRefusesDoesNotStopTheOtherAtItsNode) {
  NodeWithTwoTargets node(TransactionParameters{}.initiator_queue);
  FormedInitiatorOf<32> a("a"), b("b");
  node.bindings.bind(a.socket, node.bench.fabric.sockets(0).target_socket);
  node.bindings.bind(b.socket, node.bench.fabric.sockets(1).target_socket);
  unsigned wrong = 0;
  node.play(a, 0x1000, 1, 100, wrong);
  node.play(b, 0x8000, 2, 100, wrong);
  node.ram.refuses = true;
  node.bench.run(1);
  a.send(), b.send();
  node.bench.run(20000);
  EXPECT_EQ(a.responses, 0u);
  EXPECT_EQ(b.responses, 200u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(node.bench.fabric.sockets(3).target_side().queue(0).used(),
            TransactionParameters{}.initiator_queue);
  EXPECT_EQ(node.bench.fabric.sockets(3).target_side().queue(1).used(), 0u);
  const auto stalled = stalled_elements(node.bench.fabric);
  ASSERT_EQ(stalled.size(), 1u);
  EXPECT_EQ(stalled[0].stall, Stall::request_not_accepted);
  EXPECT_EQ(stalled[0].node, 3u);
  EXPECT_EQ(stalled[0].number, 0u);
  const std::string text = describe(stalled, node.bench.fabric);
  EXPECT_EQ(text.find("the target ram of router_1_1 has not accepted a request since cycle "), 0u) << text;
}

// Order is kept per target: answers of one overtake those that another still owes the same initiator.
TEST(ElementSockets, ASlowTargetDoesNotKeepBackTheAnswersOfTheOtherAtItsNode) {
  NodeWithTwoTargets node(4);
  FormedInitiatorOf<32> initiator("initiator");
  node.bindings.bind(initiator.socket, node.bench.fabric.sockets(0).target_socket);
  std::vector<sc_dt::uint64> addresses{0x1000, 0x8000, 0x1010, 0x8010}, answered;
  initiator.next = [&, n = 0u](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
    return n == addresses.size() ? nullptr : node.pool.acquire(tlm::TLM_READ_COMMAND, addresses[n++], 8);
  };
  initiator.answered = [&](tlm::tlm_generic_payload& p) { answered.push_back(p.get_address()); };
  node.ram.choose = [] { return TargetChoice{TargetForm::request_ended, {}, nanoseconds(500)}; };
  node.bench.run(1);
  initiator.send();
  ASSERT_TRUE(node.bench.drain(3000));
  EXPECT_EQ(answered, (std::vector<sc_dt::uint64>{0x8000, 0x8010, 0x1000, 0x1010}));
}

TEST(ElementSockets, RefuseATargetThatIsNotThereOrBoundTwice) {
  NodeWithTwoTargets node(4);
  EXPECT_THROW(node.bench.fabric.sockets(3).initiator_socket_of<32>(2), std::out_of_range);
  EXPECT_THROW(node.bench.fabric.sockets(0).initiator_socket_of<32>(1), std::out_of_range);
  FormedTarget again("again");
  node.bench.fabric.sockets(3).initiator_socket.bind(again.socket);
  try {
    node.bench.run(1);
    FAIL() << "two sockets of one target are bound";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.get_msg()).find("target 0 is bound at two sockets; bind one of them"),
              std::string::npos)
        << report.get_msg();
  }
}

// An initiator inside another module, bound through that module's own socket.
TEST(ElementSockets, ASocketOfAModuleMayPassThrough) {
  struct Subsystem : sc_core::sc_module {
    FormedInitiatorOf<64> inner{"inner"};
    tlm::tlm_initiator_socket<64> socket{"socket"};
    explicit Subsystem(sc_core::sc_module_name name) : sc_module(name) { inner.socket.bind(socket); }
  };
  NodeWithTwoTargets node(4);
  Subsystem subsystem("subsystem");
  FormedInitiatorOf<64> direct("direct");
  node.bindings.bind(direct.socket, node.bench.fabric.sockets(1).target_socket_of<64>());
  subsystem.socket.bind(node.bench.fabric.sockets(1).target_socket_of<64>());
  unsigned wrong = 0;
  node.play(direct, 0x1000, 1, 50, wrong);
  node.play(subsystem.inner, 0x8000, 2, 50, wrong);
  node.bench.run(1);
  direct.send(), subsystem.inner.send();
  ASSERT_TRUE(node.bench.drain(50000));
  EXPECT_EQ(direct.responses, 100u);
  EXPECT_EQ(subsystem.inner.responses, 100u);
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace flitmend
