// SPDX-License-Identifier: Apache-2.0
// The checker is silent about each legal form, and reports each broken rule of phases, exclusion and time.
#include "rtl_tlm/base_protocol_checker/bench.h"

namespace flitmend::base_protocol {
namespace {

DECLARE_EXTENDED_PHASE(HINT_PHASE);

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

}  // namespace
}  // namespace flitmend::base_protocol
