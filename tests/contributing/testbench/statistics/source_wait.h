// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "testbench/statistics/mean_interval.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

/// How long messages wait in their source queue, from creation to the injection of the head.
class SourceWait : public OptionalStatistic {
 public:
  explicit SourceWait(MeasuredWindow window) : window_(window) {}

  void message_delivered(const Message&, Cycle) override;
  void visit(ResultsVisitor&) const override;

 private:
  MeasuredWindow window_;
  Mean mean_;
  std::uint64_t max_ = 0;
};

}  // namespace flitmend
