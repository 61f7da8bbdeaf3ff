// SPDX-License-Identifier: Apache-2.0
// The checker that other tests bind between sockets: it is silent about each legal form, and reports
// each rule when one side breaks it.
#include "support/base_protocol_checker.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/leak_check.h"

namespace flitmend {
namespace {

DECLARE_EXTENDED_PHASE(HINT_PHASE);

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;
using tlm::TLM_UPDATED;
using Payload = tlm::tlm_generic_payload;

/// An initiator and a target that do what a test says.
template <unsigned BUSWIDTH = 32>
struct ScriptedEnds : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
  using Transport = std::function<tlm_sync_enum(Payload&, tlm_phase&, sc_time&)>;
  tlm::tlm_initiator_socket<BUSWIDTH> initiator{"initiator"};
  tlm::tlm_target_socket<BUSWIDTH> target{"target"};
  Transport forward = [](Payload&, tlm_phase&, sc_time&) { return TLM_ACCEPTED; };
  Transport backward = forward;
  std::function<void(Payload&, sc_time&)> blocking = [](Payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  std::function<unsigned(Payload&)> debug = [](Payload& p) { return p.get_data_length(); };
  std::function<bool(Payload&, tlm::tlm_dmi&)> dmi = [](Payload&, tlm::tlm_dmi&) { return false; };
  std::function<void()> invalidated = [] {};

  explicit ScriptedEnds(sc_core::sc_module_name name) : sc_module(name) {
    initiator.bind(*this);
    target.bind(*this);
  }
  tlm_sync_enum nb_transport_fw(Payload& p, tlm_phase& phase, sc_time& delay) override {
    return forward(p, phase, delay);
  }
  tlm_sync_enum nb_transport_bw(Payload& p, tlm_phase& phase, sc_time& delay) override {
    return backward(p, phase, delay);
  }
  void b_transport(Payload& p, sc_time& delay) override { blocking(p, delay); }
  unsigned transport_dbg(Payload& p) override { return debug(p); }
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& region) override { return dmi(p, region); }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override { invalidated(); }
};

struct KeepsPayloads : tlm::tlm_mm_interface {
  void free(Payload*) override {}
};

/// A write of 4 bytes with one reference.
struct Write : Payload {
  explicit Write(tlm::tlm_mm_interface* manager) : Payload(manager) {
    set_write();
    set_address(64);
    set_data_ptr(bytes);
    set_data_length(4);
    set_streaming_width(4);
    if (manager) acquire();
  }
  unsigned char bytes[4] = {1, 2, 3, 4};
};

ProtocolCheckerOptions keep_address() {
  ProtocolCheckerOptions options;
  options.address_kept = true;
  return options;
}

class BaseProtocolCheckerTest : public testing::Test {
 protected:
  ScriptedEnds<> ends{"ends"};
  BaseProtocolChecker<> checker{"checker", keep_address()};
  KeepsPayloads manager;
  Write first{&manager}, second{&manager};

