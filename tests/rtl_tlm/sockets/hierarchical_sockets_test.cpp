// SPDX-License-Identifier: Apache-2.0
// Elements that bind through sockets of modules around the network.
#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <array>

#include "rtl_tlm/sockets/network_sockets.h"
#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/files.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

using Protocol = tlm::tlm_base_protocol_types;

/// A 2x2 mesh with a memory at node 3. Initiators write bytes of their own there, and read them back.
struct Chip {
  FabricBench bench;
  PayloadPool pool;
  CheckedBindings bindings;
  FormedTarget memory{"memory"};
  unsigned wrong = 0;

  explicit Chip(bool with_memory = true)
      : bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters(), 2) {
    if (with_memory) bindings.bind(sockets(3).initiator_socket, memory.socket);
  }
  static TransactionParameters parameters() {
    TransactionParameters p;
    p.dmi = true;
    return p;
  }
  NetworkSockets& sockets(NodeId node = 0) { return bench.fabric.sockets(node); }

  /// The initiator makes 200 accesses to its own bytes; every third goes through b_transport.
  void play(FormedInitiator& initiator, unsigned char own) {
    initiator.next = [this, own, n = 0u](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
      if (n == 200) return nullptr;
      auto* const p = pool.acquire(n % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                   3 * kNodeBytes + 16 * own, 16);
      std::fill_n(p->get_data_ptr(), 16, n % 2 == 0 ? own : static_cast<unsigned char>(0));
      ++n;
      return p;
    };
    initiator.blocks = [n = 0u]() mutable { return ++n % 3 == 0; };
    initiator.answered = [this, own](tlm::tlm_generic_payload& p) {
      wrong += !p.is_response_ok() || p.get_data_ptr()[15] != own;
    };
  }
  /// All play and are answered; each can debug and hears once that a pointer has become invalid.
  void expect_answers(const std::vector<FormedInitiator*>& initiators) {
    unsigned char own = 0;
    for (FormedInitiator* const initiator : initiators) play(*initiator, ++own);
    bench.run(1);
    for (FormedInitiator* const initiator : initiators) initiator->send();
    ASSERT_TRUE(bench.drain(200000));
    EXPECT_EQ(wrong, 0u);
    own = 0;
    memory.socket->invalidate_direct_mem_ptr(0, 15);
    for (FormedInitiator* const initiator : initiators) {
      EXPECT_EQ(initiator->responses, 200u) << initiator->name();
      EXPECT_EQ(initiator->invalidated.size(), 1u) << initiator->name();
      tlm::tlm_generic_payload& p = *pool.acquire(tlm::TLM_READ_COMMAND, 3 * kNodeBytes + 16 * ++own, 16);
      EXPECT_EQ(initiator->socket->transport_dbg(p), 16u);
      EXPECT_EQ(p.get_data_ptr()[15], own);
      p.release();
    }
    EXPECT_EQ(pool.in_use(), 0u);
  }
  /// Elaboration ends with an error that has all of these words.
  void expect_refused(const std::vector<std::string>& words) {
    try {
      bench.run(1);
      FAIL() << "not refused";
    } catch (const sc_core::sc_report& report) {
      EXPECT_STREQ(report.get_msg_type(), "flitmend/tlm");
      for (const std::string& word : words)
        EXPECT_NE(std::string(report.get_msg()).find(word), std::string::npos)
            << word << " in " << report.get_msg();
    }
  }
};

/// A module around the network with a socket of its own for initiators at node 0, or around such a module.
template <class Socket>
struct Around : sc_core::sc_module {
  Socket in{"in"};
  template <class Inner>
  Around(sc_core::sc_module_name name, Inner& inner) : sc_module(name) {
    in.bind(inner);
  }
};

template <int N, sc_core::sc_port_policy POLICY>
using Plain = tlm::tlm_target_socket<32, Protocol, N, POLICY>;
template <unsigned N, sc_core::sc_port_policy POLICY>
struct Multi : tlm_utils::multi_passthrough_target_socket<Multi<N, POLICY>, 32, Protocol, N, POLICY> {
  using tlm_utils::multi_passthrough_target_socket<Multi, 32, Protocol, N,
                                                   POLICY>::multi_passthrough_target_socket;
};
struct OptionalMulti : tlm_utils::multi_passthrough_target_socket_optional<OptionalMulti> {
  using multi_passthrough_target_socket_optional::multi_passthrough_target_socket_optional;
};

template <class Socket>
class AnySocketAround : public testing::Test {};
using OneOrMore =
    testing::Types<Plain<1, sc_core::SC_ONE_OR_MORE_BOUND>, Plain<1, sc_core::SC_ALL_BOUND>,
                   Plain<0, sc_core::SC_ONE_OR_MORE_BOUND>, Plain<0, sc_core::SC_ZERO_OR_MORE_BOUND>,
                   Plain<4, sc_core::SC_ZERO_OR_MORE_BOUND>, Multi<0, sc_core::SC_ONE_OR_MORE_BOUND>,
                   Multi<0, sc_core::SC_ZERO_OR_MORE_BOUND>, Multi<1, sc_core::SC_ALL_BOUND>,
                   Multi<4, sc_core::SC_ONE_OR_MORE_BOUND>, OptionalMulti>;
