// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router_layout.h"

#include <algorithm>
#include <boost/format.hpp>

#include "base/errors.h"
#include "rtl_tlm/context.h"

namespace flitmend {
namespace {

/// A router's registers, in bytes: more is a mistake in the settings.
constexpr std::size_t kLargestBlock = std::size_t{4} << 30;
/// Routers with so many ports, or slots of channels so long, that what a cycle may look at takes more than
/// this would drive each other out of the cache.
constexpr std::size_t kMostPrefetched = 4096;

}  // namespace

RouterLayout::RouterLayout(NetworkContext& c, unsigned port_count, bool has_local_port)
    : context(c),
      messages(c.messages),
      ports(port_count),
      local_port(has_local_port ? port_count - 1 : kNoPort),
      vcs(c.hardware.vcs),
      ids(port_count * vcs),
      vc_words(mask_words(std::max(1u, port_count * c.hardware.vcs))),
      port_words(mask_words(std::max(1u, port_count))),
      input_buffer(c.hardware.input_buffer),
      output_buffer(c.hardware.output_buffer),
      max_candidates(c.routing.max_candidates()),
      classes(c.routing.classes()),
      routing_cycles(c.hardware.routing),
      vc_allocation_cycles(c.hardware.vc_allocation),
      switch_cycles(c.hardware.switch_to_output),
      ejection_cycles(c.hardware.switch_to_output + c.hardware.ejection_latency +
                      c.hardware.receiver_latency),
      ring(c.hardware.ring),
      allocator_iterations(c.hardware.allocator_iterations),
      switching(c.hardware.switching),
      atomic(c.hardware.atomic_reallocation),
      crossbar_by_vc(c.hardware.crossbar_by_vc),
      looks_at_outputs(c.routing.looks_at_outputs()),
      has_head_copies(c.hardware.head_copy) {
  if (ids >= kNoVc)
    throw ConfigurationError(
        (boost::format("router.virtual_channels: %1% on each of %2% ports are %3% virtual channels a router; "
                       "at most 65534 can be told apart: take fewer") %
         vcs % ports % ids)
            .str());
  const bool one_word = vc_words == 1 && port_words == 1;
  path = !one_word ? CyclePath::any : output_buffer > 0 ? CyclePath::one_word : CyclePath::plain;
  for (unsigned id = 0; id < ids; ++id)
    place.push_back({static_cast<std::uint16_t>(id / vcs), static_cast<std::uint16_t>(id % vcs)});
  first_ids = vc_words == 1 ? every_bit(port_count, c.hardware.vcs) : 0;
  scratch.requests.resize(ids);
  scratch.vc = VcScratch(ids);
  scratch.available.resize(max_candidates);
  scratch.asking.resize(vc_words);
  scratch.granted.resize(ids);

  std::size_t size = sizeof(RouterHeader);
  const auto add = [&](Size& at, std::size_t alignment, std::size_t row_bytes) {
    size = (size + alignment - 1) / alignment * alignment;
    at = size;
    size += row_bytes;
  };
  const auto row = [&]<class T>(Size& at, std::size_t count) { add(at, alignof(T), count * sizeof(T)); };
  const std::size_t all_ids = ids;
  row.operator()<Word>(arrivals, std::size_t{2} * ring);
  row.operator()<Flit>(arrived_flits, std::size_t{ring} * ports);
  row.operator()<OutputVcState>(output, ids + 1);
  row.operator()<PortArbiter>(arbiter, ports);
  row.operator()<Word>(wanted, vc_words == 1 ? ports : 0);
  row.operator()<InputVcState>(input, ids);
  row.operator()<PortState>(port, ports);
  add(input_flits, 64, all_ids * input_buffer * sizeof(Flit));
  hot_bytes = std::min<std::size_t>(input_flits + all_ids * sizeof(Flit), kMostPrefetched);
  route_bytes = sizeof(HeadRoute) + max_candidates * sizeof(RouteCandidate);
  add(route, 32, all_ids * route_bytes);  // with one candidate two stand in a cache line
  row.operator()<VcPointers>(vc_pointers, ids);
  row.operator()<VcMask>(port_vcs, std::size_t{ports} * (1 + classes));
  row.operator()<VcMasks>(masks, vc_words - 1);
  row.operator()<Word>(absorbing, vc_words);
  row.operator()<Word>(control, 2 * port_words * ring);
  row.operator()<Word>(arrived_vcs, vc_words == 1 ? 0 : std::size_t{2} * ports * ring);
  row.operator()<PortExtras>(extras, ports);
  row.operator()<OutputBuffer>(queue, output_buffer > 0 ? ids : 0);
  row.operator()<Flit>(output_flits, all_ids * output_buffer);
  row.operator()<Cycle>(output_ready, all_ids * output_buffer);
  row.operator()<HeadCopy>(head_copy, has_head_copies ? ids : 0);
  row.operator()<std::uint64_t>(holder_state, looks_at_outputs ? ids : 0);
  row.operator()<PortChannels>(channels, ports);
  size = (size + 63) / 64 * 64;
  if (size > kLargestBlock)
    throw ConfigurationError(
        (boost::format("router.input_buffer, router.output_buffer: the buffers of a router with %1% ports of "
                       "%2% virtual channels would take %3% GB; at most 4: take smaller ones") %
         ports % vcs % ((size + (std::size_t{1} << 30) - 1) >> 30))
            .str());
  bytes = size;
}

}  // namespace flitmend
