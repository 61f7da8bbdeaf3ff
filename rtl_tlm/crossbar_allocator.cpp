#include "rtl_tlm/crossbar_allocator.h"

#include <algorithm>

namespace flitmend {

CrossbarAllocator::CrossbarAllocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs,
                                     unsigned iterations)
    : sc_module(name),
      ports_(ports),
      vcs_(vcs),
      words_(mask_words(ports)),
      iterations_(iterations),
      asking_(std::size_t{ports} * words_),
      granted_(std::size_t{ports} * words_),
      wanted_(words_),
      offered_(words_),
      chosen_(std::size_t{ports} * ports),
      grant_pointer_(ports),
      accept_pointer_(ports),
      vc_pointer_(ports) {}

void CrossbarAllocator::reset() {
  for (auto* pointers : {&grant_pointer_, &accept_pointer_, &vc_pointer_})
    std::fill(pointers->begin(), pointers->end(), std::uint16_t{0});
}

}  // namespace flitmend
