#include "rtl_tlm/crossbar_allocator.h"

#include <algorithm>
#include <utility>

namespace flitmend {

CrossbarAllocator::CrossbarAllocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs,
                                     unsigned iterations)
    : sc_module(name),
      ports_(ports),
      vcs_(vcs),
      words_(mask_words(ports)),
      iterations_(iterations),
      pointers_(ports),
      requests_(std::size_t{ports} * vcs),
      asking_(std::size_t{ports} * words_),
      granted_(std::size_t{ports} * words_),
      wanted_(words_),
      offered_(words_),
      chosen_(std::size_t{ports} * ports) {}

void CrossbarAllocator::reset() {
  std::fill(pointers_.begin(), pointers_.end(), Pointers{});
}

/// Whether two requests share an input or an output; above 64 ports the matching finds out by itself.
inline bool CrossbarAllocator::conflict(unsigned count) const {
  if (words_ > 1) return true;
  Word inputs = 0, outputs = 0, twice = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Word in = Word{1} << requests_[i].in, out = Word{1} << requests_[i].out;
    twice |= (inputs & in) | (outputs & out);
    inputs |= in;
    outputs |= out;
  }
  return twice != 0;
}

unsigned CrossbarAllocator::allocate(std::uint16_t* granted) {
  const unsigned count = std::exchange(count_, 0);
  if (!conflict(count)) {  // every output grants its only input, which accepts
    for (unsigned i = 0; i < count; ++i) {
      const Request& r = requests_[i];
      move_port_pointers(r.in, r.out);
      move_vc_pointer(r.in, r.id);
      granted[i] = r.id;
    }
    return count;
  }
  for (unsigned i = 0; i < count; ++i) gather(requests_[i]);
  return words_ == 1 ? match<1>(granted) : match<0>(granted);
}

inline void CrossbarAllocator::gather(const Request& r) {
  Word* asking = &asking_[r.out * words_];
  std::uint16_t& chosen = chosen_[r.in * ports_ + r.out];
  if (!test_bit(asking, r.in)) {
    set_bit(asking, r.in);
    set_bit(wanted_.data(), r.out);
    chosen = r.id;
  } else if (turn(r.in, r.id) < turn(r.in, chosen)) {
    chosen = r.id;
  }
}

template <unsigned kWords>
unsigned CrossbarAllocator::match(std::uint16_t* granted) {
  const unsigned words = kWords ? kWords : words_;
  unsigned matched = 0;
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    bool any = false;
    for_each_bit(wanted_.data(), words, [&](unsigned out) {
      const Word* asking = &asking_[out * words];
      for (unsigned w = 0; w < words; ++w)
        if (asking[w]) {
          const unsigned in = round_robin(asking, words, pointers_[out].grant);
          set_bit(&granted_[in * words], out);
          set_bit(offered_.data(), in);
          any = true;
          return;
        }
    });
    if (!any) break;
    for_each_bit(offered_.data(), words, [&](unsigned in) {
      Word* grants = &granted_[in * words];
      const unsigned out = round_robin(grants, words, pointers_[in].accept);
      zero<kWords>(grants);
      clear_bit(offered_.data(), in);
      if (iteration == 0) move_port_pointers(in, out);
      const unsigned id = chosen_[in * ports_ + out];
      move_vc_pointer(in, id);
      zero<kWords>(&asking_[out * words]);
      clear_bit(wanted_.data(), out);
      if (iteration + 1 < iterations_)
        for_each_bit(wanted_.data(), words, [&](unsigned other) { clear_bit(&asking_[other * words], in); });
      granted[matched++] = static_cast<std::uint16_t>(id);
    });
  }
  for_each_bit(wanted_.data(), words, [&](unsigned out) { zero<kWords>(&asking_[out * words]); });
  zero<kWords>(wanted_.data());
  return matched;
}

}  // namespace flitmend
