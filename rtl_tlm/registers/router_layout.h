// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_tlm/interfaces/injector_mechanism.h"
#include "rtl_tlm/registers/postponed_steps.h"
#include "rtl_tlm/registers/router_rows.h"
#include "rtl_tlm/signals/control_line.h"

namespace flitmend {

class RouterState;

/// A head's request for an output virtual channel.
struct VcRequest {
  std::uint16_t input;          ///< id of the input virtual channel
  std::uint16_t port;           ///< output port
  VcMask vcs;                   ///< acceptable output virtual channels, all free; not 0
  std::uint16_t granted;        ///< result: output id, kNoVc for none
  std::uint16_t candidate = 0;  ///< index of the head's candidate; only if heads request all candidates
};

/// Memory for the matching of the VC allocator: for one port at a time or, if heads make requests at several
/// ports (`all_ports`), for all of them together. Between calls all of `first` is kNoVc.
struct VcScratch {
  VcScratch(std::size_t ids, std::size_t vcs, bool matches_all_ports = false)
      : all_ports(matches_all_ports),
        first(vcs ? ids / vcs : 0, kNoVc),
        next(ids),
        request_of(ids),
        requests((all_ports ? ids : vcs) * mask_words(static_cast<unsigned>(ids))),
        grants(ids * (all_ports ? mask_words(static_cast<unsigned>(ids)) : 1)),
        offered(mask_words(static_cast<unsigned>(ids))),
        served(offered),
        open(offered) {}
  bool all_ports;
  std::vector<std::uint16_t> first;       ///< by port: the first request for it
  std::vector<std::uint16_t> next;        ///< by request: the next one for the same port
  std::vector<std::uint16_t> request_of;  ///< by input id
  // For IslipMasks: requesters and inputs are input ids, outputs are the virtual channels of the port, or of
  // all ports.
  std::vector<Word> requests, grants, offered, served, open;
};

/// Temporary memory that a router needs only within a cycle. Routers that are evaluated one at a time share
/// it.
struct RouterScratch {
  std::vector<VcRequest> requests;  ///< room for what all ids can request
  VcScratch vc{0, 0};
  std::vector<VcMask> available;  ///< by candidate
  // If masks take several words: input ids that request the crossbar, and those that are granted.
  std::vector<Word> asking;
  std::vector<std::uint16_t> granted;
  /// The matching of a switch allocator that chooses by class or age, by port.
  struct PortMatch {
    std::uint16_t requesting = 0;  ///< as an output: classes that make requests
    std::uint16_t offer = kNoVc;   ///< as an input: the id that it accepts, so far
    bool taken = false;            ///< as an input: it has accepted
  };
  std::vector<PortMatch> matches;  ///< empty without such an allocator
  std::vector<std::uint16_t> outputs, offered;
  PostponedSteps* postponed = nullptr;  ///< null: nothing is, as all routers are evaluated one at a time
};

/// What a mechanism adds to the steps of a router, and to what is asked of it; null: nothing. For steps that
/// most flits do not cause. Those of the cycle take the handle by value: the cycle's own stays in CPU
/// registers. A row of the mechanism has them (Row::kHooks).
struct MechanismHooks {
  /// The head at the front of an input virtual channel starts route computation.
  void (*before_routing)(RouterState, unsigned input_id) = nullptr;
  /// A flit at the front of an input virtual channel is discarded. True: no credit is to be returned for it.
  bool (*discarded)(RouterState, Cycle, unsigned input_id, const Flit&) = nullptr;
  /// A flit arrives from the injector, while RouterHeader::alters_arrivals.
  void (*alter)(RouterState, unsigned input_id, Flit&) = nullptr;
  /// Control lines have arrived at the output of a port. Those of the recovery unit were taken before.
  void (*control_arrived)(RouterState, Cycle, unsigned port) = nullptr;
  /// The router is dead: what is in an input virtual channel, and still to come, is lost.
  void (*lost)(RouterState, unsigned input_id) = nullptr;
  /// The output virtual channel is free, with all its credits: nothing under way to it is about what comes
  /// now.
  void (*restored)(RouterState, unsigned output_id) = nullptr;
  /// Virtual channels that are not free to forget the last message, although it has left.
  unsigned (*busy_vcs)(const RouterState&) = nullptr;
  /// The node has received a packet whose tail came from an input virtual channel. True: the router has work.
  bool (*packet_received)(RouterState, Cycle, unsigned input_id, MessageIndex) = nullptr;
  /// Whether recovery goes on in the router, although no message is there.
  bool (*recovering)(const RouterState&) = nullptr;
  /// Whether the next cycle may change what routers share, besides their channels; null: no cycle does.
  bool (*touches_shared)(const RouterState&) = nullptr;
  /// Control flits that the router has sent.
  std::uint64_t (*control_flits)(const RouterState&) = nullptr;
  /// Adds the pulses of control lines that their channels do not count.
  void (*add_pulses)(const RouterState&, ControlLinePulses&) = nullptr;
  /// Its part of the injector of a node with such a router.
  std::unique_ptr<InjectorMechanism> (*for_injector)(const RouterState&, InjectorGates&) = nullptr;
};

/// The shape of routers, and the offset of each row of registers in their blocks.
struct RouterLayout : RouterShape {
  /// Throws ConfigurationError if RouterShape does, or if the block exceeds 4 GB.
  RouterLayout(NetworkContext&, unsigned ports, bool has_local_port);

  template <class R>
  Size offset() const {
    if constexpr (kRowIndex<R> == 0) return 0;  // no load for the header, which every step uses
    return offsets[kRowIndex<R>];
  }

  /// Whether these routers have that row.
  template <class R>
  bool has() const {
    static_assert(kRouterRows <= 64);
    return present >> kRowIndex<R> & 1;
  }

  std::array<Size, kRouterRows> offsets;  ///< bytes from the start of the block; the RouterHeader comes first
  Size route_bytes;                       ///< stride of rows::Routes
  Size hot_bytes;                         ///< what is prefetched: the hot rows
  Size bytes;                             ///< of the block
  RouteFsm withdrawn = RouteFsm::backup;  ///< of a head that a mechanism has taken out of route computation
  bool withdraws = false;                 ///< whether one may
  Size withdrawn_cycles = 0;              ///< for how long, if that is timed
  Size present = 0;                       ///< mask of the rows that are not empty
  std::vector<const MechanismHooks*> mechanisms;                     ///< those that these routers have
  void (*before_routing)(RouterState, unsigned input_id) = nullptr;  ///< of one of them
  mutable RouterScratch scratch;
};

}  // namespace flitmend
