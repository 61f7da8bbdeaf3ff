// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "rtl_tlm/hierarchy/register_owners.h"
#include "rtl_tlm/hierarchy/register_tree.h"
#include "rtl_tlm/registers/unit_registers.h"
#include "traces/waves/signal_tree.h"
#include "traces/waves/wave_recorder.h"

namespace flitmend {

// The words and colours of the hardware's enums.
const WaveEnum& route_fsm_words();
const WaveEnum& pipeline_stage_words();
const WaveEnum& flit_kind_words();

/// Adds the hardware's register maps to a recorder: routers, channels, network interfaces. Neither it nor
/// they may move or end before the recording has ended.
///
/// Values are those at the end of a cycle. A channel shows the flit that its reader takes in the next cycle,
/// like a register between the two. The granted input, and what an interface sent or consumed, are those of
/// the cycle itself.
class RouterProbes {
 public:
  RouterProbes(WaveRecorder&, const Topology&);
  RouterProbes(const RouterProbes&) = delete;
  RouterProbes& operator=(const RouterProbes&) = delete;

  // This class is a visitor for register_tree.h and fabric_registers.h.
  using Scope = ScopeId;
  Scope below(Scope scope, const std::string& name) { return recorder_.tree().scope(scope, name); }
  Scope below(Scope scope, sc_core::sc_module& module) { return below(scope, module.basename()); }
  Scope below_vc(Scope scope, unsigned vc) { return below(scope, vc_name(vc)); }
  /// What is added next is sampled with the group of this router; groups are numbered like routers.
  void begin(const Router& router) { group_ = router.id(); }
  template <const auto& kEntries, class Owner>
  SignalId add(Scope, const Router&, const Owner&);
  void add_unit(Scope, const Router&, const UnitRegisterRecord&);
  /// Gives registers another name; `first`: what add() returned for them.
  template <const auto& kEntries, class Owner>
  void add_again(Scope scope, SignalId first, const Router& router, const Owner& owner) {
    recorder_.add_alias(scope, first, fields_of(kEntries, router, owner));
  }

 private:
  /// The words of a router's ports and virtual channels: "east", "east.vc1".
  struct PortWords {
    WaveEnum ports, vcs;
  };

  template <class Entries, class Owner>
  std::vector<WaveRecorder::Field> fields_of(const Entries&, const Router&, const Owner&);
  static bool none_shown(const std::vector<WaveRecorder::Field>& fields) {
    return std::ranges::none_of(fields, [](const auto& field) { return field.kind.width > 0; });
  }
  SignalKind kind_of(RegisterForm, unsigned width, const Router&);
  const PortWords& words_of(const Router&);

  WaveRecorder& recorder_;
  WaveRecorder::GroupId group_ = 0;
  RegisterOwners owners_;
  std::deque<std::string> texts_;                ///< names must not move either
  std::map<std::string, PortWords> port_words_;  ///< by the names of a router's ports
  WaveEnum node_words_;                          ///< "3,4" of router_3_4; none in a large network
};

template <class Entries, class Owner>
std::vector<WaveRecorder::Field> RouterProbes::fields_of(const Entries& entries, const Router& router,
                                                         const Owner& owner) {
  std::vector<WaveRecorder::Field> fields;
  for (const auto& entry : entries) {
    fields.push_back({entry.name, {}});
    if (entry.readable(owner))
      fields.back().kind = kind_of(entry.form, register_width(entry, owner), router);
    else
      fields.back().kind.width = 0;
  }
  return fields;
}

template <const auto& kEntries, class Owner>
SignalId RouterProbes::add(ScopeId scope, const Router& router, const Owner& owner) {
  const auto fields = fields_of(kEntries, router, owner);
  if (none_shown(fields)) return 0;
  const Owner& kept = owners_.keep(owner);
  return recorder_.add_record<&read_registers<kEntries, Owner>>(group_, scope, fields, &kept);
}

inline void RouterProbes::add_unit(ScopeId scope, const Router& router, const UnitRegisterRecord& record) {
  const auto fields = fields_of(record.entries, router, record.unit);
  if (none_shown(fields)) return;
  recorder_.add_record<&read_unit_registers>(group_, scope, fields, &owners_.keep(record));
}

}  // namespace flitmend
