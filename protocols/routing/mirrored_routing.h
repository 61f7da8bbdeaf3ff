// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// A routing function of a grid that treats both directions of some dimensions alike. If every router, port
/// and fault is replaced by its mirror image in such a dimension (coordinate x by k − 1 − x), the candidates
/// of every head become their mirror images, with the same head states, classes and escape flags; their order
/// and preferences may differ. So the deadlock checker needs to go through one of several destinations, or
/// sets of faults, that are mirror images of each other. A test holds every function to what it declares.
class MirroredRouting {
 public:
  /// Bit i: dimension i.
  virtual std::uint32_t mirrored_dimensions() const = 0;

 protected:
  ~MirroredRouting() = default;
};

/// Those that a routing function declares; 0: none.
inline std::uint32_t mirrored_dimensions(const RoutingFunction& routing) {
  const auto* const mirrored = dynamic_cast<const MirroredRouting*>(&routing);
  return mirrored ? mirrored->mirrored_dimensions() : 0;
}

}  // namespace flitmend
