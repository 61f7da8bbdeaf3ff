// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/parts/vc_allocator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "rtl_tlm/router/parts/islip.h"

namespace flitmend {

VcAllocator::VcAllocator(unsigned ids, unsigned vcs, unsigned iterations, VcScratch* scratch)
    : shape_{ids, vcs, iterations},
      registers_(ids),
      own_scratch_(scratch ? 0 : ids, vcs),
      scratch_(scratch ? scratch : &own_scratch_) {
  reset();
}

void VcAllocator::reset() {
  std::fill(registers_.begin(), registers_.end(), VcPointers::power_up(shape_.ids));
}

/// Inputs are heads, named by their ids; outputs are the virtual channels of one port.
struct VcAllocator::Sides {
  static constexpr Word requesters = 1;
  VcPointers* registers;
  unsigned base;  ///< id of the port's first virtual channel
  std::span<Request> requests;
  const std::uint16_t* request_of;  ///< by input

  unsigned input_of(unsigned id) const { return id; }
  unsigned first_requester(unsigned input) const { return input; }
  unsigned grant_pointer(unsigned vc) const { return registers[base + vc].input; }
  unsigned accept_pointer(unsigned input) const { return last_in_port(registers[input].output, base); }
  unsigned chosen(unsigned input, const Word*) const { return input; }
  void match(unsigned input, unsigned vc, unsigned, bool first) const {
    requests[request_of[input]].granted = static_cast<std::uint16_t>(base + vc);
    if (first) update_pointers(registers, input, base + vc);
  }
};

template <class Widths>
void VcAllocator::match_port(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                             std::span<Request> requests, unsigned leader, const Widths& widths) {
  Word open = 0;
  const IslipMasks<Widths> masks{widths,
                                 scratch.requests.data(),
                                 &open,
                                 scratch.grants.data(),
                                 scratch.offered.data(),
                                 scratch.served.data()};
  for (unsigned i = leader; i != kNoVc; i = scratch.next[i]) {
    Request& r = requests[i];
    r.granted = kNoVc;
    scratch.request_of[r.input] = static_cast<std::uint16_t>(i);
    for_each_bit(&r.vcs, 1, [&](unsigned vc) { masks.request(r.input, vc); });
  }
  islip(masks, shape.iterations,
        Sides{registers, requests[leader].port * shape.vcs, requests, scratch.request_of.data()});
}

/// Inputs are heads, outputs are the virtual channels of all ports, both named by their ids.
struct VcAllocator::SidesOfAllPorts {
  static constexpr Word requesters = 1;
  VcPointers* registers;
  unsigned vcs;
  std::span<Request> requests;
  const std::uint16_t* request_of;  ///< by input: its first request

  unsigned input_of(unsigned id) const { return id; }
  unsigned first_requester(unsigned input) const { return input; }
  unsigned grant_pointer(unsigned output) const { return registers[output].input; }
  unsigned accept_pointer(unsigned input) const { return registers[input].output; }
  unsigned chosen(unsigned input, const Word*) const { return input; }
  void match(unsigned input, unsigned output, unsigned, bool first) const {
    const auto offers = [&](const Request& r) {
      return output / vcs == r.port && (r.vcs >> (output % vcs) & 1);
    };
    unsigned i = request_of[input];
    while (!offers(requests[i])) ++i;
    requests[i].granted = static_cast<std::uint16_t>(output);
    if (first) update_pointers(registers, input, output);
  }
};

template <class Widths>
void VcAllocator::match_all_ports(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                                  std::span<Request> requests, const Widths& widths) {
  std::fill_n(scratch.open.data(), widths.outputs, Word{0});
  const IslipMasks<Widths> masks{widths,
                                 scratch.requests.data(),
                                 scratch.open.data(),
                                 scratch.grants.data(),
                                 scratch.offered.data(),
                                 scratch.served.data()};
  for (std::size_t i = requests.size(); i-- > 0;) {
    Request& r = requests[i];
    r.granted = kNoVc;
    scratch.request_of[r.input] = static_cast<std::uint16_t>(i);
    for_each_bit(&r.vcs, 1, [&](unsigned vc) { masks.request(r.input, r.port * shape.vcs + vc); });
  }
  islip(masks, shape.iterations, SidesOfAllPorts{registers, shape.vcs, requests, scratch.request_of.data()});
}

void VcAllocator::match(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                        std::span<Request> requests) {
  if (scratch.all_ports) {
    const unsigned words = mask_words(shape.ids);
    if (words == 1)
      match_all_ports(shape, registers, scratch, requests, IslipOneWord{});
    else
      match_all_ports(shape, registers, scratch, requests, IslipWords{words, words, words});
    return;
  }
  // A head requests virtual channels of only one port, so each port is a separate matching.
  for (std::size_t i = requests.size(); i-- > 0;)
    scratch.next[i] = std::exchange(scratch.first[requests[i].port], static_cast<std::uint16_t>(i));
  for (unsigned i = 0; i < requests.size(); ++i) {
    std::uint16_t& first = scratch.first[requests[i].port];
    if (first != i) continue;
    first = kNoVc;
    if (scratch.next[i] == kNoVc)
      grant_alone(registers, shape.vcs, requests[i]);
    else if (shape.ids <= kWordBits)
      match_port(shape, registers, scratch, requests, i, IslipOneWord{});
    else
      match_port(shape, registers, scratch, requests, i,
                 IslipWords{mask_words(shape.ids), mask_words(shape.ids), 1});
  }
}

namespace {

/// One head's turn: draws one of the virtual channels in its requests.
void draw_one(unsigned vcs, std::span<VcRequest> all, std::span<VcRequest> of_head, RandomStream& random) {
  unsigned free = 0;
  for (const VcRequest& r : of_head) free += static_cast<unsigned>(std::popcount(r.vcs));
  if (free == 0) return;
  unsigned skip = random.below(free);
  for (VcRequest& r : of_head) {
    const auto here = static_cast<unsigned>(std::popcount(r.vcs));
    if (skip >= here) {
      skip -= here;
      continue;
    }
    VcMask rest = r.vcs;
    for (; skip > 0; --skip) rest &= rest - 1;
    const VcMask drawn = rest & -rest;
    r.granted = static_cast<std::uint16_t>(r.port * vcs + static_cast<unsigned>(std::countr_zero(drawn)));
    for (VcRequest& other : all)
      if (other.port == r.port) other.vcs &= ~drawn;
    return;
  }
}

}  // namespace

void VcAllocator::draw(unsigned vcs, std::span<Request> requests, RandomStream& random) {
  for (Request& r : requests) r.granted = kNoVc;
  const std::size_t count = requests.size();
  std::size_t first = random.below(static_cast<std::uint32_t>(count));
  while (first > 0 && requests[first - 1].input == requests[first].input) --first;
  for (std::size_t served = 0; served < count;) {
    const std::size_t begin = (first + served) % count;
    std::size_t end = begin + 1;
    while (end < count && requests[end].input == requests[begin].input) ++end;
    draw_one(vcs, requests, requests.subspan(begin, end - begin), random);
    served += end - begin;
  }
}

}  // namespace flitmend
