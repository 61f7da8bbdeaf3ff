// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "exploration/sweeps/records.h"

namespace flitmend {

/// What a hit is counted under; the words are those of `hits` in stats.json.
struct Stratum {
  std::string protocol;
  std::string fault;
  std::string duration;
  std::string phase;
  std::string overlap;
  friend auto operator<=>(const Stratum&, const Stratum&) = default;
};

struct StratumCount {
  std::uint64_t hits = 0;
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::uint64_t undeliverable = 0;
  std::uint64_t guard_repaired = 0;
  std::uint64_t failed = 0;
  void add(const StratumCount& more);
};

using Strata = std::map<Stratum, StratumCount>;

/// The hits of a run, from its stats.json; empty if it has none.
Strata strata_of(const std::string& protocol, const Json& stats);
void add(Strata&, const Strata& more);

}  // namespace flitmend
