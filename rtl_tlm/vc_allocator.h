#pragma once
#include <span>
#include <systemc>
#include <vector>

#include "rtl_tlm/router_layout.h"

namespace flitmend {

/// Gives free output virtual channels to heads. iSLIP: every requested output virtual channel grants one head
/// by round robin, every head accepts one grant by round robin; the pointers move on grants accepted in the
/// first iteration.
class VcAllocator : public sc_core::sc_module {
 public:
  using Request = VcRequest;

  /// `registers`: those of `ids` virtual channels, its own if null.
  VcAllocator(sc_core::sc_module_name, unsigned ids, unsigned vcs, unsigned iterations,
              VcPointers* registers = nullptr);

  /// Fills in `granted` of every request. An output virtual channel goes to one request at most.
  void allocate(std::span<Request> requests) {
    if (requests.size() == 1)
      grant_alone(registers_, vcs_, requests.front());
    else
      match(requests);
  }
  /// Nobody to share with: every requested virtual channel is granted. It touches the registers alone.
  static void grant_alone(VcPointers* registers, unsigned vcs, Request& r) {
    const unsigned output = accept(registers, vcs, r, r.vcs);
    r.granted = static_cast<std::uint16_t>(output);
    settle(registers, r.input, output);
  }
  void reset();

 private:
  static void settle(VcPointers* registers, unsigned input, unsigned output) {
    registers[output].input = static_cast<std::uint16_t>(input);
    registers[input].output = static_cast<std::uint16_t>(output);
  }
  /// The output that a head takes of those that grant it.
  static unsigned accept(const VcPointers* registers, unsigned vcs, const Request& r, VcMask grants) {
    const unsigned base = r.port * vcs;
    const unsigned last = registers[r.input].output - base;  // wraps where it was of a port before
    return base + round_robin(grants, last < vcs - 1 ? last + 1 : 0);
  }
  void match(std::span<Request>);
  void grant_round(std::span<Request>, bool first);

  unsigned ids_;
  unsigned vcs_;
  unsigned iterations_;
  std::vector<VcPointers> own_registers_;
  VcPointers* registers_;               ///< by id
  std::vector<std::uint16_t> grantee_;  ///< by output id: request granted in this round
  std::vector<std::uint16_t> touched_;  ///< output ids requested in this round
};

}  // namespace flitmend
