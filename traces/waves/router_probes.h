// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rtl_tlm/channel_registers.h"
#include "rtl_tlm/interface_registers.h"
#include "rtl_tlm/registers/register_map.h"
#include "rtl_tlm/router.h"
#include "traces/waves/wave_recorder.h"

namespace flitmend {

/// Registers the hardware's register maps with a recorder: routers, channels, network interfaces. Stays where
/// it is until the recording has ended, as do they.
///
/// Values are those at the end of a cycle's evaluation. A channel shows the flit that its reader takes in the
/// next cycle: what a register between the two holds. The granted input, and what an interface sent or
/// consumed, are those of the cycle itself.
class RouterProbes {
 public:
  explicit RouterProbes(WaveRecorder& recorder) : recorder_(recorder) {}
  RouterProbes(const RouterProbes&) = delete;
  RouterProbes& operator=(const RouterProbes&) = delete;

  /// What is registered next is sampled with this group.
  void set_group(WaveRecorder::GroupId group) { group_ = group; }

  /// A port of a router: virtual channels, output, fault status.
  void add_port(ScopeId, const Router&, unsigned port);
  /// The flit register of a channel, sampled with the group of its reader; what add_flit_alias() takes.
  SignalId add_flit(ScopeId, const Channel&, const Router& reader);
  void add_flit_alias(ScopeId, SignalId flit, const Channel&, const Router& reader);
  /// The control lines that a channel has: those with the flits, sampled with the group of the reader, or
  /// those against them, with the writer's.
  void add_forward_lines(ScopeId, const Channel&, const Router& reader);
  void add_backward_lines(ScopeId, const Channel&, const Router& writer);
  /// What a network interface sends and receives.
  void add_interface(ScopeId, const NetworkInterface&, const Router&);

 private:
  /// The words of a router's ports and virtual channels: "east", "east.vc1".
  struct PortWords {
    WaveEnum ports, vcs;
  };

  template <const auto& kEntries, class Owner>
  SignalId add(ScopeId, const Router&, const Owner&);
  template <class Entries, class Owner>
  std::vector<WaveRecorder::Field> fields_of(const Entries&, const Router&, const Owner&);
  SignalKind kind_of(RegisterForm, unsigned width, const Router&);
  const PortWords& words_of(const Router&);
  ScopeId below(ScopeId scope, const std::string& name) { return recorder_.tree().scope(scope, name); }

  WaveRecorder& recorder_;
  WaveRecorder::GroupId group_ = 0;
  // Deques: what is registered must not move.
  std::tuple<std::deque<VirtualChannel>, std::deque<OutputVirtualChannel>, std::deque<PortView>,
             std::deque<ChannelEnd>, std::deque<InterfacePart>>
      owners_;
  std::deque<std::string> texts_;
  std::map<std::string, PortWords> port_words_;  ///< by the names of a router's ports
};

}  // namespace flitmend
