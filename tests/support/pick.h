// SPDX-License-Identifier: Apache-2.0
#ifndef FLITMEND_TESTS_SUPPORT_PICK_H
#define FLITMEND_TESTS_SUPPORT_PICK_H

#include <cstdint>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {

/// One of these at random, each as likely as the others. At least one. A temporary vector must outlive the
/// use.
template <class T>
const T& pick(RandomStream& random, const std::vector<T>& of) {
  return of[random.below(static_cast<std::uint32_t>(of.size()))];
}

}  // namespace flitmend

#endif
