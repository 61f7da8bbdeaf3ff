// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/router_layout.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

/// Limit for the registers of a router, in bytes: more is a mistake in the settings.
constexpr std::size_t kLargestBlock = std::size_t{4} << 30;
/// Limit for what is prefetched of a router, in bytes. Larger hot rows (many ports, or very long channels)
/// would evict each other from the first-level cache. With deep output buffers the cycle of a
/// router is slow enough that fetching the rows of the next one into the second-level cache pays.
constexpr std::size_t kMostPrefetched = 4096, kMostPrefetchedDeep = 65536;

constexpr std::size_t aligned(std::size_t byte, std::size_t alignment) {
  return (byte + alignment - 1) / alignment * alignment;
}

}  // namespace

RouterLayout::RouterLayout(NetworkContext& c, unsigned port_count, bool has_local_port)
    : RouterShape(c, port_count, has_local_port), route_bytes(rows::Routes::stride(*this)) {
  scratch.requests.resize(ids * (requests_all ? max_candidates : 1));
  scratch.vc = VcScratch(ids, vcs, requests_all);
  scratch.available.resize(max_candidates);
  scratch.asking.resize(vc_words);
  scratch.granted.resize(ids);
  if (c.hardware.classes.ordered()) {
    scratch.matches.resize(ports);
    for (auto* list : {&scratch.outputs, &scratch.offered}) list->reserve(ports);
    scratch.vc.next.resize(scratch.requests.size());
  }

  std::size_t end = 0, hot_end = 0;
  for_each_row([&]<class R>() {
    const std::size_t count = R::count(*this);
    const std::size_t start = aligned(end, R::kAlignment);
    offsets[kRowIndex<R>] = start;
    end = start + count * R::stride(*this);
    present |= Size{count > 0} << kRowIndex<R>;
    if constexpr (requires { R::kWithdrawn; })
      if (count > 0) {
        withdrawn = R::kWithdrawn;
        withdraws = true;
        if constexpr (requires { R::kWithdrawnCycles; }) withdrawn_cycles = R::kWithdrawnCycles;
      }
    if constexpr (requires { R::kHooks; })
      if (count > 0) {
        mechanisms.push_back(&R::kHooks);
        if (R::kHooks.before_routing) before_routing = R::kHooks.before_routing;
      }
    if constexpr (R::kHeat == Heat::hot) hot_end = start + R::hot_count(*this, count) * R::stride(*this);
  });
  bytes = aligned(end, 64);
  hot_bytes = std::min(hot_end, deep_output_buffers() ? kMostPrefetchedDeep : kMostPrefetched);
  if (bytes > kLargestBlock)
    throw KeyError("router.input_buffer",
                   formatted("with router.output_buffer, the buffers of a router with %1% ports of %2% "
                             "virtual channels would take %3% GB; at most 4: use smaller ones",
                             ports, vcs, (bytes + (std::size_t{1} << 30) - 1) >> 30),
                   {"router.output_buffer", "router.virtual_channels"});
}

}  // namespace flitmend
