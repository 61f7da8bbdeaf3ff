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

  /// Registers the wish of a virtual channel of input `in` for output `out`.
  void request(unsigned in, unsigned out, unsigned id) {
    Word* asking = &asking_[out * words_];
    std::uint16_t& chosen = chosen_[in * ports_ + out];
    if (!test_bit(asking, in)) {
      set_bit(asking, in);
      set_bit(wanted_.data(), out);
      chosen = static_cast<std::uint16_t>(id);
    } else if (turn(in, id) < turn(in, chosen)) {
      chosen = static_cast<std::uint16_t>(id);
    }
  }
  /// Decides and forgets the requests; calls grant(id) for every virtual channel that may send a flit.
  template <class Grant>
  void allocate(Grant&& grant);
  void reset();

 private:
  unsigned turn(unsigned in, unsigned id) const {
    const unsigned pointer = vc_pointer_[in];
    const unsigned vc = id - in * vcs_;
    return vc >= pointer ? vc - pointer : vc + vcs_ - pointer;
  }

  unsigned ports_;
  unsigned vcs_;
  unsigned words_;
  unsigned iterations_;
  std::vector<Word> asking_;           ///< by output: inputs that ask
  std::vector<Word> granted_;          ///< by input: outputs that grant
  std::vector<Word> wanted_;           ///< outputs somebody asks for
  std::vector<Word> offered_;          ///< inputs that somebody grants
  std::vector<std::uint16_t> chosen_;  ///< by input and output: the virtual channel that asks
  std::vector<std::uint16_t> grant_pointer_;
  std::vector<std::uint16_t> accept_pointer_;
  std::vector<std::uint16_t> vc_pointer_;
};

template <class Grant>
void CrossbarAllocator::allocate(Grant&& grant) {
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    bool any = false;
    for_each_bit(wanted_.data(), words_, [&](unsigned out) {
      const Word* asking = &asking_[out * words_];
      for (unsigned w = 0; w < words_; ++w)
        if (asking[w]) {
          const unsigned in = round_robin(asking, words_, grant_pointer_[out]);
          set_bit(&granted_[in * words_], out);
          set_bit(offered_.data(), in);
          any = true;
          return;
        }
    });
    if (!any) break;
    for_each_bit(offered_.data(), words_, [&](unsigned in) {
      Word* granted = &granted_[in * words_];
      const unsigned out = round_robin(granted, words_, accept_pointer_[in]);
      for (unsigned w = 0; w < words_; ++w) granted[w] = 0;
      clear_bit(offered_.data(), in);
      if (iteration == 0) {
        grant_pointer_[out] = static_cast<std::uint16_t>(in + 1 == ports_ ? 0 : in + 1);
        accept_pointer_[in] = static_cast<std::uint16_t>(out + 1 == ports_ ? 0 : out + 1);
      }
      const unsigned id = chosen_[in * ports_ + out];
      const unsigned vc = id - in * vcs_;
      vc_pointer_[in] = static_cast<std::uint16_t>(vc + 1 == vcs_ ? 0 : vc + 1);
      for (unsigned w = 0; w < words_; ++w) asking_[out * words_ + w] = 0;
      clear_bit(wanted_.data(), out);
      if (iteration + 1 < iterations_)
        for_each_bit(wanted_.data(), words_,
                     [&](unsigned other) { clear_bit(&asking_[other * words_], in); });
      grant(id);
    });
  }
  for_each_bit(wanted_.data(), words_, [&](unsigned out) {
    for (unsigned w = 0; w < words_; ++w) asking_[out * words_ + w] = 0;
  });
  for (unsigned w = 0; w < words_; ++w) wanted_[w] = 0;
}

}  // namespace flitmend
