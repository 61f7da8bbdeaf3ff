// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/worker_pool.h"
#include "rtl_tlm/fabric/cut_registers.h"
#include "rtl_tlm/fabric/thread_trial.h"
#include "rtl_tlm/registers/router_state.h"
#include "rtl_tlm/router/router_turns.h"

namespace flitmend {

class BrokenMessages;
struct NetworkContext;

/// How many threads evaluate the routers of a fabric.
struct ThreadCount {
  unsigned most = 1;      ///< at least 1
  bool measured = false;  ///< only while that is faster than one thread
};

/// Evaluates the routers of a fabric on several threads, with the same results as one thread. Every thread
/// has a partition: a range of router numbers, with its own scratch memory and CutRegisters. A router whose
/// next step may touch what routers share is left for the calling thread: control signals, recovery units,
/// discarded flits, routers of the user's. docs/performance.md has more.
class RouterPartitions {
 public:
  /// Where routers announce what they send: the fabric's masks by router and by interface, each a ring by
  /// word.
  struct Masks {
    unsigned ring;  ///< slots
    std::span<Word> routers, interface_flits, interface_credits;
  };

  /// `routers`: their registers, by RouterId; all outlive this. At least two threads. Changes the wiring of
  /// the routers' ports: their channels must be bound.
  RouterPartitions(NetworkContext&, std::span<const RouterState> routers, const Masks&, ThreadCount);
  ~RouterPartitions();

  /// Whether the routers of such a network can be evaluated in partitions.
  static bool possible(std::span<const RouterState> routers);

  /// Evaluates cycle t of the routers in the mask `now`, and sets those with work in the next cycle in
  /// `active`. The turns are those within each partition.
  void evaluate(Cycle t, std::span<const Word> now, std::span<Word> active, RouterTurns turns);

  unsigned partitions() const { return static_cast<unsigned>(partitions_.size()); }
  /// Cycles in which several threads have evaluated routers.
  std::uint64_t threaded_cycles() const { return threaded_cycles_; }

 private:
  /// In memory of its own: no cache line of it belongs to two threads.
  struct alignas(128) Partition {
    Partition(RouterId begin, RouterId after, unsigned ring) : first(begin), end(after), cut(ring) {}
    RouterId first, end;
    std::map<const RouterLayout*, std::unique_ptr<RouterLayout>> layouts;  ///< with its scratch memory
    std::vector<RouterState> routers;                                      ///< from the first word's first on
    std::vector<Word> active, alone;  ///< by word, from that of `first`: results of a cycle
    PostponedSteps postponed;
    CutRegisters cut;
  };

  std::vector<RouterId> bounds(unsigned partitions) const;
  void add(RouterId first, RouterId end, NetworkContext&);
  void redirect(Partition&, RouterId, const Masks&);
  /// Whether a word of a ring is written by that partition alone.
  bool owns(const Partition&, const Masks&, const Word* ring) const;
  void evaluate(Partition&, Cycle t, const Word* now, RouterTurns) const;
  void evaluate_rest(Cycle t, std::span<Word> active);

  BrokenMessages& broken_;
  std::span<const RouterState> routers_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::unique_ptr<WorkerPool> pool_;  ///< from the first cycle that uses it on
  std::optional<ThreadTrial> trial_;
  std::uint64_t threaded_cycles_ = 0;
};

}  // namespace flitmend
