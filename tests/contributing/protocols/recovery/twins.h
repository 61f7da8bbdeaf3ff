// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <set>
#include <utility>

#include "rtl_tlm/node/network_interface.h"

namespace flitmend {

/// Both ends at a node: the sending end sends two copies of every message, the receiving end takes the first
/// one that arrives whole.
class TwinEnds final : public InterfaceRecovery {
 public:
  explicit TwinEnds(NetworkInterface& interface) : interface_(interface), context_(interface.context()) {}

  void send(MessageIndex original) override;
  void sent(Cycle, MessageIndex) override {}
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void node_died(Cycle) override {}
  void evaluate(Cycle) override {}
  bool busy() const override { return false; }
  std::size_t waiting() const override { return 0; }
  void clear() override { arrived_.clear(); }

 private:
  using Name = std::pair<NodeId, std::uint32_t>;  ///< source and id
  Name name_of(MessageIndex packet) const {
    return {context_.messages[packet].source, context_.messages[packet].id};
  }

  NetworkInterface& interface_;
  NetworkContext& context_;
  std::set<Name> arrived_;  ///< messages of which only the first copy has arrived
};

}  // namespace flitmend
