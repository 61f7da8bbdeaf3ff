// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "protocols/recovery/registry.h"
#include "protocols/recovery/request_registers.h"
#include "protocols/recovery/sbrp/unit.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend {

/// What routers and interfaces have asked for, and what arrived of each packet.
struct RecoveryLog {
  struct Cut {
    Cycle t;
    NodeId at;
    CutMessage message;
  };
  struct Piece {
    Cycle t;
    NodeId source;
    std::uint32_t id;
    std::uint32_t flits;  ///< consumed, without the broken tail
    bool broken;
  };
  /// A packet of which nothing is left, and which did not arrive whole.
  struct Spent {
    NodeId source;
    std::uint32_t id;
    std::uint32_t flits;  ///< consumed, broken tails included
    bool control;
  };
  std::vector<Cut> cuts;
  std::vector<Piece> pieces;
  std::vector<Spent> spent;

  /// Cuts of one message.
  std::vector<Cut> of(NodeId source, std::uint32_t id) const {
    std::vector<Cut> found;
    for (const Cut& cut : cuts)
      if (cut.message.source == source && cut.message.id == id) found.push_back(cut);
    return found;
  }
};

/// Ends that send every message as one packet, never again, and record what they are told.
class RecordingEnds final : public InterfaceRecovery {
 public:
  RecordingEnds(NetworkInterface& interface, RecoveryLog& log)
      : interface_(interface), context_(interface.context()), log_(log) {}

  void send(MessageIndex original) override {
    const Message& kept = context_.messages[original];
    const MessageIndex packet = interface_.compose(kept.destination, kept.length, kept.kind,
                                                   std::max(kept.created, context_.next_cycle));
    context_.messages[packet].original = original;
    context_.messages[packet].id = context_.messages[original].id;
    interface_.push(packet, InjectionPriority::fresh);
  }
  void sent(Cycle, MessageIndex) override {}
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override {
    const Message& message = context_.messages[packet];
    log_.pieces.push_back({t, message.source, message.id, message.received - broken, broken});
    if (broken) {
      context_.broken.piece_ended(packet);
      return;
    }
    const MessageIndex original = message.original;
    if (original != kNoMessage) {
      context_.messages[original].hops = message.hops;
      interface_.place(original, 0, data_flits(message.length));
      interface_.deliver(original, t);
      context_.messages.release(original);
    }
    context_.messages.release(packet);
  }
  void spent(Cycle t, MessageIndex index) override {
    const Message& packet = context_.messages[index];
    log_.spent.push_back({packet.source, packet.id, packet.received, packet.kind == MessageKind::control});
    const MessageIndex original = packet.original;
    const bool unreachable = context_.messages.loss(index).unreachable;
    if (original == kNoMessage && packet.kind != MessageKind::control) {
      interface_.settle(index, t, unreachable);
      return;
    }
    context_.messages.release(index);
    if (original != kNoMessage) interface_.settle(original, t, unreachable);
  }
  void message_cut(Cycle t, const CutMessage& message) override {
    log_.cuts.push_back({t, interface_.node(), message});
  }
  void node_died(Cycle) override {}
  void evaluate(Cycle) override {}
  bool busy() const override { return false; }
  std::size_t waiting() const override { return 0; }
  void clear() override {}

 private:
  NetworkInterface& interface_;
  NetworkContext& context_;
  RecoveryLog& log_;
};

/// The routers of SBRP-1 with recording ends.
class RecordingProtocol final : public RecoveryProtocol {
 public:
  RecordingProtocol(unsigned head_wait, RecoveryLog& log)
      : RecoveryProtocol(recovery_protocols().at("sbrp-1").needs), head_wait_(head_wait), log_(log) {}
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<sbrp::Unit>(head_wait_);
  }
  UnitRegisters unit_registers() const override { return kRequestRegisters; }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<RecordingEnds>(interface, log_);
  }

 private:
  void equip(HardwareParameters& hardware, const Topology& topology) const override {
    BreakUnit::equip(hardware, topology);
  }

  unsigned head_wait_;
  RecoveryLog& log_;
};

}  // namespace flitmend
