// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/switch_allocator.h"

#include <algorithm>

namespace flitmend {

SwitchAllocator::SwitchAllocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs,
                                 unsigned iterations, PortArbiter* registers, const VcId* place)
    : sc_module(name),
      port_count_(ports),
      id_words_(mask_words(ports * vcs)),
      own_registers_(registers ? 0 : ports),
      registers_(registers ? registers : own_registers_.data()),
      shape_{place, ports, vcs, iterations, id_words_ > 1 ? 0 : every_bit(ports, vcs)},
      port_words_(mask_words(ports)) {
  if (!place) {
    for (unsigned id = 0; id < ports * vcs; ++id)
      own_place_.push_back({static_cast<std::uint16_t>(id / vcs), static_cast<std::uint16_t>(id % vcs)});
    shape_.place = own_place_.data();
  }
  if (id_words_ > 1) {
    requests_.reserve(std::size_t{ports} * vcs);
    asking_inputs_.resize(std::size_t{ports} * port_words_);
    grants_.resize(std::size_t{ports} * port_words_);
    wanted_outputs_.resize(port_words_);
    offered_.resize(port_words_);
    chosen_.resize(std::size_t{ports} * ports);
  }
  reset();
}

void SwitchAllocator::reset() {
  for (unsigned port = 0; port < port_count_; ++port)
    registers_[port].switch_pointers = SwitchPointers::power_up(port, port_count_, shape_.vcs);
}

Word SwitchAllocator::match(const Shape& shape, PortArbiter* registers, const Word* wanted, Word asking) {
  std::array<Word, kWordBits> asked;   // by output: ids that ask for it
  std::array<Word, kWordBits> grants;  // by input: outputs that grant it
  Word granted = 0;
  Word outputs = 0;
  for (unsigned out = 0; out < shape.ports; ++out) {
    asked[out] = wanted[out] & asking;
    outputs |= Word{asked[out] != 0} << out;
  }
  for (unsigned iteration = 0;; ++iteration) {
    std::fill_n(grants.begin(), shape.ports, Word{0});
    Word offered = 0;
    for (Word rest = outputs; rest; rest &= rest - 1) {
      const auto out = static_cast<unsigned>(std::countr_zero(rest));
      const unsigned in =
          shape
              .place[round_robin_behind(
                  asked[out], registers[out].switch_pointers.last_input * shape.vcs + shape.vcs - 1)]
              .port;
      grants[in] |= rest & -rest;
      offered |= Word{1} << in;
    }
    Word served = 0;  // ids of the inputs that are matched
    for (Word rest = offered; rest; rest &= rest - 1) {
      const auto in = static_cast<unsigned>(std::countr_zero(rest));
      SwitchPointers& input = registers[in].switch_pointers;
      const unsigned out = round_robin_behind(grants[in], input.last_output);
      const Word own = low_bits(shape.vcs) << (in * shape.vcs);
      const unsigned id = round_robin_behind(asked[out] & own, input.last_vc);
      if (iteration == 0) {
        update_pointers(registers, in, out, id);
      } else {
        input.last_vc = static_cast<std::uint16_t>(id);
      }
      outputs &= ~(Word{1} << out);
      served |= own;
      granted |= Word{1} << id;
    }
    if (iteration + 1 == shape.iterations) break;
    for (Word rest = outputs; rest; rest &= rest - 1)
      if ((asked[static_cast<unsigned>(std::countr_zero(rest))] &= ~served) == 0) outputs &= ~(rest & -rest);
    if (!outputs) break;
  }
  return granted;
}

// The same where masks take several words.

unsigned SwitchAllocator::turn(unsigned in, unsigned id) const {
  const unsigned last = registers_[in].switch_pointers.last_vc;
  return id > last ? id - last : id + shape_.vcs - last;
}

void SwitchAllocator::gather(const Request& r) {
  Word* asking = &asking_inputs_[r.out * port_words_];
  std::uint16_t& chosen = chosen_[r.in * port_count_ + r.out];
  if (!test_bit(asking, r.in)) {
    set_bit(asking, r.in);
    set_bit(wanted_outputs_.data(), r.out);
    chosen = r.id;
  } else if (turn(r.in, r.id) < turn(r.in, chosen)) {
    chosen = r.id;
  }
}

unsigned SwitchAllocator::match_requests(std::uint16_t* granted) {
  for (const Request& r : requests_) gather(r);
  const auto next = [&](unsigned last) { return last + 1 == port_count_ ? 0 : last + 1; };
  const auto clear = [&](Word* mask) { std::fill(mask, mask + port_words_, Word{0}); };
  const auto any = [&](const Word* mask) {
    return std::any_of(mask, mask + port_words_, [](Word w) { return w != 0; });
  };
  unsigned matched = 0;
  for (unsigned iteration = 0; iteration < shape_.iterations; ++iteration) {
    for_each_bit(wanted_outputs_.data(), port_words_, [&](unsigned out) {
      const Word* asking = &asking_inputs_[out * port_words_];
      if (!any(asking)) return;
      const unsigned in = round_robin(asking, port_words_, next(registers_[out].switch_pointers.last_input));
      set_bit(&grants_[in * port_words_], out);
      set_bit(offered_.data(), in);
    });
    if (!any(offered_.data())) break;
    for_each_bit(offered_.data(), port_words_, [&](unsigned in) {
      Word* grants = &grants_[in * port_words_];
      const unsigned out = round_robin(grants, port_words_, next(registers_[in].switch_pointers.last_output));
      clear(grants);
      clear_bit(offered_.data(), in);
      const unsigned id = chosen_[in * port_count_ + out];
      if (iteration == 0)
        update_pointers(registers_, in, out, id);
      else
        registers_[in].switch_pointers.last_vc = static_cast<std::uint16_t>(id);
      clear(&asking_inputs_[out * port_words_]);
      clear_bit(wanted_outputs_.data(), out);
      for_each_bit(wanted_outputs_.data(), port_words_,
                   [&](unsigned other) { clear_bit(&asking_inputs_[other * port_words_], in); });
      granted[matched++] = static_cast<std::uint16_t>(id);
    });
  }
  for_each_bit(wanted_outputs_.data(), port_words_,
               [&](unsigned out) { clear(&asking_inputs_[out * port_words_]); });
  clear(wanted_outputs_.data());
  return matched;
}

}  // namespace flitmend
