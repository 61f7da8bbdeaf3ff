// SPDX-License-Identifier: Apache-2.0
// transport_dbg and writes that have been answered.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <numeric>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

using Bytes = std::vector<unsigned char>;

struct DebugBench {
  FabricBench bench;
  PayloadPool pool;
  CheckedBindings bindings{{.address_kept = true}};
  FormedInitiator initiator{"initiator"};
  FormedInitiator debugger{"debugger"};
  FormedTarget target{"target"};
  RingQueue<tlm::tlm_generic_payload*> to_send;

  explicit DebugBench(
      bool posted, const std::function<void(DebugBench&)>& bind = [](DebugBench&) {})
      : bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters(posted)) {
    bindings.bind(initiator.socket, bench.fabric.sockets(0).target_socket);
    bindings.bind(debugger.socket, bench.fabric.sockets(1).target_socket);
    bindings.bind(bench.fabric.sockets(3).initiator_socket, target.socket);
    initiator.next = [this](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
      if (to_send.empty()) return nullptr;
      auto* const p = to_send.front();
      to_send.pop();
      return p;
    };
    bind(*this);
    bench.run(1);
  }
  static TransactionParameters parameters(bool posted) {
    TransactionParameters p;
    p.posted_writes = posted;
    return p;
  }
  tlm::tlm_generic_payload& write(std::uint64_t address, const Bytes& bytes) {
    auto* const p = pool.acquire(tlm::TLM_WRITE_COMMAND, 3 * kNodeBytes + address, bytes.size());
    std::ranges::copy(bytes, p->get_data_ptr());
    to_send.push(p);
    return *p;
  }
  /// Posts the writes. Returns how many have been answered.
  unsigned post() {
    initiator.send();
    bench.run(400);
    return initiator.responses;
  }
  /// The target accepts all of them.
  bool carry_out() {
    target.accept();
    const bool drained = bench.drain(1000);
    bench.run(100);
    return drained;
  }
  Bytes debug(tlm::tlm_command command, std::uint64_t address, Bytes bytes) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(3 * kNodeBytes + address);
    p.set_data_ptr(bytes.data());
    p.set_data_length(static_cast<unsigned>(bytes.size()));
    EXPECT_EQ(debugger.socket->transport_dbg(p), bytes.size());
    return bytes;
  }
  Bytes debug_read(std::uint64_t address, std::size_t bytes) {
    return debug(tlm::TLM_READ_COMMAND, address, Bytes(bytes, 0xEE));
  }
};

TEST(DebugAccess, SeesWritesFromTheTimeOfTheirAnswer) {
  DebugBench b(false);
  b.target.choose = [] { return TargetChoice{TargetForm::four_phases, nanoseconds(3), nanoseconds(20)}; };
  unsigned seen = 0;
  b.initiator.answered = [&](tlm::tlm_generic_payload& p) {
    const Bytes bytes = b.debug_read(p.get_address() % kNodeBytes, p.get_data_length());
    seen += std::equal(bytes.begin(), bytes.end(), p.get_data_ptr());
  };
  for (unsigned i = 0; i < 50; ++i) b.write(16 * i, Bytes(16, static_cast<unsigned char>(i + 1)));
  b.initiator.send();
  ASSERT_TRUE(b.bench.drain(5000));
  EXPECT_EQ(seen, 50u);
}

// As a loader of programs does it: before the first cycle, and in a module that is older than the network.
TEST(DebugAccess, WorksAtTheEndOfElaboration) {
  struct Loader : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Loader, 64> socket{"socket"};
    unsigned loaded = 0;
    explicit Loader(sc_core::sc_module_name name) : sc_module(name) {}
    void end_of_elaboration() override {
      Bytes program(32, 0x77);
      tlm::tlm_generic_payload p;
      p.set_command(tlm::TLM_WRITE_COMMAND);
      p.set_address(3 * kNodeBytes + 100);
      p.set_data_ptr(program.data());
      p.set_data_length(32);
      loaded = socket->transport_dbg(p);
    }
  };
  Loader loader("loader");
  DebugBench b(false, [&](DebugBench& bench) {
    bench.bindings.bind(loader.socket, bench.bench.fabric.sockets(2).target_socket_of<64>());
  });
  EXPECT_EQ(loader.loaded, 32u);
  EXPECT_EQ(Bytes(b.target.bytes.begin() + 100, b.target.bytes.begin() + 132), Bytes(32, 0x77));
}

// The target has been handed the first write and does not accept it. The others have been answered and wait.
TEST(DebugAccess, SeesPostedWritesThatWaitForTheirTarget) {
  DebugBench b(true);
  b.target.refuses = true;
  b.write(0, Bytes(4, 0x11));
  b.write(4, {1, 2, 3, 4, 5, 6, 7, 8});
  b.write(8, {21, 22});
  b.write(20, {31, 32, 33, 34, 35, 36}).set_streaming_width(4);
  b.pool.set_byte_enables(b.write(4, {41, 42, 43, 44}), {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED});
  ASSERT_EQ(b.post(), 5u);
  ASSERT_EQ(b.target.requests, 1u);
  const Bytes expected{41, 2, 43, 4, 21, 22, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 35, 36, 33, 34};
  EXPECT_EQ(b.debug_read(4, 20), expected);
  EXPECT_EQ(b.debug_read(6, 3), (Bytes{43, 4, 21}));
  EXPECT_EQ(b.debug_read(0, 4), Bytes(4, 0));  // the target has it, and has not carried it out
  EXPECT_EQ(b.target.bytes[4], 0);             // and has not seen the others
  ASSERT_TRUE(b.carry_out());
  EXPECT_EQ(b.target.requests, 5u);
  EXPECT_EQ(Bytes(b.target.bytes.begin() + 4, b.target.bytes.begin() + 24), expected);
  EXPECT_EQ(b.debug_read(4, 20), expected);
  EXPECT_EQ(b.debug_read(0, 4), Bytes(4, 0x11));
}

// What a debugger writes is newer than the posted writes that wait, and is not lost when these are carried
// out.
TEST(DebugAccess, WritesAfterPostedWritesThatWaitForTheirTarget) {
  DebugBench b(true);
  b.target.refuses = true;
  b.write(0, Bytes(4, 0x11));
  b.write(4, {1, 2, 3, 4, 5, 6, 7, 8});
  b.write(6, {9, 9});
  ASSERT_EQ(b.post(), 3u);
  b.debug(tlm::TLM_WRITE_COMMAND, 7, {51, 52, 53});
  const Bytes expected{1, 2, 9, 51, 52, 53, 7, 8};
  EXPECT_EQ(b.debug_read(4, 8), expected);
  ASSERT_TRUE(b.carry_out());
  EXPECT_EQ(Bytes(b.target.bytes.begin() + 4, b.target.bytes.begin() + 12), expected);
}

}  // namespace
}  // namespace flitmend
