// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "base/random_stream.h"
#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// Allocates free output virtual channels to heads, by iSLIP over virtual channels or by drawing them. A
/// router calls the static functions, with its registers; an object has registers of its own.
class VcAllocator {
 public:
  using Request = VcRequest;

  /// `scratch`: for as many ids. Null: the allocator's own, for heads that request virtual channels of one
  /// port each.
  VcAllocator(unsigned ids, unsigned vcs, unsigned iterations, VcScratch* scratch = nullptr);
  VcAllocator(const VcAllocator&) = delete;
  VcAllocator& operator=(const VcAllocator&) = delete;

  /// Fills in `granted` of every request. An output virtual channel is granted to at most one request. A head
  /// makes one request or, if the scratch memory is for all ports, several, which follow each other; at most
  /// one of them is granted.
  void allocate(std::span<Request> requests) { allocate(shape_, registers_.data(), *scratch_, requests); }
  /// What the matching needs to know about the router.
  struct Shape {
    unsigned ids;
    unsigned vcs;
    unsigned iterations;
  };
  /// The same; uses only the registers.
  static void allocate(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                       std::span<Request> requests) {
    if (requests.size() == 1) [[likely]]
      grant_alone(registers, shape.vcs, requests.front());
    else
      match(shape, registers, scratch, requests);
  }
  /// The same without iSLIP: heads are served in turn, beginning with a random one, and each draws one of the
  /// virtual channels it requests that are still free. Clears those drawn from `vcs` of all requests.
  static void draw(unsigned vcs, std::span<Request> requests, RandomStream&);
  void reset();

 private:
  struct Sides;
  struct SidesOfAllPorts;

  static void match(const Shape&, VcPointers* registers, VcScratch&, std::span<Request>);
  /// Matches the heads that request one port: requests[leader], and those chained to it by scratch.next.
  template <class Widths>
  static void match_port(const Shape&, VcPointers* registers, VcScratch&, std::span<Request>, unsigned leader,
                         const Widths&);
  /// Matches all heads with the virtual channels of all ports at once.
  template <class Widths>
  static void match_all_ports(const Shape&, VcPointers* registers, VcScratch&, std::span<Request>,
                              const Widths&);
  /// For a head without competitors: every output virtual channel grants it, and it accepts one.
  static void grant_alone(VcPointers* registers, unsigned vcs, Request& r) {
    const unsigned base = r.port * vcs;
    const unsigned output = base + round_robin_behind(r.vcs, last_in_port(registers[r.input].output, base));
    r.granted = static_cast<std::uint16_t>(output);
    update_pointers(registers, r.input, output);
  }
  static void update_pointers(VcPointers* registers, unsigned input, unsigned output) {
    registers[output].input = static_cast<std::uint16_t>(input);
    registers[input].output = static_cast<std::uint16_t>(output);
  }
  /// The virtual channel of a port after which a head's round robin starts. It wraps around if the head's
  /// previous output was at another port.
  static unsigned last_in_port(unsigned last_output, unsigned base) {
    return std::min(last_output - base, kWordBits - 1);
  }

  Shape shape_;
  std::vector<VcPointers> registers_;  ///< by id
  VcScratch own_scratch_;
  VcScratch* scratch_;
};

}  // namespace flitmend
