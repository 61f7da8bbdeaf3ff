// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <type_traits>
#include <vector>

#include "support/base_protocol_checker.h"

namespace flitmend {

template <unsigned BUSWIDTH, class Forward, class Backward>
std::integral_constant<unsigned, BUSWIDTH> bus_width_of(
    const tlm::tlm_base_initiator_socket_b<BUSWIDTH, Forward, Backward>&);

/// Binds initiator sockets to target sockets with a BaseProtocolChecker in between. When it is destroyed,
/// each violation fails the test.
class CheckedBindings {
 public:
  explicit CheckedBindings(ProtocolCheckerOptions options = {}) : options_(options) {}
  CheckedBindings(const CheckedBindings&) = delete;
  CheckedBindings& operator=(const CheckedBindings&) = delete;
  ~CheckedBindings() {
    for (const BaseProtocolRules* rules : rules_)
      for (const ProtocolViolation& v : rules->violations())
        if (!expected_.contains(v.rule))
          ADD_FAILURE() << to_string(v.rule) << " at " << v.at << ", " << v.socket << ": " << v.text;
    for (const ProtocolRule rule : expected_) EXPECT_GT(count(rule), 0u) << to_string(rule) << " is kept";
  }

  template <typename InitiatorSocket, typename TargetSocket>
  const BaseProtocolRules& bind(InitiatorSocket& initiator, TargetSocket& target) {
    using Checker = BaseProtocolChecker<decltype(bus_width_of(initiator))::value>;
    auto checker = std::make_unique<Checker>(sc_core::sc_gen_unique_name("checker"), options_);
    initiator.bind(checker->target_socket);
    checker->initiator_socket.bind(target);
    rules_.push_back(&checker->rules());
    checkers_.push_back(std::move(checker));
    return *rules_.back();
  }
  /// This test breaks that rule on purpose: it fails if no violation is found.
  void expect(ProtocolRule rule) { expected_.insert(rule); }
  std::uint64_t count(ProtocolRule rule) const {
    std::uint64_t sum = 0;
    for (const BaseProtocolRules* rules : rules_) sum += rules->count(rule);
    return sum;
  }
  /// Transactions that have begun and not ended, at all bindings.
  std::size_t underway() const {
    std::size_t sum = 0;
    for (const BaseProtocolRules* rules : rules_) sum += rules->underway();
    return sum;
  }

 private:
  ProtocolCheckerOptions options_;
  std::vector<std::unique_ptr<sc_core::sc_module>> checkers_;
  std::vector<const BaseProtocolRules*> rules_;  ///< of each of them
  std::set<ProtocolRule> expected_;
};

}  // namespace flitmend