TYPED_TEST_SUITE(AnySocketAround, OneOrMore);

TYPED_TEST(AnySocketAround, PassesOnAnInitiatorNextToOthers) {
  Chip chip;
  FormedInitiator before("before"), through("through"), after("after"), second("second");
  chip.bindings.bind(before.socket, chip.sockets().target_socket);
  Around<TypeParam> around("around", chip.sockets().target_socket);
  chip.bindings.bind(after.socket, chip.sockets().target_socket);
  chip.bindings.bind(through.socket, around.in);
  Around<TypeParam> another("another", chip.sockets().target_socket);
  chip.bindings.bind(second.socket, another.in);
  chip.expect_answers({&before, &through, &after, &second});
}

TYPED_TEST(AnySocketAround, MayBeAroundAnother) {
  Chip chip;
  FormedInitiator direct("direct"), through("through");
  Around<TypeParam> inner("inner", chip.sockets().target_socket);
  Around<TypeParam> outer("outer", inner.in);
  chip.bindings.bind(through.socket, outer.in);
  chip.bindings.bind(direct.socket, chip.sockets().target_socket);
  chip.expect_answers({&direct, &through});
}

template <class Socket>
class SocketForManyAround : public testing::Test {};
using Many = testing::Types<Multi<0, sc_core::SC_ONE_OR_MORE_BOUND>, Multi<0, sc_core::SC_ZERO_OR_MORE_BOUND>,
                            Multi<3, sc_core::SC_ALL_BOUND>, OptionalMulti>;
TYPED_TEST_SUITE(SocketForManyAround, Many);

TYPED_TEST(SocketForManyAround, PassesOnSeveralInitiators) {
  Chip chip;
  FormedInitiator direct("direct"), a("a"), b("b"), c("c");
  Around<TypeParam> around("around", chip.sockets().target_socket);
  chip.bindings.bind(a.socket, around.in);
  chip.bindings.bind(direct.socket, chip.sockets().target_socket);
  chip.bindings.bind(b.socket, around.in);
  chip.bindings.bind(c.socket, around.in);
  chip.expect_answers({&a, &b, &c, &direct});
}

template <class Socket>
class PlainSocketAround : public testing::Test {};
using PlainForMany = testing::Types<Plain<0, sc_core::SC_ONE_OR_MORE_BOUND>, Plain<2, sc_core::SC_ALL_BOUND>,
                                    Plain<0, sc_core::SC_ZERO_OR_MORE_BOUND>>;
TYPED_TEST_SUITE(PlainSocketAround, PlainForMany);

// Their calls would come through one interface, and the answers of one would go to the other.
TYPED_TEST(PlainSocketAround, RefusesSeveralInitiators) {
  Chip chip;
  FormedInitiator a("a"), b("b");
  Around<TypeParam> around("around", chip.sockets().target_socket);
  a.socket.bind(around.in);
  b.socket.bind(around.in);
  chip.expect_refused(
      {"a.socket", "b.socket", "multi_passthrough_target_socket", chip.sockets().target_socket.name()});
}

// The module between knows the initiator's calls, and the one around it does not say whose they are.
TEST(HierarchicalSockets, RefuseAPlainSocketAroundAMultiSocket) {
  Chip chip;
  FormedInitiator a("a");
  Around<OptionalMulti> inner("inner", chip.sockets().target_socket);
  Around<Plain<1, sc_core::SC_ONE_OR_MORE_BOUND>> outer("outer", inner.in);
  a.socket.bind(outer.in);
  chip.expect_refused({"1 initiators", "knows 0 of them", "bind all initiators to the outermost one"});
}

TEST(HierarchicalSockets, NothingNeedBindToASocketAround) {
  Chip chip;
  FormedInitiator direct("direct");
  Around<Plain<0, sc_core::SC_ZERO_OR_MORE_BOUND>> plain("plain", chip.sockets().target_socket);
  Around<OptionalMulti> multi("multi", chip.sockets().target_socket);
  chip.bindings.bind(direct.socket, chip.sockets().target_socket);
  chip.expect_answers({&direct});
}

TEST(HierarchicalSockets, APortWithoutAWayBackIsRefused) {
  struct Caller : sc_core::sc_module {
    sc_core::sc_port<tlm::tlm_fw_transport_if<>> port{"port"};
    explicit Caller(sc_core::sc_module_name name) : sc_module(name) {}
  };
  Chip chip;
  Caller caller("caller");
  caller.port(chip.sockets().target_socket);
  chip.expect_refused({"caller.port", "bind a TLM-2.0 initiator socket"});
}

