// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/context.h"
#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/router.h"

namespace flitmend {

/// A router's clock cycle, step by step (evaluate).
///
/// This is the per-flit path. It uses only the router's registers, not the objects of its parts. kOneWord:
/// masks of ports and of virtual channels take one word each, as in most routers. kPlain: kOneWord, and the
/// router has no output buffers and no recovery unit. kTails: signals follow tails (TailSignals). kCopies:
/// flits have copies (Copies). kCircuits: control flits go back over paths (Circuits). kNarrow:
/// links are narrower than flits (NarrowLinks). Without kOneWord, any of the last four may be.
template <bool kOneWord, bool kPlain, bool kTails, bool kCopies, bool kCircuits, bool kNarrow>
class RouterCycle {
 public:
  /// True if work remains even if nothing arrives.
  static bool run(RouterState, Cycle);

 private:
  // An object holds the local variables of a cycle. It is passed only to inlined functions, so it stays in
  // CPU registers.
  RouterCycle(const RouterState& state, Cycle t)
      : s_(state),
        l_(state.layout()),
        h_(s_.header()),
        t_(t),
        slot_(static_cast<unsigned>(t & (l_.ring - 1))) {}

  bool evaluate();
  Router& router() const { return static_cast<Router&>(*h_.router); }
  RouterRecovery* recovery() const { return kPlain ? nullptr : router().recovery_; }
  bool follows_tails() const { return kTails && (kOneWord || l_.tail_shadows); }
  bool has_circuits() const { return kCircuits && (kOneWord || l_.complementary); }
  bool has_narrow_links() const { return kNarrow && (kOneWord || l_.narrow_links); }
  bool keeps_copies() const { return kCopies && (kOneWord || l_.keeps_copies); }
  unsigned words() const { return kOneWord ? 1 : l_.vc_words; }
  VcMasks& masks(unsigned word) { return kOneWord ? h_.masks : s_.masks(word); }
  VcMasks& masks_of(unsigned id) { return s_.template masks_of<kOneWord>(id); }

  // Arrivals
  void receive_control();
  void receive_credits();
  void receive_tail_signals();
  void receive_flits();
  template <class Take>
  void for_each_arrival(Arrival, const Take&);

  // Recovery
  void evaluate_recovery();
  void send_control_flits();
  void absorb();
  void free_copies();

  // Route computation and VC allocation
  void allocate_vcs();
  [[gnu::noinline]] static void allocate_pending(RouterState, Cycle);
  void allocate_pending();
  void compute_route(unsigned id);
  unsigned request_vc(unsigned id, VcRequest*);
  [[gnu::noinline]] static unsigned request_one_or_all(RouterState, Cycle, unsigned id, std::uint32_t length,
                                                       VcRequest*);
  unsigned request_preferred(unsigned id, std::uint32_t length, VcRequest&);
  unsigned request_all(unsigned id, std::uint32_t length, VcRequest*);
  unsigned ask_for(unsigned id, const RouteCandidate&, VcMask free, VcRequest&);
  VcMask available(const RouteCandidate&, std::uint32_t length);
  void grant_vc(unsigned id, unsigned output_id);
  RouteRequest route_request(unsigned id);

  // Switch allocation and traversal
  void allocate_switch();
  void cross(unsigned id, unsigned port);
  void eject(unsigned id);
  const Flit& dequeue(unsigned id);
  void after_departure(unsigned id, unsigned output_id, const Flit&);
  void write_head(unsigned id, MessageIndex head);

  // Links
  Word arbitrate_links();

  RouterState s_;
  const RouterLayout& l_;
  RouterHeader& h_;
  const Cycle t_;
  const unsigned slot_;
};

}  // namespace flitmend
