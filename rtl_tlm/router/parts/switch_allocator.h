// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/bits.h"
#include "rtl_tlm/registers/router_registers.h"
#include "rtl_tlm/router/parts/islip.h"

namespace flitmend {

/// Allocates the crossbar, one flit per input and output per cycle, by iSLIP over ports. Among an input's
/// virtual channels that want the accepted output, round robin picks one. With a crossbar input per virtual
/// channel, every output serves the virtual channels that want it by round robin.
class SwitchAllocator {
 public:
  /// `registers`: those of `ports` ports; null: the allocator's own. `place`: port and virtual channel by id,
  /// which must outlive it; null: its own.
  SwitchAllocator(unsigned ports, unsigned vcs, unsigned iterations, PortArbiter* registers = nullptr,
                  const VcId* place = nullptr);
  SwitchAllocator(const SwitchAllocator&) = delete;
  SwitchAllocator& operator=(const SwitchAllocator&) = delete;

  /// `asking`: mask of the input virtual channels (id = port · virtual channels + vc) that want to send a
  /// flit; output_of(id): the output port that it wants. Writes those granted to `granted`, lowest id first,
  /// and returns their number. `granted` must have room for every requester.
  template <class OutputOf>
  unsigned allocate(const Word* asking, const OutputOf& output_of, std::uint16_t* granted) {
    unsigned count = 0;
    if (id_words_ > 1) {
      std::fill(open_.begin(), open_.end(), Word{0});
      for_each_bit(asking, id_words_, [&](unsigned id) { masks_.request(id, output_of(id)); });
      match();
      for_each_bit(granted_.data(), id_words_,
                   [&](unsigned id) { granted[count++] = static_cast<std::uint16_t>(id); });
      return count;
    }
    std::array<Word, kWordBits> wanted{};
    for_each_bit(asking, 1, [&](unsigned id) { wanted[output_of(id)] |= Word{1} << id; });
    allocate_word(shape_, registers_, wanted.data(), asking[0], output_of,
                  [&](unsigned id, unsigned) { granted[count++] = static_cast<std::uint16_t>(id); });
    return count;
  }

  using Shape = SwitchShape;
  /// The same if all ids fit in one word; uses only the registers. `wanted`: by output port, the ids routed
  /// to it, whether or not they make a request now. Calls granted(id, output port), lowest id first.
  template <class OutputOf, class Granted>
  [[gnu::always_inline]] static void allocate_word(const Shape& shape, PortArbiter* registers,
                                                   const Word* wanted, Word asking, const OutputOf& output_of,
                                                   const Granted& granted) {
    Word conflicts = 0;  // nonzero if two requests share an input or an output; else every one is granted
    if (asking & (asking - 1)) {
      conflicts = shares_input(shape, asking);
      Word open = 0;
      for_each_bit(&asking, 1, [&](unsigned id) {
        const Word output = Word{1} << output_of(id);
        conflicts |= open & output;
        open |= output;
      });
      if (conflicts) asking = match(shape, registers, wanted, asking, open);
    }
    for (Word rest = asking; rest; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(std::countr_zero(rest));
      const unsigned out = output_of(id);
      if (!conflicts) update_pointers(registers, shape.place[id].port, out, id);
      granted(id, out);
    }
  }
  /// The same as allocate, and as allocate_word, for a crossbar with an input per virtual channel. Outputs
  /// are served in their order.
  template <class OutputOf>
  unsigned allocate_outputs(const Word* asking, const OutputOf& output_of, std::uint16_t* granted) {
    unsigned count = 0;
    const auto grant = [&](unsigned id, unsigned) { granted[count++] = static_cast<std::uint16_t>(id); };
    if (id_words_ > 1) {
      std::fill(open_.begin(), open_.end(), Word{0});
      for_each_bit(asking, id_words_, [&](unsigned id) { masks_.request(id, output_of(id)); });
      for_each_bit(open_.data(), masks_.words.outputs, [&](unsigned out) {
        grant_next(registers_, masks_.requests_of(out), id_words_, out, grant);
      });
      return count;
    }
    std::array<Word, kWordBits> wanted{};
    for_each_bit(asking, 1, [&](unsigned id) { wanted[output_of(id)] |= Word{1} << id; });
    allocate_outputs_word(shape_.ports, registers_, wanted.data(), asking[0], grant);
    return count;
  }
  template <class Granted>
  static void allocate_outputs_word(unsigned ports, PortArbiter* registers, const Word* wanted, Word asking,
                                    const Granted& granted) {
    for (unsigned out = 0; out < ports; ++out)
      if (const Word ids = asking & wanted[out]) grant_next(registers, &ids, 1, out, granted);
  }
  void reset();

 private:
  struct Sides;

  /// Round robin of an output over the ids that want it.
  template <class Granted>
  static void grant_next(PortArbiter* registers, const Word* ids, unsigned words, unsigned out,
                         const Granted& granted) {
    std::uint16_t& last = registers[out].switch_pointers.last_vc;
    last = static_cast<std::uint16_t>(round_robin_behind(ids, words, last));
    granted(last, out);
  }

  /// Round robin starts after the last one served.
  static void update_pointers(PortArbiter* registers, unsigned in, unsigned out, unsigned id) {
    registers[out].switch_pointers.last_input = static_cast<std::uint16_t>(in);
    registers[in].switch_pointers.last_output = static_cast<std::uint16_t>(out);
    registers[in].switch_pointers.last_vc = static_cast<std::uint16_t>(id);
  }
  /// Nonzero if two requests share an input. An input's ids are consecutive.
  static Word shares_input(const Shape& shape, Word asking) {
    const Word last_ids = shape.first_ids << (shape.vcs - 1), others = last_ids - shape.first_ids;
    const Word inputs = (((asking & others) + others) | asking) & last_ids;  // those that make any request
    return asking & (asking - (inputs >> (shape.vcs - 1)));
  }
  /// The ids that are granted; parameters as for allocate_word. `open`: the outputs that are asked for.
  static Word match(const Shape&, PortArbiter* registers, const Word* wanted, Word asking, Word open);
  /// Fills granted_ from the requests in masks_, if masks of ids take several words.
  void match();

  unsigned port_count_;
  unsigned id_words_;
  std::vector<PortArbiter> own_registers_;
  std::vector<VcId> own_place_;
  PortArbiter* registers_;
  Shape shape_;
  // For the matching if masks of ids take several words.
  std::vector<Word> requests_, open_, grants_, offered_, served_, granted_;
  IslipMasks<IslipWords> masks_{};
};

}  // namespace flitmend
