// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "support/base_protocol_checker.h"

namespace flitmend {

/// Binds initiator sockets to target sockets with a BaseProtocolChecker in between. When it is destroyed,
/// each violation fails the test.
class CheckedBindings {
 public:
  explicit CheckedBindings(ProtocolCheckerOptions options = {}) : options_(options) {}
  CheckedBindings(const CheckedBindings&) = delete;
  CheckedBindings& operator=(const CheckedBindings&) = delete;
  ~CheckedBindings() {
    for (const auto& checker : checkers_)
      for (const ProtocolViolation& v : checker->rules().violations())
        if (!expected_.contains(v.rule))
          ADD_FAILURE() << to_string(v.rule) << " at " << v.at << ", " << v.socket << ": " << v.text;
    for (const ProtocolRule rule : expected_) EXPECT_GT(count(rule), 0u) << to_string(rule) << " is kept";
  }

  template <typename InitiatorSocket, typename TargetSocket>
  const BaseProtocolRules& bind(InitiatorSocket& initiator, TargetSocket& target) {
    checkers_.push_back(
        std::make_unique<BaseProtocolChecker<>>(sc_core::sc_gen_unique_name("checker"), options_));
    initiator.bind(checkers_.back()->target_socket);
    checkers_.back()->initiator_socket.bind(target);
    return checkers_.back()->rules();
  }
  /// This test breaks that rule on purpose: it fails if no violation is found.
  void expect(ProtocolRule rule) { expected_.insert(rule); }
  std::uint64_t count(ProtocolRule rule) const {
    std::uint64_t sum = 0;
    for (const auto& checker : checkers_) sum += checker->rules().count(rule);
    return sum;
  }
  /// Transactions that have begun and not ended, at all bindings.
  std::size_t underway() const {
    std::size_t sum = 0;
    for (const auto& checker : checkers_) sum += checker->rules().underway();
    return sum;
  }

 private:
  ProtocolCheckerOptions options_;
  std::vector<std::unique_ptr<BaseProtocolChecker<>>> checkers_;
  std::set<ProtocolRule> expected_;
};

}  // namespace flitmend
