// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_tlm/registers/router_rows.h"

namespace flitmend {

/// A head that asks for an output virtual channel.
struct VcRequest {
  std::uint16_t input;    ///< id of the input virtual channel
  std::uint16_t port;     ///< output port
  VcMask vcs;             ///< output virtual channels that would do, all free; not 0
  std::uint16_t granted;  ///< result: output id, kNoVc for none
};

/// Memory for the matching of the VC allocator, used for one port at a time. Between two calls `first` is all
/// kNoVc.
struct VcScratch {
  VcScratch(std::size_t ids, std::size_t vcs)
      : first(vcs ? ids / vcs : 0, kNoVc),
        next(ids),
        request_of(ids),
        requests(vcs * mask_words(static_cast<unsigned>(ids))),
        grants(ids),
        offered(mask_words(static_cast<unsigned>(ids))),
        served(offered) {}
  std::vector<std::uint16_t> first;       ///< by port: the first request for it
  std::vector<std::uint16_t> next;        ///< by request: the next one for the same port
  std::vector<std::uint16_t> request_of;  ///< by input id
  // Of IslipMasks: requesters and inputs are input ids, outputs are the virtual channels of the port.
  std::vector<Word> requests, grants, offered, served;
};

/// Memory for what a router needs within a cycle and not after it; one cycle at a time uses it.
struct RouterScratch {
  std::vector<VcRequest> requests;  ///< room for all ids
  VcScratch vc{0, 0};
  std::vector<VcMask> available;  ///< by candidate
  // Where masks take several words: input ids that ask for the crossbar, and those that cross.
  std::vector<Word> asking;
  std::vector<std::uint16_t> granted;
};

/// The shape of routers, and at which byte of their blocks each row of registers starts.
struct RouterLayout : RouterShape {
  /// Throws ConfigurationError where RouterShape does, or where the block is above 4 GB.
  RouterLayout(NetworkContext&, unsigned ports, bool has_local_port);

  template <class R>
  Size offset() const {
    if constexpr (kRowIndex<R> == 0) return 0;  // nothing to load for the header, which every step looks at
    return offsets[kRowIndex<R>];
  }

  std::array<Size, kRouterRows> offsets;  ///< bytes from the start of the block; the RouterHeader comes first
  Size route_bytes;                       ///< stride of rows::Routes
  Size hot_bytes;                         ///< what is prefetched: hot rows
  Size bytes;                             ///< of the block
  mutable RouterScratch scratch;
};

}  // namespace flitmend
