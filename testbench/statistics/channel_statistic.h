// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

/// One channel between routers in the measured window.
struct ChannelResults {
  std::string from;  ///< router
  std::string port;  ///< of that router
  std::string to;    ///< router
  std::uint64_t flits = 0;
  std::optional<double> utilisation;  ///< flits per measured cycle
  /// A copy with the resulting utilisation; none if nothing was measured.
  static ChannelResults measured(std::string from, std::string port, std::string to, std::uint64_t flits,
                                 std::uint64_t measured_cycles);
  void visit(ResultsVisitor&) const;
};

/// The flits that crossed every channel between routers in the measured window, by router, then port.
class ChannelStatistic final : public OptionalStatistic {
 public:
  explicit ChannelStatistic(const Topology&);
  explicit ChannelStatistic(std::vector<ChannelResults> channels) : channels_(std::move(channels)) {}

  void window_begins(const Fabric&) override;
  void window_ends(const Fabric&) override;
  void finish(const Fabric&, Cycle measured_cycles) override;
  void visit(ResultsVisitor&) const override;
  std::string text() const override;

 private:
  std::vector<ChannelResults> channels_;
  std::vector<std::uint64_t> at_begin_;
  std::vector<std::uint64_t> at_end_;
};

}  // namespace flitmend
