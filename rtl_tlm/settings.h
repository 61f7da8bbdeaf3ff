// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/settings.h"
#include "rtl_tlm/interfaces/mechanism.h"
#include "rtl_tlm/signals/class_arbiter.h"

namespace flitmend {

/// Depth of each router stage in cycles; a stage of 0 happens in the same cycle as the one before it.
struct PipelineSettings {
  unsigned routing = 1;
  unsigned vc_allocation = 1;
  unsigned switch_allocation = 1;
  unsigned switch_traversal = 1;
  unsigned credit = 1;  ///< cycles from the arrival of a credit until a flit can use it

  /// Cycles of a head; credit processing is not included.
  unsigned sum() const { return routing + vc_allocation + switch_to_output(); }
  /// Cycles from the switch grant to the link or output buffer: the last two stages.
  unsigned switch_to_output() const { return switch_allocation + switch_traversal; }
  void visit(SettingsVisitor&);
};

/// router: … — the defaults are those of preset iq.
struct RouterSettings {
  std::string preset = "iq";
  unsigned virtual_channels = 4;
  unsigned input_buffer = 8;   ///< flits per virtual channel
  unsigned output_buffer = 0;  ///< flits per virtual channel; 0: none
  std::string switching = "wormhole";
  PipelineSettings pipeline;
  std::string vc_reallocation = "on-tail";
  std::string crossbar = "port";
  std::string vc_selection = "round-robin";
  unsigned allocator_iterations = 1;
  std::string arbitration = "round-robin";
  std::string busy = "wait";
  unsigned retry_backoff = 32;  ///< cycles: the longest wait before the first retry
  bool head_copy = false;

  /// The technique that `switching` names; wormhole if it names none.
  Switching technique() const;
  /// Whether a message is granted a virtual channel only if all of it fits in the next buffer.
  bool needs_whole_room() const { return flitmend::needs_whole_room(technique()); }
  bool reallocates_atomically() const { return vc_reallocation == "atomic"; }
  bool crossbar_by_vc() const { return crossbar == "virtual-channel"; }
  bool crossbar_input_per_vc() const { return crossbar == "virtual-channel-inputs"; }
  bool draws_vcs() const { return vc_selection == "random"; }
  /// The rule that `arbitration` names; round_robin if it names none.
  Arbitration arbitration_rule() const;
  /// What `busy` names; wait if heads reserve no paths.
  AtBusy at_busy() const;
  /// Whether a head goes back rather than wait for a channel.
  bool heads_go_back() const { return at_busy() != AtBusy::wait; }
  void visit(SettingsVisitor&);
};

/// link: …
struct LinkSettings {
  unsigned latency = 1;
  unsigned credit_latency = 0;
  unsigned flit_bytes = 8;

  /// Cycles that a credit takes on a link of that latency, without its processing: as long as a flit, unless
  /// credit_latency is given.
  unsigned credit_cycles(unsigned flit_cycles) const { return credit_latency ? credit_latency : flit_cycles; }
  /// Data bits of a flit, without the control wires of a link that identify the flit.
  unsigned flit_bits() const { return 8 * flit_bytes; }
  void visit(SettingsVisitor&);
};

/// network_interface: …
struct NetworkInterfaceSettings {
  std::string injection = "channel";
  unsigned injection_latency = 1;
  std::string ejection = "channel";
  unsigned ejection_latency = 1;
  unsigned receiver_latency = 1;
  unsigned source_queue = 0;
  std::string injection_limit = "none";
  unsigned reinjection_cycles = 0;

  /// Whether a node injects one message per virtual channel at a time.
  bool injects_in_parallel() const { return injection == "buffers"; }
  /// From the last router to the processing element: over the ejection channel and through the receiver.
  unsigned ejection_cycles() const { return ejection_latency + receiver_latency; }
  bool unlimited_ejection() const { return ejection == "unlimited"; }
  /// By InjectionLimit.
  bool limits_injection() const { return injection_limit == "alo"; }
  void visit(SettingsVisitor&);
};

/// The three sections that a router preset fills. The hardware uses them as they are read
/// (HardwareParameters).
struct HardwareSettings {
  RouterSettings router;
  LinkSettings link;
  NetworkInterfaceSettings network_interface;
};

/// Sets the keys of the named preset and leaves the others; false if there is no such preset.
bool apply_preset(const std::string& name, HardwareSettings&);
const std::vector<Choice>& router_presets();

}  // namespace flitmend
