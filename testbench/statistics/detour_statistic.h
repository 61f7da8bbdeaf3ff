// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "base/detours.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

/// What probability vectors alone would do with a message of every pair, around the faults at the end of the
/// run.
struct VectorWays {
  std::optional<double> deviation;   ///< percent; none if no pair is served, as the others without a pair
  std::optional<double> not_served;  ///< share of the pairs, 0 to 1
  std::optional<double> looping;     ///< the same, part of not_served
  void visit(ResultsVisitor&) const;
};

/// How much longer the ways of messages are than the distance between their ends.
class DetourStatistic final : public OptionalStatistic {
 public:
  explicit DetourStatistic(const StatisticContext&);

  void message_created(const Message&) override;
  void message_delivered(const Message&, Cycle) override;
  void finish(const Fabric&, Cycle measured_cycles) override;
  void visit(ResultsVisitor&) const override;

 private:
  const Topology& topology_;
  MeasuredWindow window_;
  std::uint64_t created_ = 0;
  Detours delivered_;
  VectorWays vectors_;
};

}  // namespace flitmend
