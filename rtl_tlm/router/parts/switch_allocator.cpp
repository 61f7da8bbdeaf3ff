// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/parts/switch_allocator.h"

#include <algorithm>

namespace flitmend {

SwitchAllocator::SwitchAllocator(unsigned ports, unsigned vcs, unsigned iterations, PortArbiter* registers,
                                 const VcId* place)
    : port_count_(ports),
      id_words_(mask_words(ports * vcs)),
      own_registers_(registers ? 0 : ports),
      registers_(registers ? registers : own_registers_.data()),
      shape_{place, ports, vcs, iterations, id_words_ > 1 ? 0 : every_bit(ports, vcs)} {
  if (!place) {
    for (unsigned id = 0; id < ports * vcs; ++id)
      own_place_.push_back({static_cast<std::uint16_t>(id / vcs), static_cast<std::uint16_t>(id % vcs)});
    shape_.place = own_place_.data();
  }
  if (id_words_ > 1) {
    const unsigned port_words = mask_words(ports);
    requests_.resize(std::size_t{ports} * id_words_);
    open_.resize(port_words);
    grants_.resize(std::size_t{ports} * port_words);
    offered_.resize(port_words);
    served_.resize(id_words_);
    granted_.resize(id_words_);
    masks_ = {{id_words_, port_words, port_words},
              requests_.data(),
              open_.data(),
              grants_.data(),
              offered_.data(),
              served_.data()};
  }
  reset();
}

void SwitchAllocator::reset() {
  for (unsigned port = 0; port < port_count_; ++port)
    registers_[port].switch_pointers = SwitchPointers::power_up(port, port_count_, shape_.vcs);
}

/// Inputs and outputs are ports. An input's requesters are its virtual channels.
struct SwitchAllocator::Sides {
  const Shape& shape;
  PortArbiter* registers;
  unsigned id_words;
  Word requesters;
  Word* granted;  ///< result: the ids that are granted

  SwitchPointers& pointers(unsigned port) const { return registers[port].switch_pointers; }
  unsigned input_of(unsigned id) const { return shape.place[id].port; }
  unsigned first_requester(unsigned in) const { return in * shape.vcs; }
  unsigned grant_pointer(unsigned out) const {
    return first_requester(pointers(out).last_input) + shape.vcs - 1;
  }
  unsigned accept_pointer(unsigned in) const { return pointers(in).last_output; }
  unsigned chosen(unsigned in, const Word* requests) const {
    return round_robin_within(requests, id_words, first_requester(in), requesters, pointers(in).last_vc);
  }
  void match(unsigned in, unsigned out, unsigned id, bool first) const {
    if (first)
      update_pointers(registers, in, out, id);
    else
      pointers(in).last_vc = static_cast<std::uint16_t>(id);
    set_bit(granted, id_words, id);
  }
};

Word SwitchAllocator::match(const Shape& shape, PortArbiter* registers, const Word* wanted, Word asking,
                            Word open) {
  std::array<Word, kWordBits> requests, grants;
  Word offered, served, granted = 0;
  for_each_bit(&open, 1, [&](unsigned out) { requests[out] = wanted[out] & asking; });
  const IslipMasks<IslipOneWord> masks{{}, requests.data(), &open, grants.data(), &offered, &served};
  const Sides sides{shape, registers, 1, low_bits(shape.vcs), &granted};
  if (shape.iterations == 1)
    islip(masks, 1, sides);  // compiled apart: it needs neither `open` nor `served` after its matches
  else
    islip(masks, shape.iterations, sides);
  return granted;
}

void SwitchAllocator::match() {
  std::fill(granted_.begin(), granted_.end(), Word{0});
  islip(masks_, shape_.iterations,
        Sides{shape_, registers_, id_words_, low_bits(shape_.vcs), granted_.data()});
}

}  // namespace flitmend
