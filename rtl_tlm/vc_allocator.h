#pragma once
#include <bit>
#include <span>
#include <systemc>
#include <vector>

#include "rtl_tlm/router_state.h"

namespace flitmend {

/// Gives free output virtual channels to heads. iSLIP: every requested output virtual channel grants one head
/// by round robin, every head accepts one grant by round robin; the pointers move on grants accepted in the
/// first iteration.
class VcAllocator : public sc_core::sc_module {
 public:
  struct Request {
    std::uint16_t input;    ///< id of the input virtual channel
    std::uint16_t port;     ///< output port
    VcMask vcs;             ///< output virtual channels that would do, all free; not 0
    std::uint16_t granted;  ///< result: output id, kNoVc for none
  };

  VcAllocator(sc_core::sc_module_name, unsigned ids, unsigned vcs, unsigned iterations);

  /// Fills in `granted` of every request. An output virtual channel goes to one request at most.
  void allocate(std::span<Request> requests) {
    if (requests.size() == 1) {  // nobody to share with: every requested virtual channel is granted
      Request& r = requests.front();
      const unsigned output = accept(r, r.vcs);
      r.granted = static_cast<std::uint16_t>(output);
      settle(r.input, output);
      return;
    }
    match(requests);
  }
  void reset();

 private:
  /// Round-robin registers: whom an output granted last, and which output an input accepted last.
  struct Last {
    std::uint16_t input = 0;
    std::uint16_t output = 0;
  };
  void settle(unsigned input, unsigned output) {
    last_[output].input = static_cast<std::uint16_t>(input);
    last_[input].output = static_cast<std::uint16_t>(output);
  }
  /// The output that a head takes of those that grant it.
  unsigned accept(const Request& r, VcMask grants) const {
    const unsigned base = r.port * vcs_;
    const unsigned last = last_[r.input].output - base;  // wraps where it was of a port before
    return base + round_robin(grants, last < vcs_ - 1 ? last + 1 : 0);
  }
  void match(std::span<Request>);
  void grant_round(std::span<Request>, bool first);

  unsigned ids_;
  unsigned vcs_;
  unsigned iterations_;
  std::vector<Last> last_;              ///< by id
  std::vector<std::uint16_t> grantee_;  ///< by output id: request granted in this round
  std::vector<std::uint16_t> touched_;  ///< output ids requested in this round
};

}  // namespace flitmend
