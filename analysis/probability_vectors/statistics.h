// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/probability_vectors/route.h"
#include "base/survey_progress.h"

namespace flitmend {

/// What happened to messages between pairs of one kind.
struct PvCounts {
  std::uint64_t pairs = 0;
  std::uint64_t delivered = 0;
  std::uint64_t minimal = 0;   ///< delivered within the Lee distance l
  std::uint64_t within_2 = 0;  ///< within l + 2
  std::uint64_t within_4 = 0;  ///< within l + 4: "minimum-distance routing" of [AlSadi03 Table 2]
  std::uint64_t failed = 0;
  std::uint64_t looping = 0;
  std::uint64_t disconnected = 0;  ///< pairs without any path
  std::uint64_t hops = 0;          ///< of delivered messages
  std::uint64_t hops_squared = 0;  ///< Σ hops² of delivered messages

  PvCounts& operator+=(const PvCounts&);
  friend bool operator==(const PvCounts&, const PvCounts&) = default;
  /// count / pairs; NaN without pairs.
  double share(std::uint64_t count) const { return static_cast<double>(count) / static_cast<double>(pairs); }
  /// Mean hops of delivered messages; none if none was delivered.
  std::optional<double> mean_hops() const {
    if (!delivered) return std::nullopt;
    return static_cast<double>(hops) / static_cast<double>(delivered);
  }
};

struct PvDistanceCounts {
  std::uint32_t lee;
  std::uint32_t hamming;
  PvCounts counts;
};

struct PvStatistics {
  PvCounts all;
  /// One entry per distance at which pairs were drawn, by Lee, then Hamming distance.
  std::vector<PvDistanceCounts> by_distance;
  /// Mean over the delivered messages of (hops − l) / l, in percent; none if none was delivered.
  std::optional<double> deviation_percent;
  /// 95 % interval of the share delivered, from the spread between fault sets, because pairs of one fault set
  /// are not independent (confidence.h). None if fewer than two fault sets were drawn.
  std::optional<ShareInterval> delivered_within;
};

struct PvExperiment {
  std::uint32_t k = 8;
  std::uint32_t n = 3;
  std::uint32_t faulty_nodes = 0;
  std::uint64_t faulty_links = 0;
  std::uint64_t pairs = 200000;  ///< spread evenly over all fault sets
  std::uint64_t fault_sets = 200;
  std::uint32_t first_fault_set = 0;  ///< number of the first one, which selects its random numbers
  PvArithmetic arithmetic = PvArithmetic::plain;
  PvRouting routing;
  /// Draw only pairs at these distances; 0: any.
  std::uint32_t only_lee = 0;
  std::uint32_t only_hamming = 0;
};

/// Routes messages between uniform pairs of different healthy nodes over uniform random fault sets. Fault set
/// s, its pairs and its ties depend only on (seed, s), and counts are whole numbers, so the result is the
/// same on any number of threads (`jobs`; 0: one per processor; fewer if the tables of vectors would take
/// more than 2 GiB). Time O(pairs · hops + fault sets · n·D·N), at most 10^12. `listener` counts pairs.
/// Throws ConfigurationError.
PvStatistics probability_routing_statistics(const PvExperiment&, std::uint64_t seed, unsigned jobs = 0,
                                            SurveyListener* listener = nullptr);

}  // namespace flitmend
