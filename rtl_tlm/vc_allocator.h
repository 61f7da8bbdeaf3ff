#pragma once
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
  void allocate(std::vector<Request>& requests);
  void reset();

 private:
  unsigned accept(const Request&, VcMask grants) const;
  void grant_round(std::vector<Request>&, bool first);

  unsigned ids_;
  unsigned vcs_;
  unsigned iterations_;
  std::vector<std::uint16_t> grant_pointer_;   ///< by output id: input id from which it looks
  std::vector<std::uint16_t> accept_pointer_;  ///< by input id: output id from which it looks
  std::vector<std::uint16_t> grantee_;         ///< by output id: request granted in this round
  std::vector<std::uint16_t> touched_;         ///< output ids requested in this round
};

}  // namespace flitmend
