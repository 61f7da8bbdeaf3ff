// SPDX-License-Identifier: Apache-2.0
// The checker where a call waits, or comes from a method process.
#include "rtl_tlm/base_protocol_checker/bench.h"
#include "support/leak_check.h"

namespace flitmend::base_protocol {
namespace {

// ---- what needs processes

struct Processes : sc_core::sc_module {
  std::function<void()> thread, method;
  SC_HAS_PROCESS(Processes);
  explicit Processes(sc_core::sc_module_name name) : sc_module(name) {
    SC_THREAD(run_thread);
    SC_METHOD(run_method);
  }
  void run_thread() {
    if (thread) thread();
  }
  void run_method() {
    if (method) method();
  }
};

struct BenchWithProcesses {
  ScriptedEnds<64> ends{"ends"};
  BaseProtocolChecker<64> checker{"checker"};  // a bus width of its own
  Processes processes{"processes"};
  KeepsPayloads manager;
  Write payload{&manager};
  BenchWithProcesses() {
    ends.initiator.bind(checker.target_socket);
    checker.initiator_socket.bind(ends.target);
  }
};

TEST(BaseProtocolCheckerProcesses, NbTransportThatWaits) {
  skip_leak_check();
  BenchWithProcesses b;
  b.ends.forward = [](Payload&, tlm_phase&, sc_time&) {
    sc_core::wait(sc_time(1, SC_NS));
    return TLM_ACCEPTED;
  };
  b.processes.thread = [&] {
    tlm_phase phase = BEGIN_REQ;
    sc_time delay = SC_ZERO_TIME;
    b.ends.initiator->nb_transport_fw(b.payload, phase, delay);
  };
  sc_core::sc_start(sc_time(5, SC_NS));
  EXPECT_EQ(b.checker.rules().count(no_wait), 1u) << b.checker.rules().text();
  EXPECT_EQ(b.checker.rules().count(), 1u) << b.checker.rules().text();
}

TEST(BaseProtocolCheckerProcesses, BTransportInAMethodProcess) {
  skip_leak_check();
  BenchWithProcesses b;
  b.processes.method = [&] {
    sc_time delay = SC_ZERO_TIME;
    b.ends.initiator->b_transport(b.payload, delay);
  };
  sc_core::sc_start(sc_time(5, SC_NS));
  EXPECT_EQ(b.checker.rules().count(blocking_caller), 1u) << b.checker.rules().text();
  EXPECT_EQ(b.checker.rules().count(), 1u) << b.checker.rules().text();
}

TEST(BaseProtocolCheckerProcesses, BTransportMayWaitInsteadOfReturningADelay) {
  skip_leak_check();
  BenchWithProcesses b;
  b.ends.blocking = [](Payload& p, sc_time& delay) {
    sc_core::wait(delay);
    delay = SC_ZERO_TIME;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  b.processes.thread = [&] {
    sc_time delay(2, SC_NS);
    b.ends.initiator->b_transport(b.payload, delay);
  };
  sc_core::sc_start(sc_time(5, SC_NS));
  EXPECT_EQ(b.checker.rules().text(), "");
  EXPECT_EQ(b.checker.rules().ended(), 1u);
}

}  // namespace
}  // namespace flitmend::base_protocol
