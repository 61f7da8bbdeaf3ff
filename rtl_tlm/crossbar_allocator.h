#pragma once
#include <systemc>
#include <vector>

#include "rtl_tlm/router_state.h"

namespace flitmend {

/// Gives the crossbar's outputs to its inputs, one flit each a cycle. iSLIP over ports: of the virtual
/// channels of an input that want the same output one asks, chosen by round robin; every output grants one
/// input, every input accepts one output; the pointers move on grants accepted in the first iteration.
class CrossbarAllocator : public sc_core::sc_module {
 public:
  CrossbarAllocator(sc_core::sc_module_name, unsigned ports, unsigned vcs, unsigned iterations);

  /// Registers the wish of a virtual channel of input `in` for output `out`; a cycle's wishes by rising id.
  void request(unsigned in, unsigned out, unsigned id) {
    requests_[count_++] = {static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out),
                           static_cast<std::uint16_t>(id)};
  }
  /// Decides and forgets the requests: writes the virtual channels that may send a flit to `granted`, which
  /// has room for one a port, and returns how many.
  unsigned allocate(std::uint16_t* granted);
  void reset();

 private:
  struct Request {
    std::uint16_t in, out, id;
  };
  /// Round-robin pointers of a port.
  struct Pointers {
    std::uint16_t grant = 0;   ///< as an output: the input from which it looks
    std::uint16_t accept = 0;  ///< as an input: the output from which it looks
    std::uint16_t vc = 0;      ///< as an input: the virtual channel from which it looks
  };

  unsigned turn(unsigned in, unsigned id) const {
    const unsigned pointer = pointers_[in].vc;
    const unsigned vc = id - in * vcs_;
    return vc >= pointer ? vc - pointer : vc + vcs_ - pointer;
  }
  void move_vc_pointer(unsigned in, unsigned id) {
    const unsigned vc = id - in * vcs_;
    pointers_[in].vc = static_cast<std::uint16_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  }
  void move_port_pointers(unsigned in, unsigned out) {
    pointers_[out].grant = static_cast<std::uint16_t>(in + 1 == ports_ ? 0 : in + 1);
    pointers_[in].accept = static_cast<std::uint16_t>(out + 1 == ports_ ? 0 : out + 1);
  }
  bool conflict(unsigned count) const;
  void gather(const Request&);
  // kWords: words of a mask of ports, 0: words_.
  template <unsigned kWords>
  void zero(Word* mask) const {
    for (unsigned w = 0; w < (kWords ? kWords : words_); ++w) mask[w] = 0;
  }
  template <unsigned kWords>
  unsigned match(std::uint16_t* granted);

  unsigned ports_;
  unsigned vcs_;
  unsigned words_;
  unsigned iterations_;
  unsigned count_ = 0;  ///< requests of this cycle
  std::vector<Pointers> pointers_;
  std::vector<Request> requests_;
  // Of the matching, where there is a conflict.
  std::vector<Word> asking_;           ///< by output: inputs that ask
  std::vector<Word> granted_;          ///< by input: outputs that grant
  std::vector<Word> wanted_;           ///< outputs somebody asks for
  std::vector<Word> offered_;          ///< inputs that somebody grants
  std::vector<std::uint16_t> chosen_;  ///< by input and output: the virtual channel that asks
};

}  // namespace flitmend
