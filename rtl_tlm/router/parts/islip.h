// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>

#include "base/bits.h"

namespace flitmend {

/// The masks of a matching take one word each. The size is a constant, so that they stay in CPU registers.
struct IslipOneWord {
  static constexpr unsigned requesters = 1, inputs = 1, outputs = 1;
};
/// The masks take any number of words.
struct IslipWords {
  unsigned requesters, inputs, outputs;
};

/// Memory of a matching. Only the rows named in `open` and `offered` are read, so only `open` must be cleared
/// between two matchings.
template <class Widths>
struct IslipMasks {
  [[no_unique_address]] Widths words;
  Word* requests;  ///< one row per output: its requesters
  Word* open;      ///< outputs that are requested and not matched
  Word* grants;    ///< one row per input: the outputs that grant it
  Word* offered;   ///< inputs with a grant
  Word* served;    ///< requesters of matched inputs

  Word* requests_of(unsigned output) const { return requests + std::size_t{output} * words.requesters; }
  Word* grants_of(unsigned input) const { return grants + std::size_t{input} * words.outputs; }
  void request(unsigned requester, unsigned output) const {
    add(open, words.outputs, output, requests_of(output), words.requesters, requester);
  }
  void grant(unsigned output, unsigned input) const {
    add(offered, words.inputs, input, grants_of(input), words.outputs, output);
  }

 private:
  /// Sets a bit of a row; clears the rest of the row if `rows` does not name it yet.
  static void add(Word* rows, unsigned rows_words, unsigned number, Word* row, unsigned row_words,
                  unsigned bit) {
    if (!test_bit(rows, rows_words, number)) {
      set_bit(rows, rows_words, number);
      std::fill_n(row, row_words, Word{0});
    }
    set_bit(row, row_words, bit);
  }
};

/// iSLIP [McKeown99], the matching of both allocators. In each iteration every open output grants one of the
/// inputs that request it, and every input accepts one of the outputs that grant it, both by round robin. The
/// pointers move only on matches of the first iteration. An input makes requests through its requesters,
/// which have consecutive numbers. Reads the requests; removes what it matches from `open`.
///
/// `sides` knows the inputs, the outputs and their pointers:
///   input_of(requester), first_requester(input)
///   requesters             the requesters of an input: a mask, counted from its first one
///   grant_pointer(output)    the requester after which the output's round robin starts
///   accept_pointer(input)    the output after which the input's round robin starts
///   chosen(input, requests)  the one that sends, of the input's requesters in that row
///   match(input, output, requester, first)    takes a match; `first`: of the first iteration
template <class Widths, class Sides>
[[gnu::always_inline]] inline void islip(const IslipMasks<Widths>& m, unsigned iterations,
                                         const Sides& sides) {
  std::fill_n(m.served, m.words.requesters, Word{0});
  for (unsigned iteration = 0;; ++iteration) {
    const bool last = iteration + 1 == iterations;
    std::fill_n(m.offered, m.words.inputs, Word{0});
    for_each_bit(m.open, m.words.outputs, [&](unsigned output) {
      const unsigned requester =
          round_robin_behind(m.requests_of(output), m.words.requesters, sides.grant_pointer(output));
      m.grant(output, sides.input_of(requester));
    });
    for_each_bit(m.offered, m.words.inputs, [&](unsigned input) {
      const unsigned output =
          round_robin_behind(m.grants_of(input), m.words.outputs, sides.accept_pointer(input));
      sides.match(input, output, sides.chosen(input, m.requests_of(output)), iteration == 0);
      clear_bit(m.open, m.words.outputs, output);
      if (!last) set_bits(m.served, m.words.requesters, sides.first_requester(input), sides.requesters);
    });
    if (last) return;
    bool any = false;
    for_each_bit(m.open, m.words.outputs, [&](unsigned output) {
      Word left = 0;
      for (unsigned w = 0; w < m.words.requesters; ++w) left |= m.requests_of(output)[w] &= ~m.served[w];
      if (left == 0) clear_bit(m.open, m.words.outputs, output);
      any |= left != 0;
    });
    if (!any) return;
  }
}

}  // namespace flitmend
