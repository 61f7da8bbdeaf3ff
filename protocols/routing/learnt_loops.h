// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bits.h"
#include "rtl_tlm/registers/unit_registers.h"

namespace flitmend {

/// What the routers of a network know of loops in probability-vector routing [AlSadi03 section 3]: the
/// destinations that each has found out of its reach, which belong to its faulty set. All of it is forgotten
/// when the faults change. Each router writes only its own entries.
struct LearntLoops {
  /// Hops beyond its distance after which a message counts as looping.
  std::uint64_t detour = 0;
  /// By router, a bit for each destination; empty: routers do not learn.
  std::vector<Word> destinations;
  std::vector<std::uint8_t> changed;  ///< by router: its faulty set, since its unit has computed from it
  std::vector<std::uint8_t> ever;     ///< by router: whether it has learnt anything in this run

  /// Nodes are routers.
  void start(RouterId routers) {
    words_ = mask_words(routers);
    destinations.assign(std::size_t{routers} * words_, 0);
    changed.assign(routers, 0);
    ever.assign(routers, 0);
  }
  bool knows(RouterId router, NodeId destination) const {
    return !destinations.empty() && test_bit(of(router), destination);
  }
  void add(RouterId router, NodeId destination) {
    set_bit(of(router), destination);
    changed[router] = ever[router] = 1;
  }
  void forget(RouterId router) {
    if (destinations.empty() || std::none_of(of(router), of(router) + words_, [](Word w) { return w != 0; }))
      return;
    std::fill_n(of(router), words_, 0);
    changed[router] = 1;
  }
  /// Calls f(destination) for each that the router has learnt.
  template <class F>
  void for_each(RouterId router, F&& f) const {
    if (!destinations.empty()) for_each_bit(of(router), words_, f);
  }
  bool any_ever() const {
    return std::any_of(ever.begin(), ever.end(), [](std::uint8_t e) { return e != 0; });
  }

 private:
  const Word* of(RouterId router) const { return destinations.data() + std::size_t{router} * words_; }
  Word* of(RouterId router) { return destinations.data() + std::size_t{router} * words_; }

  unsigned words_ = 0;
};

/// A recovery unit whose router learns from loops.
class LoopLearner : public RouterRecovery {
 public:
  /// Destinations that the router has found out of its reach.
  virtual unsigned learnt() const = 0;
};

/// Registers of such a unit.
inline constexpr RegisterEntry<UnitView> kLoopRegisters[] = {
    {.name = "learnt",
     .storage = Storage::object,
     .greatest = [](const UnitView& v) -> std::uint64_t { return v.layout().context.topology.node_count(); },
     .read = [](const UnitView& v) { return RegisterValue(v.unit<LoopLearner>().learnt()); },
     .purpose = "Destinations that count as faulty because a message to them has looped here.",
     .present = {.when = "`routing.learn_from_loops`", .holds = [](const UnitView&) { return true; }}},
};

}  // namespace flitmend
