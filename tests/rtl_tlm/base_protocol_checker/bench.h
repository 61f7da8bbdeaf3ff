// SPDX-License-Identifier: Apache-2.0
// The checker that other tests bind between sockets, between two ends that do what a test says.
#pragma once
#include <gtest/gtest.h>

#include <functional>

#include "support/base_protocol_checker.h"

namespace flitmend::base_protocol {

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

inline ProtocolCheckerOptions keep_address() {
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

}  // namespace flitmend::base_protocol
