// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>

namespace flitmend::test {

/// The stride at which a test of many similar cases goes through them: n, or 1 if FLITMEND_ALL_CASES is set,
/// as in scripts/nightly. The cases that scripts/test tries are the same in every run.
inline unsigned every_nth(unsigned n) {
  return std::getenv("FLITMEND_ALL_CASES") ? 1 : n;
}

}  // namespace flitmend::test
