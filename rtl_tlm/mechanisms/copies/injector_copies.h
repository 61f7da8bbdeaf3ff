// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/injector_mechanism.h"
#include "rtl_tlm/registers/router_layout.h"
#include "rtl_tlm/signals/cut_message.h"
#include "rtl_tlm/signals/ring_queue.h"

namespace flitmend {

/// An injector as router A of Copies: which flits have left it that the router after that of the node may not
/// have. If the node's router dies, the node sends those again.
class InjectorCopies : public InjectorMechanism {
 public:
  explicit InjectorCopies(const RouterLayout&);

  ControlLine line() const override { return ControlLine::copied; }
  void line_arrived(VcMask vcs) override;
  bool needs_room_signal() const override { return true; }
  bool asks_for_parts() const override { return true; }
  void head_left(unsigned vc, MessageIndex packet) override;
  void tail_left(Cycle, unsigned vc, MessageIndex packet, std::uint32_t flits, bool virtual_tail) override;
  void router_failed(Cycle, InterfaceRecovery*) override;
  void clear() override;

  /// Flits sent on a virtual channel for which COPIED has not arrived. `next_flit`: of the packet that is
  /// being sent there.
  std::uint32_t uncopied(unsigned vc, std::uint32_t next_flit) const;

 private:
  /// A packet of which flits have left.
  struct Packet {
    SentPacket copy;         ///< its count: flits for which COPIED has arrived
    std::uint32_t sent = 0;  ///< once its last flit has left: how many it has; else 0
  };

  const MessagePool& messages_;
  std::vector<RingQueue<Packet>> packets_;  ///< by virtual channel, the oldest first
};

}  // namespace flitmend