TEST(HierarchicalSockets, ABindingTheWrongWayRoundIsRefused) {
  Chip chip;
  FormedTarget other("other");
  const std::string refused =
      test::message_of<sc_core::sc_report>([&] { chip.sockets().target_socket.bind(other.socket); });
  EXPECT_NE(refused.find("bind that to it instead: OTHER.bind(target_socket)"), std::string::npos) << refused;
}

/// Its b_transport calls go to all that it is bound to.
struct ManyTargets : sc_core::sc_module {
  tlm_utils::multi_passthrough_initiator_socket<ManyTargets> socket{"socket"};
  unsigned right = 0;
  explicit ManyTargets(sc_core::sc_module_name name) : sc_module(name) {
    sc_core::sc_spawn([this] { play(); }, "play");
  }
  void play() {
    for (unsigned i = 0; i < socket.size(); ++i)
      for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
        unsigned value = command == tlm::TLM_WRITE_COMMAND ? 0xabc0 + i : 0;
        tlm::tlm_generic_payload p;
        p.set_command(command);
        p.set_address(3 * kNodeBytes + 4 * i);
        p.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        p.set_data_length(4);
        p.set_streaming_width(4);
        sc_core::sc_time delay;
        socket[static_cast<int>(i)]->b_transport(p, delay);
        right += p.is_response_ok() && value == 0xabc0 + i;
      }
  }
};

TYPED_TEST(AnySocketAround, PassesOnASocketForManyTargets) {
  Chip chip;
  ManyTargets caller("caller");
  Around<TypeParam> around("around", chip.sockets().target_socket);
  caller.socket.bind(around.in);
  caller.socket.bind(chip.sockets().target_socket);
  caller.socket.bind(chip.sockets(1).target_socket);
  chip.bench.run(2000);
  EXPECT_EQ(caller.right, 6u);
}

/// A module around the network with a socket of its own for the target at node 3.
template <class Socket>
struct AroundTarget : sc_core::sc_module {
  Socket out{"out"};
  AroundTarget(sc_core::sc_module_name name, SocketForTarget<32>& inner) : sc_module(name) {
    inner.bind(out);
  }
};

template <unsigned N, sc_core::sc_port_policy POLICY>
struct MultiOut
    : tlm_utils::multi_passthrough_initiator_socket<MultiOut<N, POLICY>, 32, Protocol, N, POLICY> {
  using tlm_utils::multi_passthrough_initiator_socket<MultiOut, 32, Protocol, N,
                                                      POLICY>::multi_passthrough_initiator_socket;
};
template <int N, sc_core::sc_port_policy POLICY>
using PlainOut = tlm::tlm_initiator_socket<32, Protocol, N, POLICY>;

template <class Socket>
class AnySocketAroundTarget : public testing::Test {};
using AnyOut =
    testing::Types<PlainOut<1, sc_core::SC_ONE_OR_MORE_BOUND>, PlainOut<0, sc_core::SC_ONE_OR_MORE_BOUND>,
                   PlainOut<0, sc_core::SC_ZERO_OR_MORE_BOUND>, PlainOut<1, sc_core::SC_ALL_BOUND>,
                   MultiOut<0, sc_core::SC_ONE_OR_MORE_BOUND>, MultiOut<0, sc_core::SC_ZERO_OR_MORE_BOUND>,
                   MultiOut<1, sc_core::SC_ALL_BOUND>>;
TYPED_TEST_SUITE(AnySocketAroundTarget, AnyOut);

TYPED_TEST(AnySocketAroundTarget, ReachesTheTarget) {
  Chip chip(false);
  AroundTarget<TypeParam> around("around", chip.sockets(3).initiator_socket);
  chip.bindings.bind(around.out, chip.memory.socket);
  chip.memory.choose = [n = 0u]() mutable {
    return TargetChoice{static_cast<TargetForm>(++n % kTargetForms), nanoseconds(1.5), nanoseconds(4)};
  };
  FormedInitiator a("a"), b("b");
  chip.bindings.bind(a.socket, chip.sockets(0).target_socket);
  chip.bindings.bind(b.socket, chip.sockets(1).target_socket);
  chip.expect_answers({&a, &b});
}

template <class Socket>
class SocketForManyTargetsAround : public testing::Test {};
using ManyOut =
    testing::Types<PlainOut<0, sc_core::SC_ONE_OR_MORE_BOUND>, MultiOut<0, sc_core::SC_ONE_OR_MORE_BOUND>>;
TYPED_TEST_SUITE(SocketForManyTargetsAround, ManyOut);

TYPED_TEST(SocketForManyTargetsAround, RefusesSeveralTargets) {
  Chip chip(false);
  AroundTarget<TypeParam> around("around", chip.sockets(3).initiator_socket);
  FormedTarget second("second");
  around.out.bind(chip.memory.socket);
  around.out.bind(second.socket);
  chip.expect_refused({chip.sockets(3).initiator_socket.name(), "2 targets", "tlm.address_map"});
}

}  // namespace
}  // namespace flitmend
