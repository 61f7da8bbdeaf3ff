// SPDX-License-Identifier: Apache-2.0
// Targets that have b_transport and no nb_transport_fw.
#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>

#include "support/address_sanitizer.h"
#include "support/checked_bindings.h"
#include "support/collected_warnings.h"
#include "support/fabric_bench.h"
#include "support/leak_check.h"
#include "support/tlm_elements.h"

namespace flitmend {
namespace {

/// A memory that takes 7 ns per access, in part as an annotated delay.
struct SlowMemory : sc_core::sc_module {
  std::vector<unsigned char> bytes = std::vector<unsigned char>(kNodeBytes);
  unsigned inside = 0;
  explicit SlowMemory(sc_core::sc_module_name name) : sc_module(name) {}
  void access(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    EXPECT_EQ(++inside, 1u) << "one request at a time";
    wait(nanoseconds(3));
    access_bytes(p, bytes);
    delay += nanoseconds(4);
    --inside;
  }
};

struct PassthroughTarget : SlowMemory {
  tlm_utils::passthrough_target_socket<SlowMemory> socket{"socket"};
  explicit PassthroughTarget(sc_core::sc_module_name name) : SlowMemory(name) {
    socket.register_b_transport(this, &SlowMemory::access);
  }
};
struct MultiTarget : SlowMemory {
  tlm_utils::multi_passthrough_target_socket<MultiTarget> socket{"socket"};
  explicit MultiTarget(sc_core::sc_module_name name) : SlowMemory(name) {
    socket.register_b_transport(this, &MultiTarget::access_of);
  }
  void access_of(int, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { access(p, delay); }
};
struct OwnTarget : SlowMemory, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<32> socket{"socket"};
  explicit OwnTarget(sc_core::sc_module_name name) : SlowMemory(name) { socket.bind(*this); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("own", "this target has b_transport only");
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override { access(p, delay); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override {
    access_bytes(p, bytes);
    return p.get_data_length();
  }
};

template <class Target>
class BlockingTargets : public testing::Test {};
using Kinds = testing::Types<PassthroughTarget, MultiTarget, OwnTarget>;
TYPED_TEST_SUITE(BlockingTargets, Kinds);

/// Two initiators write and read back, with posted writes or without.
template <class Target>
void expect_answers(bool posted) {
  TransactionParameters parameters;
  parameters.posted_writes = posted;
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr, parameters, 2);
  PayloadPool pool;
  CheckedBindings bindings;
  FormedInitiator a("a"), b("b");
  Target target("target");
  bindings.bind(a.socket, bench.fabric.sockets(0).target_socket);
  bindings.bind(b.socket, bench.fabric.sockets(1).target_socket);
  bench.fabric.sockets(3).initiator_socket.bind(target.socket);
  unsigned wrong = 0;
  unsigned char own = 0;
  for (FormedInitiator* const initiator : {&a, &b}) {
    ++own;
    initiator->next = [&pool, own, n = 0u](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
      if (n == 100) return nullptr;
      auto* const p = pool.acquire(n % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                   3 * kNodeBytes + 64 * own, 16);
      std::fill_n(p->get_data_ptr(), 16, n % 2 == 0 ? static_cast<unsigned char>(own + n / 2) : 0);
      ++n;
      return p;
    };
    initiator->answered = [&wrong, own, n = 0u](tlm::tlm_generic_payload& p) mutable {
      wrong += !p.is_response_ok() || p.get_data_ptr()[15] != static_cast<unsigned char>(own + n++ / 2);
    };
  }
  const CollectedWarnings warnings;
  bench.run(1);
  a.send(), b.send();
  ASSERT_TRUE(bench.drain(20000));
  bench.run(100);
  EXPECT_EQ(a.responses + b.responses, 200u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(target.inside, 0u);
  ASSERT_EQ(warnings.texts().size(), 1u);
  EXPECT_NE(warnings.texts()[0].find("the nb_transport_fw of target 0 reports \""), std::string::npos)
      << warnings.texts()[0];
  EXPECT_NE(warnings.texts()[0].find("is called by b_transport"), std::string::npos);
  EXPECT_EQ(pool.in_use(), 0u);
}

TYPED_TEST(BlockingTargets, AreCalledByBTransport) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  expect_answers<TypeParam>(false);
}

TYPED_TEST(BlockingTargets, TakePostedWrites) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  expect_answers<TypeParam>(true);
}

/// What one request to the target throws, if it does.
template <class Target>
std::string thrown_by(Target& target) {
  FabricBench bench(mesh_network({2, 2}), HardwareSettings{}, {}, "fabric", 1, nullptr,
                    TransactionParameters{}, 2);
  PayloadPool pool;
  FormedInitiator a("a");
  a.socket.bind(bench.fabric.sockets(0).target_socket);
  bench.fabric.sockets(3).initiator_socket.bind(target.socket);
  a.next = [&pool, sent = false](sc_core::sc_time&) mutable -> tlm::tlm_generic_payload* {
    return std::exchange(sent, true) ? nullptr : pool.acquire(tlm::TLM_READ_COMMAND, 3 * kNodeBytes, 4);
  };
  bench.run(1);
  a.send();
  try {
    bench.run(1000);
  } catch (const sc_core::sc_report& report) {
    skip_leak_check();  // the transaction never ends
    return report.get_msg();
  }
  return {};
}

/// Fails after it has begun: it has an nb_transport_fw.
struct FailingTarget : OwnTarget {
  using OwnTarget::OwnTarget;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    SC_REPORT_ERROR("own", "a fault of its own");
    return tlm::TLM_COMPLETED;
  }
};

TEST(BlockingTarget, AnErrorOfATargetThatHasBegunIsItsOwn) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  FailingTarget target("target");
  EXPECT_EQ(thrown_by(target), "a fault of its own");
}

/// Fails whichever way it is called: the first error is not about a missing function.
struct BrokenTarget : OwnTarget {
  using OwnTarget::OwnTarget;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("own", "broken");
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("other", "still broken");
  }
};

TEST(BlockingTarget, ErrorsOfBothFunctionsAreReported) {
  if (test::kAddressSanitizer) GTEST_SKIP() << "AddressSanitizer does not know the stacks of processes";
  BrokenTarget target("target");
  const CollectedWarnings warnings;
  const std::string text = thrown_by(target);
  EXPECT_NE(text.find(": target 0: nb_transport_fw reports \"broken\", and b_transport \"still broken\""),
            std::string::npos)
      << text;
  EXPECT_EQ(warnings.texts().size(), 1u);
}

}  // namespace
}  // namespace flitmend
