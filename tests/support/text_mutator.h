// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "base/random_stream.h"

namespace flitmend::test {

/// Makes mistakes in a text, as a careless or hostile user does: wrong bytes, lines in the wrong place, keys
/// that do not exist, values of other types and far outside of every range. The same seed makes the same
/// mistakes.
class TextMutator {
 public:
  explicit TextMutator(std::uint64_t seed) : random_(seed, RandomPurpose::test) {}

  /// With one to three mistakes.
  std::string mutate(std::string text);
  /// With wrong, missing or additional bytes.
  std::string mutate_bytes(std::string text);
  /// A table with one to four wrong, missing, additional or repeated signs; never empty.
  std::string mutate_table(std::string text);
  /// A value that a key hardly ever expects.
  std::string hostile_value();
  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }

 private:
  std::size_t position(const std::string& text) {
    return random_.below(static_cast<std::uint32_t>(text.size() + 1));
  }
  void change_byte(std::string&);
  void remove_part(std::string&);
  void repeat_part(std::string&);
  void swap_lines(std::string&);
  void change_value(std::string&);
  void change_key(std::string&);
  void change_number(std::string&);
  void insert_token(std::string&);

  RandomStream random_;
};

}  // namespace flitmend::test
