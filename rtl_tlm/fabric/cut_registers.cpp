// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/cut_registers.h"

#include <bit>
#include <utility>

namespace flitmend {

void CutRegisters::redirect(Word*& wake, std::uint8_t& wake_bit, std::span<Word** const> masks) {
  const std::size_t number = wires_.size();
  if (number % kWordBits == 0) wake_.push_back(std::make_unique<Word[]>(ring_));
  wires_.push_back({wake, Word{1} << wake_bit, masks_.size(), masks_.size() + masks.size()});
  wake = wake_.back().get();
  wake_bit = static_cast<std::uint8_t>(number % kWordBits);
  for (Word** const mask : masks) {
    masks_.push_back({*mask, std::make_unique<Word[]>(ring_)});
    *mask = masks_.back().own.get();
  }
}

void CutRegisters::deliver() {
  for (std::size_t w = 0; w < wake_.size(); ++w)
    for (unsigned slot = 0; slot < ring_; ++slot)
      for (Word rest = std::exchange(wake_[w][slot], 0); rest; rest &= rest - 1) {
        const Wires& wires = wires_[w * kWordBits + static_cast<unsigned>(std::countr_zero(rest))];
        wires.wake[slot] |= wires.wake_bit;
        for (std::size_t m = wires.first_mask; m < wires.end_mask; ++m)
          masks_[m].far[slot] |= std::exchange(masks_[m].own[slot], 0);
      }
}

}  // namespace flitmend