  BaseProtocolCheckerTest() {
    ends.initiator.bind(checker.target_socket);
    checker.initiator_socket.bind(ends.target);
    sc_core::sc_start(sc_time(10, SC_NS));
  }
  const BaseProtocolRules& rules() const { return checker.rules(); }
  tlm_sync_enum forward(Payload& p, tlm_phase phase, sc_time delay = SC_ZERO_TIME) {
    return ends.initiator->nb_transport_fw(p, phase, delay);
  }
  tlm_sync_enum backward(Payload& p, tlm_phase phase, sc_time delay = SC_ZERO_TIME) {
    return ends.target->nb_transport_bw(p, phase, delay);
  }
  void respond(Payload& p, sc_time delay = SC_ZERO_TIME) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    backward(p, BEGIN_RESP, delay);
  }
  /// A return value of nb_transport, with a phase.
  static ScriptedEnds<>::Transport returns(tlm_sync_enum value, tlm_phase phase,
                                           sc_time longer = SC_ZERO_TIME) {
    return [=](Payload& p, tlm_phase& answer, sc_time& delay) {
      if (value == TLM_UPDATED) answer = phase;
      delay += longer;
      if (value == TLM_COMPLETED || phase == BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
      return value;
    };
  }
  /// Exactly one rule is broken, once, by the module at that side.
  void expect_only(ProtocolRule rule, ProtocolSide side) const {
    EXPECT_EQ(rules().count(rule), 1u) << rules().text();
    EXPECT_EQ(rules().count(), 1u) << rules().text();
    EXPECT_EQ(rules().count(side), 1u) << rules().text();
    ASSERT_FALSE(rules().violations().empty());
    const ProtocolViolation& v = rules().violations().front();
    EXPECT_EQ(v.rule, rule);
    EXPECT_EQ(v.at, sc_core::sc_time_stamp());
    EXPECT_EQ(v.socket,
              side == ProtocolSide::initiator ? "checker.target_socket" : "checker.initiator_socket");
    EXPECT_FALSE(v.text.empty());
    EXPECT_NE(rules().text().find(to_string(rule)), std::string::npos);
  }
  void expect_silence(std::uint64_t transactions) const {
    EXPECT_EQ(rules().text(), "");
    EXPECT_EQ(rules().count(), 0u);
    EXPECT_EQ(rules().underway(), 0u);
    EXPECT_EQ(rules().ended(), transactions);
  }
};

using enum ProtocolRule;
constexpr auto kInitiator = ProtocolSide::initiator;
constexpr auto kTarget = ProtocolSide::target;

// ---- silence

TEST_F(BaseProtocolCheckerTest, FourPhasesByCalls) {
  forward(first, BEGIN_REQ);
  backward(first, END_REQ);
  forward(second, BEGIN_REQ);  // the request of the first has ended
  respond(first);
  backward(second, END_REQ);
  forward(first, END_RESP);
  respond(second);
  forward(second, END_RESP);
  expect_silence(2);
}

TEST_F(BaseProtocolCheckerTest, EveryWayToEndARequestAndAResponse) {
  enum RequestEnd { by_call, by_return, by_response_call, by_response_return };
  enum ResponseEnd { completed, updated, end_resp_accepted, end_resp_completed };
  std::uint64_t transactions = 0;
  for (const RequestEnd request : {by_call, by_return, by_response_call, by_response_return})
    for (const ResponseEnd response : {completed, updated, end_resp_accepted, end_resp_completed})
      for (const double ns : {0.0, 3.0}) {
        const sc_time delay(ns, SC_NS);
        const bool call_ends = response >= end_resp_accepted;
        if (request == by_response_return && !call_ends) continue;  // there is no call to answer
        Write p(&manager);
        ends.backward = call_ends             ? returns(TLM_ACCEPTED, BEGIN_RESP)
                        : response == updated ? returns(TLM_UPDATED, END_RESP, delay)
                                              : returns(TLM_COMPLETED, BEGIN_RESP, delay);
        ends.forward = request == by_return            ? returns(TLM_UPDATED, END_REQ, delay)
                       : request == by_response_return ? returns(TLM_UPDATED, BEGIN_RESP, delay)
                                                       : returns(TLM_ACCEPTED, BEGIN_REQ);
        forward(p, BEGIN_REQ, delay);
        if (request == by_call) {
          const auto answer = std::exchange(ends.backward, returns(TLM_ACCEPTED, END_REQ));
          backward(p, END_REQ, delay + delay);
          ends.backward = answer;
        }
        if (request != by_response_return) respond(p, delay + delay);
        if (call_ends) {
          ends.forward = response == end_resp_accepted
                             ? returns(TLM_ACCEPTED, END_RESP)
                             : [](Payload&, tlm_phase&, sc_time&) { return TLM_COMPLETED; };
          forward(p, END_RESP, delay + delay);
        }
        ++transactions;
      }
  EXPECT_EQ(transactions, 28u);
  expect_silence(transactions);
}

TEST_F(BaseProtocolCheckerTest, ATargetCompletesAtOnce) {
  ends.forward = returns(TLM_COMPLETED, BEGIN_REQ, sc_time(7, SC_NS));
  forward(first, BEGIN_REQ, sc_time(2, SC_NS));
  forward(second, BEGIN_REQ);
  expect_silence(2);
}

TEST_F(BaseProtocolCheckerTest, PhasesThatMayBeIgnored) {
  forward(first, BEGIN_REQ);
  forward(first, HINT_PHASE);
  backward(first, HINT_PHASE);
  backward(first, END_REQ);
  backward(first, HINT_PHASE);
  ends.forward = returns(TLM_UPDATED, BEGIN_RESP);
  forward(first, HINT_PHASE);  // the answer may be a phase of the base protocol
  ends.forward = returns(TLM_ACCEPTED, END_RESP);
  forward(first, END_RESP);
  expect_silence(1);
}

TEST_F(BaseProtocolCheckerTest, APayloadIsUsedAgainByItsNextTransaction) {
  for (int i = 0; i < 3; ++i) {
    first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    forward(first, BEGIN_REQ);
    respond(first);
    forward(first, END_RESP);
    first.set_address(100);
    first.bytes[0] = 77;
  }
  expect_silence(3);
}

TEST_F(BaseProtocolCheckerTest, BlockingCallsOverlapNonBlockingTransactionsOfTheSameSocket) {
  Write blocking(nullptr);
  forward(first, BEGIN_REQ);
  sc_time delay = SC_ZERO_TIME;
  ends.initiator->b_transport(blocking, delay);
  respond(first);
  forward(first, END_RESP);
  expect_silence(2);
}

TEST_F(BaseProtocolCheckerTest, DebugAndDirectMemory) {
  EXPECT_EQ(ends.initiator->transport_dbg(first), 4u);
  tlm::tlm_dmi region;
  EXPECT_FALSE(ends.initiator->get_direct_mem_ptr(first, region));
  ends.dmi = [](Payload& p, tlm::tlm_dmi& d) {
    d.set_dmi_ptr(p.get_data_ptr());
    d.set_start_address(64);
    d.set_end_address(67);
    d.allow_read_write();
    return true;
  };
  region.init();
  EXPECT_TRUE(ends.initiator->get_direct_mem_ptr(first, region));
  ends.target->invalidate_direct_mem_ptr(0, 100);
  expect_silence(0);
}

TEST_F(BaseProtocolCheckerTest, AnInterconnectMayTranslateTheAddress) {
  BaseProtocolRules translating("t", "i", {});
  Write p(&manager);
  const auto call = translating.forward(p, BEGIN_REQ, SC_ZERO_TIME);
  translating.forward_returns(call, p, BEGIN_REQ, SC_ZERO_TIME, TLM_ACCEPTED);
  p.set_address(0);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  translating.backward(p, BEGIN_RESP, SC_ZERO_TIME);
  EXPECT_EQ(translating.text(), "");
}

// ---- phase_sequence

TEST_F(BaseProtocolCheckerTest, BeginReqOfATransactionUnderWay) {
  forward(first, BEGIN_REQ);
  forward(first, BEGIN_REQ);
  expect_only(phase_sequence, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, EndRespBeforeBeginResp) {
  forward(first, BEGIN_REQ);
  forward(first, END_RESP);
  expect_only(phase_sequence, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, EndRespTwice) {
  forward(first, BEGIN_REQ);
  respond(first);
  forward(first, END_RESP);
  forward(first, END_RESP);
  expect_only(phase_sequence, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, EndReqTwice) {
  forward(first, BEGIN_REQ);
  backward(first, END_REQ);
  backward(first, END_REQ);
  expect_only(phase_sequence, kTarget);
}
TEST_F(BaseProtocolCheckerTest, EndReqAfterBeginResp) {
  forward(first, BEGIN_REQ);
  respond(first);
  backward(first, END_REQ);
  expect_only(phase_sequence, kTarget);
}
TEST_F(BaseProtocolCheckerTest, BeginRespTwice) {
  forward(first, BEGIN_REQ);
  respond(first);
  backward(first, BEGIN_RESP);
  expect_only(phase_sequence, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AResponseWithoutRequest) {
  respond(first);
  expect_only(phase_sequence, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AResponseAfterTheTransactionHasCompleted) {
  ends.forward = returns(TLM_COMPLETED, BEGIN_REQ);
  forward(first, BEGIN_REQ);
  respond(first);
  expect_only(phase_sequence, kTarget);
}
TEST_F(BaseProtocolCheckerTest, APhaseThatMayBeIgnoredOutsideATransaction) {
  forward(first, HINT_PHASE);
  expect_only(phase_sequence, kInitiator);
}

// ---- phase_direction, return_value

TEST_F(BaseProtocolCheckerTest, EndReqFromTheInitiator) {
  forward(first, BEGIN_REQ);
  forward(first, END_REQ);
  expect_only(phase_direction, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, EndRespFromTheTarget) {
  forward(first, BEGIN_REQ);
  respond(first);
  backward(first, END_RESP);
  expect_only(phase_direction, kTarget);
}
TEST_F(BaseProtocolCheckerTest, BeginReqUpdatedToEndResp) {
  ends.forward = returns(TLM_UPDATED, END_RESP);
  forward(first, BEGIN_REQ);
  expect_only(return_value, kTarget);
}
TEST_F(BaseProtocolCheckerTest, BeginReqUpdatedWithoutANewPhase) {
  ends.forward = returns(TLM_UPDATED, BEGIN_REQ);
  forward(first, BEGIN_REQ);
  expect_only(return_value, kTarget);
}
TEST_F(BaseProtocolCheckerTest, EndRespUpdated) {
  forward(first, BEGIN_REQ);
  respond(first);
  ends.forward = returns(TLM_UPDATED, END_RESP);
  forward(first, END_RESP);
  expect_only(return_value, kTarget);
}
TEST_F(BaseProtocolCheckerTest, EndReqCompleted) {
  forward(first, BEGIN_REQ);
  ends.backward = [](Payload&, tlm_phase&, sc_time&) { return TLM_COMPLETED; };
  backward(first, END_REQ);
  expect_only(return_value, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, BeginRespUpdatedToBeginReq) {
  forward(first, BEGIN_REQ);
  ends.backward = returns(TLM_UPDATED, BEGIN_REQ);
  respond(first);
  expect_only(return_value, kInitiator);
}

// ---- accepted_as_is

TEST_F(BaseProtocolCheckerTest, AcceptedWithANewPhase) {
  ends.forward = [](Payload&, tlm_phase& phase, sc_time&) {
    phase = END_REQ;
    return TLM_ACCEPTED;
  };
  forward(first, BEGIN_REQ);
  expect_only(accepted_as_is, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AcceptedWithANewDelay) {
  ends.forward = [](Payload&, tlm_phase&, sc_time& delay) {
    delay += sc_time(5, SC_NS);
    return TLM_ACCEPTED;
  };
  forward(first, BEGIN_REQ);
  expect_only(accepted_as_is, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AcceptedWithAResponseStatus) {
  ends.forward = [](Payload& p, tlm_phase&, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return TLM_ACCEPTED;
  };
  forward(first, BEGIN_REQ);
  expect_only(accepted_as_is, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AResponseAcceptedWithANewDelay) {
  forward(first, BEGIN_REQ);
  ends.backward = [](Payload&, tlm_phase&, sc_time& delay) {
    delay += sc_time(5, SC_NS);
    return TLM_ACCEPTED;
  };
  respond(first);
  expect_only(accepted_as_is, kInitiator);
}

// ---- exclusion

TEST_F(BaseProtocolCheckerTest, ASecondRequestBeforeTheFirstHasEnded) {
  forward(first, BEGIN_REQ);
  forward(second, BEGIN_REQ);
  expect_only(request_exclusion, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, ASecondResponseBeforeTheFirstHasEnded) {
  forward(first, BEGIN_REQ);
  backward(first, END_REQ);
  forward(second, BEGIN_REQ);
  backward(second, END_REQ);
  respond(first);
  respond(second);
  expect_only(response_exclusion, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AResponseInAReturnBeforeAnotherHasEnded) {
  forward(first, BEGIN_REQ);
  respond(first);
  ends.forward = returns(TLM_UPDATED, BEGIN_RESP);
  forward(second, BEGIN_REQ);
  expect_only(response_exclusion, kTarget);
}

// ---- time_order, no_wait, no_reentry

TEST_F(BaseProtocolCheckerTest, EndReqEarlierThanBeginReq) {
  forward(first, BEGIN_REQ, sc_time(5, SC_NS));
  sc_core::sc_start(sc_time(3, SC_NS));
  backward(first, END_REQ);
  expect_only(time_order, kTarget);
}
TEST_F(BaseProtocolCheckerTest, EndRespEarlierThanBeginResp) {
  forward(first, BEGIN_REQ);
  respond(first, sc_time(5, SC_NS));
  forward(first, END_RESP, sc_time(4, SC_NS));
  expect_only(time_order, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, AReturnThatTakesTimeBack) {
  ends.forward = [](Payload&, tlm_phase& phase, sc_time& delay) {
    phase = END_REQ;
    delay = SC_ZERO_TIME;
    return TLM_UPDATED;
  };
  forward(first, BEGIN_REQ, sc_time(5, SC_NS));
  expect_only(time_order, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AnInitiatorThatTakesTimeBackInItsReturn) {
  forward(first, BEGIN_REQ);
  ends.backward = [](Payload&, tlm_phase&, sc_time& delay) {
    delay = SC_ZERO_TIME;
    return TLM_COMPLETED;
  };
  respond(first, sc_time(5, SC_NS));
  expect_only(time_order, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, BTransportThatTakesTimeBack) {
  ends.blocking = [](Payload& p, sc_time& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = SC_ZERO_TIME;
  };
  sc_time delay(5, SC_NS);
  ends.initiator->b_transport(first, delay);
  expect_only(time_order, kTarget);
}
TEST_F(BaseProtocolCheckerTest, NbTransportInsideTheOther) {
  forward(first, BEGIN_REQ);
  ends.backward = [&](Payload& p, tlm_phase&, sc_time&) {
    forward(p, END_RESP);
    return TLM_ACCEPTED;
  };
  respond(first);
  expect_only(no_reentry, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, ATargetThatAnswersInsideTheRequest) {
  ends.forward = [&](Payload& p, tlm_phase&, sc_time&) {
    backward(p, END_REQ);
    return TLM_ACCEPTED;
  };
  forward(first, BEGIN_REQ);
  expect_only(no_reentry, kTarget);
}

// ---- payload

TEST_F(BaseProtocolCheckerTest, ATargetThatChangesAnAttribute) {
  using Change = std::function<void(Payload&)>;
  unsigned char other[4] = {1, 2, 3, 4};
  const Change changes[] = {
      [](Payload& p) { p.set_read(); },
      [&](Payload& p) { p.set_data_ptr(other); },
      [](Payload& p) { p.set_data_length(3); },
      [&](Payload& p) { p.set_byte_enable_ptr(other); },
      [](Payload& p) { p.set_byte_enable_length(1); },
      [](Payload& p) { p.set_streaming_width(2); },
      [](Payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); },
  };
  std::uint64_t expected = 0;
  for (const Change& change : changes) {
    Write p(&manager);
    forward(p, BEGIN_REQ);
    change(p);
    respond(p);
    EXPECT_EQ(rules().count(attributes), ++expected) << rules().text();
    forward(p, END_RESP);
  }
  EXPECT_EQ(rules().count(), expected) << rules().text();
  EXPECT_EQ(rules().count(kTarget), expected);
}
TEST_F(BaseProtocolCheckerTest, AnInitiatorThatChangesAnAttributeBeforeTheEnd) {
  forward(first, BEGIN_REQ);
  respond(first);
  first.set_data_length(2);
  forward(first, END_RESP);
  expect_only(attributes, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, BytesOfAWriteThatChange) {
  forward(first, BEGIN_REQ);
  first.bytes[2] = 99;
  respond(first);
  expect_only(data, kTarget);
}
TEST_F(BaseProtocolCheckerTest, ByteEnablesThatChange) {
  unsigned char enables[2] = {0xff, 0};
  first.set_byte_enable_ptr(enables);
  first.set_byte_enable_length(2);
  forward(first, BEGIN_REQ);
  enables[1] = 0xff;
  respond(first);
  expect_only(data, kTarget);
}
TEST_F(BaseProtocolCheckerTest, BytesOfAReadMayChange) {
  first.set_read();
  forward(first, BEGIN_REQ);
  first.bytes[2] = 99;
  respond(first);
  forward(first, END_RESP);
  expect_silence(1);
}
TEST_F(BaseProtocolCheckerTest, AnAddressThatDoesNotComeBack) {
  forward(first, BEGIN_REQ);
  first.set_address(0);
  respond(first);
  expect_only(address, kTarget);
}
TEST_F(BaseProtocolCheckerTest, ARequestWithoutItsValues) {
  using Change = std::function<void(Payload&)>;
  unsigned char enable = 0xff;
  const Change changes[] = {
      [](Payload& p) { p.set_data_ptr(nullptr); },
      [](Payload& p) { p.set_data_length(0); },
      [](Payload& p) { p.set_streaming_width(0); },
      [&](Payload& p) { p.set_byte_enable_ptr(&enable); },
      [](Payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); },
      [](Payload& p) { p.set_command(static_cast<tlm::tlm_command>(3)); },
  };
  ends.forward = returns(TLM_COMPLETED, BEGIN_REQ);
  std::uint64_t expected = 0;
  for (const Change& change : changes) {
    Write p(&manager);
    change(p);
    forward(p, BEGIN_REQ);
    EXPECT_EQ(rules().count(initial_values), ++expected) << rules().text();
  }
  EXPECT_EQ(rules().count(), expected) << rules().text();
  EXPECT_EQ(rules().count(kInitiator), expected);
}
TEST_F(BaseProtocolCheckerTest, ARequestWithTheDmiHint) {
  first.set_dmi_allowed(true);
  forward(first, BEGIN_REQ);
  expect_only(initial_dmi_hint, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, ARequestWithAResponseStatus) {
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  forward(first, BEGIN_REQ);
  expect_only(initial_status, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, AStatusBeforeTheResponse) {
  forward(first, BEGIN_REQ);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  backward(first, END_REQ);
  expect_only(early_status, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AResponseWithoutStatus) {
  forward(first, BEGIN_REQ);
  backward(first, BEGIN_RESP);
  expect_only(response_status, kTarget);
}
TEST_F(BaseProtocolCheckerTest, AStatusThatChangesAfterTheResponse) {
  forward(first, BEGIN_REQ);
  respond(first);
  first.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  forward(first, END_RESP);
  expect_only(response_status, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, BTransportWithoutStatus) {
  ends.blocking = [](Payload&, sc_time&) {};
  sc_time delay = SC_ZERO_TIME;
  ends.initiator->b_transport(first, delay);
  expect_only(response_status, kTarget);
}

// ---- memory management and interfaces

TEST_F(BaseProtocolCheckerTest, NbTransportWithoutMemoryManager) {
  Write p(nullptr);
  forward(p, BEGIN_REQ);
  expect_only(memory_management, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, NbTransportWithoutReference) {
  first.release();
  forward(first, BEGIN_REQ);
  expect_only(memory_management, kInitiator);
}
struct Note : tlm::tlm_extension<Note> {
  tlm::tlm_extension_base* clone() const override { return new Note(*this); }
  void copy_from(const tlm::tlm_extension_base&) override {}
  void free() override {}
};
TEST_F(BaseProtocolCheckerTest, BTransportThatLeavesAnExtensionWithoutMemoryManager) {
  Write p(nullptr);
  p.resize_extensions();
  Note note;
  ends.blocking = [&](Payload& payload, sc_time&) {
    payload.set_extension(&note);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  sc_time delay = SC_ZERO_TIME;
  ends.initiator->b_transport(p, delay);
  expect_only(memory_management, kTarget);
  p.clear_extension(&note);
}
TEST_F(BaseProtocolCheckerTest, BTransportThatLeavesAMemoryManager) {
  Write p(nullptr);
  ends.blocking = [&](Payload& payload, sc_time&) {
    payload.set_mm(&manager);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  sc_time delay = SC_ZERO_TIME;
  ends.initiator->b_transport(p, delay);
  expect_only(memory_management, kTarget);
}
TEST_F(BaseProtocolCheckerTest, BTransportOfATransactionUnderWay) {
  forward(first, BEGIN_REQ);
  sc_time delay = SC_ZERO_TIME;
  ends.initiator->b_transport(first, delay);
  expect_only(mixed_interfaces, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, ATargetThatAnswersBTransportByPhases) {
  ends.blocking = [&](Payload& p, sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    backward(p, BEGIN_RESP);
  };
  sc_time delay = SC_ZERO_TIME;
  ends.initiator->b_transport(first, delay);
  expect_only(mixed_interfaces, kTarget);
}
TEST_F(BaseProtocolCheckerTest, BTransportInsideNbTransport) {
  forward(first, BEGIN_REQ);
  ends.backward = [&](Payload&, tlm_phase&, sc_time&) {
    sc_time delay = SC_ZERO_TIME;
    ends.initiator->b_transport(second, delay);
    return TLM_ACCEPTED;
  };
  backward(first, END_REQ);
  expect_only(blocking_caller, kInitiator);
}

// ---- debug and direct memory

TEST_F(BaseProtocolCheckerTest, DebugAnswersMoreThanWasAskedFor) {
  ends.debug = [](Payload&) { return 5u; };
  ends.initiator->transport_dbg(first);
  expect_only(debug, kTarget);
}
TEST_F(BaseProtocolCheckerTest, DebugThatChangesTheLength) {
  ends.debug = [](Payload& p) {
    p.set_data_length(1);
    return 1u;
  };
  ends.initiator->transport_dbg(first);
  expect_only(debug, kTarget);
}
TEST_F(BaseProtocolCheckerTest, DebugWithoutBuffer) {
  first.set_read();
  first.set_data_ptr(nullptr);
  ends.initiator->transport_dbg(first);
  expect_only(debug, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, DebugThatDoesNotRestoreTheAddress) {
  ends.debug = [](Payload& p) {
    p.set_address(0);
    return 4u;
  };
  ends.initiator->transport_dbg(first);
  expect_only(address, kTarget);
}
TEST_F(BaseProtocolCheckerTest, ADmiDescriptorThatWasUsedBefore) {
  tlm::tlm_dmi region;
  region.allow_read();
  ends.initiator->get_direct_mem_ptr(first, region);
  expect_only(dmi, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, DmiGrantedWithoutTheAddress) {
  ends.dmi = [](Payload& p, tlm::tlm_dmi& d) {
    d.set_dmi_ptr(p.get_data_ptr());
    d.set_end_address(63);
    d.allow_write();
    return true;
  };
  tlm::tlm_dmi region;
  ends.initiator->get_direct_mem_ptr(first, region);
  expect_only(dmi, kTarget);
}
TEST_F(BaseProtocolCheckerTest, DmiGrantedWithoutPermission) {
  ends.dmi = [](Payload& p, tlm::tlm_dmi& d) {
    d.set_dmi_ptr(p.get_data_ptr());
    d.allow_read();
    return true;
  };
  tlm::tlm_dmi region;
  ends.initiator->get_direct_mem_ptr(first, region);
  expect_only(dmi, kTarget);
}
TEST_F(BaseProtocolCheckerTest, DmiInsideItsInvalidation) {
  ends.invalidated = [&] {
    tlm::tlm_dmi region;
    ends.initiator->get_direct_mem_ptr(first, region);
  };
  ends.target->invalidate_direct_mem_ptr(0, 10);
  expect_only(dmi, kInitiator);
}
TEST_F(BaseProtocolCheckerTest, AnInvalidatedRangeThatEndsBeforeItStarts) {
  ends.target->invalidate_direct_mem_ptr(10, 9);
  expect_only(dmi, kTarget);
}

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
}  // namespace flitmend
