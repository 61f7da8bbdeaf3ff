// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <systemc>
#include <vector>

#include "rtl_tlm/registers/router_layout.h"

namespace flitmend {

/// Gives free output virtual channels to heads. iSLIP: every requested output virtual channel grants one head
/// by round robin, every head accepts one grant by round robin; the pointers move on grants accepted in the
/// first iteration.
class VcAllocator : public sc_core::sc_module {
 public:
  using Request = VcRequest;

  /// `registers`: those of `ids` virtual channels; `scratch`: for as many; its own if null.
  VcAllocator(sc_core::sc_module_name, unsigned ids, unsigned vcs, unsigned iterations,
              VcPointers* registers = nullptr, VcScratch* scratch = nullptr);

  /// Fills in `granted` of every request. An output virtual channel goes to one request at most.
  void allocate(std::span<Request> requests) { allocate(shape_, registers_, *scratch_, requests); }
  /// What the matching has to know of the router.
  struct Shape {
    unsigned ids;
    unsigned vcs;
    unsigned iterations;
  };
  /// The same; it touches the registers alone.
  static void allocate(const Shape& shape, VcPointers* registers, VcScratch& scratch,
                       std::span<Request> requests) {
    if (requests.size() == 1) [[likely]]
      grant_alone(registers, shape.vcs, requests.front());
    else
      match(shape, registers, scratch, requests);
  }
  void reset();

 private:
  static void match(const Shape&, VcPointers* registers, VcScratch&, std::span<Request>);
  /// Nobody to share with: every requested virtual channel is granted.
  static void grant_alone(VcPointers* registers, unsigned vcs, Request& r) {
    const unsigned output = accept(registers, vcs, r, r.vcs);
    r.granted = static_cast<std::uint16_t>(output);
    update_pointers(registers, r.input, output);
  }
  static void update_pointers(VcPointers* registers, unsigned input, unsigned output) {
    registers[output].input = static_cast<std::uint16_t>(input);
    registers[input].output = static_cast<std::uint16_t>(output);
  }
  /// The output that a head takes of those that grant it.
  static unsigned accept(const VcPointers* registers, unsigned vcs, const Request& r, VcMask grants) {
    const unsigned base = r.port * vcs;
    const unsigned last = registers[r.input].output - base;  // wraps where it was of a port before
    return base + round_robin(grants, last < vcs - 1 ? last + 1 : 0);
  }
  static void grant_round(const Shape&, VcPointers* registers, VcScratch&, std::span<Request>, bool first);

  Shape shape_;
  std::vector<VcPointers> own_registers_;
  VcPointers* registers_;  ///< by id
  VcScratch own_scratch_;
  VcScratch* scratch_;
};

}  // namespace flitmend
