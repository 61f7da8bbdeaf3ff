// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/router.h"
#include "traces/waves/wave_recorder.h"

namespace flitmend {

/// Registers the hardware's state with a recorder: routers, channels, network interfaces. Stays where it is
/// until the recording has ended, as do they.
///
/// Values are those at the end of a cycle's evaluation. A channel shows the flit that its reader takes in the
/// next cycle: what a register between the two holds. The granted input, and what an interface sent or
/// consumed, are those of the cycle itself.
class RouterProbes {
 public:
  RouterProbes(WaveRecorder&, const NetworkContext&);
  RouterProbes(const RouterProbes&) = delete;
  RouterProbes& operator=(const RouterProbes&) = delete;

  /// What is registered next is sampled with this group.
  void set_group(WaveRecorder::GroupId group) { group_ = group; }

  /// A port of a router: virtual channels, output, fault status.
  void add_port(ScopeId, const Router&, unsigned port);
  /// The flit register of a channel, sampled with the group of its reader; what add_flit_alias() takes.
  SignalId add_flit(ScopeId, const Channel&);
  void add_flit_alias(ScopeId, SignalId flit);
  /// The control lines that a channel has: those with the flits, sampled with the group of the reader, or
  /// those against them, with the writer's.
  void add_control_lines(ScopeId, const Channel&, bool with_flits);
  /// What a network interface sends and receives.
  void add_interface(ScopeId, const NetworkInterface&);

  /// Before every sample: the cycle that has been evaluated.
  void set_cycle(Cycle t) { now_ = t; }

 private:
  struct Vc {
    const RouterState* state;
    const MessagePool* messages;
    const Cycle* now;
    unsigned id;
    mutable MessageIndex message;  ///< of the head that passed last, for when its flits are elsewhere
    static Word read(const Vc&, Word*);
    static Word read_head_copy(const Vc&, Word*);
    static Word read_output(const Vc&, Word*);
  };
  struct Port {
    const RouterState* state;
    unsigned port;
    const Cycle* now;
    static Word read(const Port&, Word*);
  };
  struct Wire {
    const Channel* channel;
    const MessagePool* messages;
    const Cycle* now;
    ControlLine line;
    static Word read_flit(const Wire&, Word*);
    static Word read_line(const Wire&, Word*);
  };
  struct Interface {
    const NetworkInterface* interface;
    const MessagePool* messages;
    const Cycle* now;
    unsigned vc;
    static Word read_sent(const Interface&, Word*);
    static Word read_received(const Interface&, Word*);
    static Word read_lane(const Interface&, Word*);
  };

  ScopeId below(ScopeId scope, const std::string& name) { return recorder_.tree().scope(scope, name); }
  const WaveEnum& input_vc_words(const Router&);
  std::vector<WaveRecorder::Field> flit_fields() const;

  WaveRecorder& recorder_;
  const NetworkContext& context_;
  WaveRecorder::GroupId group_ = 0;
  Cycle now_ = 0;
  SignalKind node_;
  // Deques: what is registered must not move.
  std::deque<Vc> vcs_;
  std::deque<Port> ports_;
  std::deque<Wire> wires_;
  std::deque<Interface> interfaces_;
  std::deque<std::string> texts_;
  std::map<std::string, WaveEnum> input_vc_words_;  ///< by the names of a router's ports
};

}  // namespace flitmend
