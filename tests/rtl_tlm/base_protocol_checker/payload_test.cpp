// SPDX-License-Identifier: Apache-2.0
// The checker reports each broken rule of payloads, memory management, debug and direct memory.
#include "rtl_tlm/base_protocol_checker/bench.h"

namespace flitmend::base_protocol {
namespace {

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

}  // namespace
}  // namespace flitmend::base_protocol
