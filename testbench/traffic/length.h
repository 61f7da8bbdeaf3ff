// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "base/random_stream.h"

namespace flitmend {

/// Lengths of messages, in flits, head and tail included.
class LengthDistribution {
 public:
  virtual ~LengthDistribution() = default;
  virtual std::uint32_t draw(RandomStream&) const = 0;
  virtual double mean() const = 0;  ///< exact
  virtual std::uint32_t longest() const = 0;
};

}  // namespace flitmend
