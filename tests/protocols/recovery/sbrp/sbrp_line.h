// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {

/// A line with one of the three protocols. Keeps a log of the flits that its interfaces send and consume.
struct SbrpLine : LineBench {
  struct Settings {
    std::string protocol = "sbrp-2";
    std::string preset = "iq";
    RecoverySettings recovery = {};
    std::int64_t head_wait = 200;
  };
  struct Sight {
    Cycle cycle;
    NodeId node;
    bool sent;  ///< or consumed
    FlitKind kind;
    std::uint64_t word;
    std::uint32_t id;
  };

  SbrpLine() : SbrpLine(Settings()) {}
  explicit SbrpLine(const Settings& s) : LineBench(make(s), preset(s.preset.c_str())) {}
  static std::unique_ptr<RecoveryProtocol> make(const Settings& s) {
    RoutingSettings routing;
    routing.head_wait_cycles = s.head_wait;
    return recovery_protocols().at(s.protocol).make(s.recovery, routing);
  }
  void step() override {
    LineBench::step();
    const Cycle t = fabric.cycles() - 1;
    for (NodeId node = 0; node < fabric.node_count(); ++node) {
      NetworkInterface& i = fabric.network_interface(node);
      if (const Flit* const flit = i.injector.sent_flit())
        log.push_back({t, node, true, flit->kind, i.injector.last_word(), 0});
      if (const Flit* const flit = i.receiver.consumed_flit())
        log.push_back({t, node, false, flit->kind, i.receiver.last_word(), i.receiver.last_id()});
    }
  }
  /// The first such flit at or after cycle t; kNever if there is none.
  Cycle sent(NodeId node, FlitKind kind, Cycle t = 0) const { return find(node, true, kind, t); }
  Cycle consumed(NodeId node, FlitKind kind, Cycle t = 0) const { return find(node, false, kind, t); }
  Cycle find(NodeId node, bool sending, FlitKind kind, Cycle t) const {
    for (const Sight& s : log)
      if (s.node == node && s.sent == sending && s.kind == kind && s.cycle >= t) return s.cycle;
    return kNever;
  }

  std::vector<Sight> log;
};

}  // namespace flitmend
