#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <systemc>
#include <vector>

#include "base/bits.h"
#include "rtl_tlm/router_registers.h"

namespace flitmend {

/// Gives the crossbar's outputs to its inputs, one flit each a cycle. iSLIP over ports: every output grants
/// one input by round robin, every input accepts one output by round robin, and of the virtual channels of
/// the input that want that output one is taken by round robin; the port pointers move on grants accepted in
/// the first iteration.
class CrossbarAllocator : public sc_core::sc_module {
 public:
  /// `registers`: those of `ports` ports, its own if null. `place`: port and virtual channel by id, for as
  /// long as it lives; its own if null.
  CrossbarAllocator(sc_core::sc_module_name, unsigned ports, unsigned vcs, unsigned iterations,
                    PortArbiter* registers = nullptr, const VcId* place = nullptr);

  /// `asking`: mask of the input virtual channels (id = port · virtual channels + vc) that want to send a
  /// flit; output_of(id): the output port that it wants. Writes those that may to `granted`, which has room
  /// for all that ask, and returns how many.
  template <class OutputOf>
  unsigned allocate(const Word* asking, const OutputOf& output_of, std::uint16_t* granted) {
    if (id_words_ > 1) {
      requests_.clear();
      for_each_bit(asking, id_words_, [&](unsigned id) {
        requests_.push_back({shape_.place[id].port, static_cast<std::uint16_t>(output_of(id)),
                             static_cast<std::uint16_t>(id)});
      });
      return match_requests(granted);
    }
    return asking[0] ? allocate_word(shape_, registers_, asking[0], output_of, granted) : 0;
  }

  /// What the matching has to know of the router.
  struct Shape {
    const VcId* place;  ///< by id
    unsigned vcs;
    unsigned iterations;
  };
  /// The same where one word takes all ids and somebody asks; it touches the registers alone.
  template <class OutputOf>
  [[gnu::always_inline]] static unsigned allocate_word(const Shape& shape, PortArbiter* registers,
                                                       Word asking, const OutputOf& output_of,
                                                       std::uint16_t* granted) {
    if ((asking & (asking - 1)) == 0) {
      const auto id = static_cast<unsigned>(std::countr_zero(asking));
      settle(registers, shape.place[id].port, output_of(id), id);
      granted[0] = static_cast<std::uint16_t>(id);
      return 1;
    }
    Word inputs = 0, outputs = 0, twice = 0;
    unsigned count = 0;
    for (Word rest = asking; rest; rest &= rest - 1) {
      const auto id = static_cast<unsigned>(std::countr_zero(rest));
      const Word in = Word{1} << shape.place[id].port, out = Word{1} << output_of(id);
      twice |= (inputs & in) | (outputs & out);
      inputs |= in;
      outputs |= out;
      granted[count++] = static_cast<std::uint16_t>(id);
    }
    if (!twice) {  // every output grants its only input, which accepts
      for (unsigned i = 0; i < count; ++i)
        settle(registers, shape.place[granted[i]].port, output_of(granted[i]), granted[i]);
      return count;
    }
    std::array<Word, kWordBits> wanted;  // by output: ids that want it
    for (Word rest = outputs; rest; rest &= rest - 1)
      wanted[static_cast<unsigned>(std::countr_zero(rest))] = 0;
    for (unsigned i = 0; i < count; ++i) wanted[output_of(granted[i])] |= Word{1} << granted[i];
    return match(shape, registers, outputs, wanted.data(), granted);
  }
  void reset();

 private:
  struct Request {
    std::uint16_t in, out, id;
  };

  /// Round robin starts behind the last one served.
  static void settle(PortArbiter* registers, unsigned in, unsigned out, unsigned id) {
    registers[out].crossbar.last_input = static_cast<std::uint16_t>(in);
    registers[in].crossbar.last_output = static_cast<std::uint16_t>(out);
    registers[in].crossbar.last_vc = static_cast<std::uint16_t>(id);
  }
  static unsigned match(const Shape&, PortArbiter* registers, Word outputs, Word* wanted,
                        std::uint16_t* granted);
  unsigned match_requests(std::uint16_t* granted);
  unsigned turn(unsigned in, unsigned id) const;
  void gather(const Request&);

  unsigned port_count_;
  unsigned id_words_;
  std::vector<PortArbiter> own_registers_;
  std::vector<VcId> own_place_;
  PortArbiter* registers_;
  Shape shape_;
  // Of the matching where masks of ids take several words; masks of ports then take port_words_.
  unsigned port_words_;
  std::vector<Request> requests_;
  std::vector<Word> asking_;           ///< by output: inputs that ask
  std::vector<Word> grants_;           ///< by input: outputs that grant
  std::vector<Word> wanted_;           ///< outputs somebody asks for
  std::vector<Word> offered_;          ///< inputs that somebody grants
  std::vector<std::uint16_t> chosen_;  ///< by input and output: the virtual channel that asks
};

}  // namespace flitmend
