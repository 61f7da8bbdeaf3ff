// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "base/bits.h"

namespace flitmend {

/// Which data flits of a message have arrived, in pieces of any order: a bit per sequence number.
class Reassembly {
 public:
  explicit Reassembly(std::uint32_t data_flits) : missing_(data_flits), bits_(mask_words(data_flits)) {}

  /// Takes `count` flits from `first` on; returns how many of them are new.
  std::uint32_t add(std::uint32_t first, std::uint32_t count);
  bool complete() const { return missing_ == 0; }
  /// Of an incomplete message.
  std::uint32_t first_missing() const;

 private:
  std::uint32_t missing_;
  std::vector<Word> bits_;
};

}  // namespace flitmend
