// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bits.h"

namespace flitmend {

/// What the routers of one partition send to other partitions. Arrival masks and wake-up masks have bits of
/// several senders, so these bits first go to registers of the partition's own, and reach the masks when
/// deliver() is called: after all partitions have been evaluated, and before the cycle in which they arrive.
/// The registers of flits have one sender each and need none of this.
class CutRegisters {
 public:
  /// ring: slots of every ring.
  explicit CutRegisters(unsigned ring) : ring_(ring) {}

  /// From now on the owner of these wires writes here: `wake`, a ring in which it sets bit number `wake_bit`,
  /// and `masks`, rings in which it sets others in the same slot.
  void redirect(Word*& wake, std::uint8_t& wake_bit, std::span<Word** const> masks);
  /// Moves everything to where it belongs.
  void deliver();

 private:
  using Ring = std::unique_ptr<Word[]>;
  struct Mask {
    Word* far;
    Ring own;
  };
  struct Wires {
    Word* wake;
    Word wake_bit;
    std::size_t first_mask, end_mask;
  };

  unsigned ring_;
  std::vector<Ring> wake_;  ///< by word of wires
  std::vector<Wires> wires_;
  std::vector<Mask> masks_;
};

}  // namespace flitmend
